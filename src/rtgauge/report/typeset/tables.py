"""Tables: what stands in each cell, broken to the width of its column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rtgauge.report.blocks import Badge, Cell, Column, Dots, Span, Table, Timeline
from rtgauge.report.display import NARROW
from rtgauge.report.typeset import drawings
from rtgauge.report.typeset.columns import Fit, Need, fit
from rtgauge.report.typeset.metrics import Face, Metrics
from rtgauge.report.typeset.paper import Room
from rtgauge.report.typeset.words import clean, cut_short, longest, set_in

AnyCell = Cell | Badge | Span | Dots | Timeline
Row = Sequence[AnyCell]

GAP = 7.0  # between columns, part of each column's width
_SLACK, _KERNED = 0.5, 1.04  # of a column: widths of letters do not quite add up to that of their word
NOTE = 0.86  # size of a note, and of a badge, in sizes of its cell
_CONTENTS = 7.5  # size of a table that leads to every result
_HEAD_LINES = 7  # of a head, which stands on each page: one as tall as a page would leave no room for the rows
_STRIP = 6.0  # before the first figure of a strip
_FIRM = 6  # lines that surely stay on one page
_USUAL = 1.6  # of the mean width of a column's texts: most of them then stand in one line
_BADGE = 0.8  # of the size: the frame around a status
_PAGE = 25.0  # a column of page numbers
_LONG = 16  # rows that are worth a turned page
_WORD = 11.0  # a word wider than this, in sizes of its type, may break
_HEAD_WORD = 7.0  # the same of a column's name
_LINES_OF_NOTE = 1.8  # a note below a figure takes about two lines
_LINE = 8.0  # a column of texts is at least this wide, in sizes of its type, where its texts are
_DRAWINGS = {"span": (44.0, 60.0), "dots": (60.0, 90.0), "timeline": (60.0, 120.0)}  # least and natural, in points


def table(one: Table, room: Room, metrics: Metrics) -> list[dict[str, Any]]:
    """One node, or one for each group of columns where all do not fit beside each other."""
    if not one.columns:
        return []
    rows = [_whole(row, len(one.columns)) for row in one.rows]
    paged = _leads(one) and room.top and any(_target(row) for row in rows)
    width = room.width - (_PAGE if paged else 0)

    def needs(size: float) -> list[Need]:
        return [_need(one, rows, column, size, metrics) for column in range(len(one.columns))]

    size = min(room.table, _CONTENTS) if one.style == "contents" else room.table
    turns = room.top and not paged and len(rows) >= _LONG
    chosen = fit(needs, width, size, _leading(one.columns), turns)
    return [_node(one, rows, chosen, place, paged, metrics) for place in range(len(chosen.groups))]


def strip(one: Table, room: Room, metrics: Metrics) -> dict[str, Any]:
    """Figures beside each other, each below its name: as many in a line as there is room for."""
    size = room.table
    rows = [_whole(row, len(one.columns)) for row in one.rows]
    figures = [(column.name, cell) for row in rows for column, cell in zip(one.columns, row, strict=True)]
    widest = max((_width(cell, size, metrics, "bold") for _, cell in figures), default=0.0)
    names = max((metrics.width(name, size * NOTE) for name, _ in figures), default=0.0)
    inside = room.width - _STRIP
    across = max(1, min(len(figures), int(inside // (max(widest, names, 1.0) + GAP))))
    lines = -(-len(figures) // across)
    across = -(-len(figures) // lines) if figures else 1
    width = inside / across
    cells = [
        {"name": set_in(name, width - GAP, size * NOTE, metrics), **_cell(cell, width - GAP, size, metrics, "bold")}
        for name, cell in figures
    ]
    firm = lines <= _FIRM and widest <= _FIRM * room.width
    return {"k": "strip", "size": size, "width": width, "across": across, "cells": cells, "firm": firm}


def value(cell: Cell, room: float, size: float, metrics: Metrics) -> dict[str, Any]:
    """A cell outside a table."""
    return _cell(cell, room, size, metrics, "body")


# ---- what columns need -----------------------------------------------------------------------------------------------


def _need(one: Table, rows: Sequence[Row], column: int, size: float, metrics: Metrics) -> Need:
    head = one.columns[column]
    natural, least = (
        metrics.width(head.name, size, "bold"),
        longest(head.name, size, metrics, "bold", _HEAD_WORD * size),
    )
    stretches, total = False, 0.0
    for row in rows:
        cell = row[column]
        if isinstance(cell, Cell):
            if cell.span > 1:
                continue  # it takes what the others leave
            wide, narrow = _needs_of(cell, size, metrics, _face(one, column))
        elif isinstance(cell, Badge):
            wide = narrow = min(metrics.width(cell.status, size * NOTE, "bold"), _WORD * size) + _BADGE * size
        else:
            narrow, wide = _DRAWINGS[cell.kind]
            stretches = stretches or cell.kind == "timeline"
        natural, least, total = max(natural, wide), max(least, narrow), total + wide
    usual = _USUAL * total / max(len(rows), 1)
    natural, least, usual = (one * _KERNED + GAP + _SLACK for one in (natural, min(natural, least), usual))
    return Need(natural, least, usual, stretches)


def _needs_of(cell: Cell, size: float, metrics: Metrics, face: Face) -> tuple[float, float]:
    wide = _width(cell, size, metrics, face)
    if cell.numeric and wide <= _WORD * size:
        wide = max(wide, longest(cell.note, size * NOTE, metrics))
        return wide, wide  # a figure and its unit stay in one line
    words = longest(cell.text, size, metrics, face, _WORD * size)
    return wide, max(words, min(wide, _LINE * size))


def _width(cell: AnyCell, size: float, metrics: Metrics, face: Face) -> float:
    if not isinstance(cell, Cell):
        return 0.0
    text = metrics.width(cell.text, size, "bold" if cell.tone in {"strong", "bad"} else face)
    unit = metrics.width(NARROW + cell.unit, size) if cell.unit else 0.0
    return max(text + unit, metrics.width(cell.note, size * NOTE) / _LINES_OF_NOTE)


def _leads(one: Table) -> bool:
    """Whether a table leads from tests to all over the document: each row then names its page."""
    return one.style == "contents" and one.columns[0].name == "Test"


def _face(one: Table, column: int) -> Face:
    return "mono" if column == 0 and _leads(one) else "body"


def _leading(columns: Sequence[Column]) -> int:
    """Columns that say what a row is about: those before the first figure, two at most."""
    names = next((i for i, column in enumerate(columns) if column.numeric), 1)
    return max(1, min(names, 2))


def _whole(row: Row, columns: int) -> list[AnyCell]:
    """A row with a cell for each column: those beyond the last left out, those covered by a wider one empty."""
    cells: list[AnyCell] = []
    for cell in row:
        cells.append(cell)
        cells += [Cell("")] * (_span(cell) - 1)
    return [*cells, *[Cell("")] * columns][:columns]


def _span(cell: AnyCell) -> int:
    return max(1, cell.span) if isinstance(cell, Cell) else 1


def _target(row: Row) -> str:
    return next((cell.href for cell in row if isinstance(cell, Cell) and cell.href), "")


# ---- what is printed -------------------------------------------------------------------------------------------------


def _node(one: Table, rows: Sequence[Row], chosen: Fit, place: int, paged: bool, metrics: Metrics) -> dict[str, Any]:
    columns, widths, size = chosen.groups[place], chosen.widths[place], chosen.size
    heads = [
        set_in(
            cut_short(one.columns[column].name, _HEAD_LINES * width, size, metrics, "bold"),
            width - GAP,
            size,
            metrics,
            "bold",
        )
        for column, width in zip(columns, widths, strict=True)
    ]
    body = [list(_row(one, row, columns, widths, size, metrics)) for row in rows]
    if paged:
        body = [[*cells, {"page": _target(row)}] for cells, row in zip(body, rows, strict=True)]
    parts = f" ({place + 1} of {len(chosen.groups)})" if len(chosen.groups) > 1 else ""
    total = sum(widths) + (_PAGE if paged else 0)
    last = place == len(chosen.groups) - 1
    return {
        "k": "table",
        "style": one.style,
        "size": size,
        "widths": [round(width, 2) for width in (*widths, *([_PAGE] if paged else []))],
        "right": [*(one.columns[column].numeric for column in columns), *([True] if paged else [])],
        "head": [*heads, *(["Page"] if paged else [])],
        "rows": body,
        "title": set_in(one.title + parts, total, size, metrics, "bold") if one.title or parts else "",
        "note": set_in(one.note, total, size * NOTE, metrics) if one.note and last else "",
        "turned": chosen.turned,
    }


def _row(
    one: Table, row: Row, columns: Sequence[int], widths: Sequence[float], size: float, metrics: Metrics
) -> Iterator[dict[str, Any]]:
    skip = 0
    for place, column in enumerate(columns):
        if skip:
            skip -= 1
            continue
        cell = row[column]
        span = min(_span(cell), len(columns) - place)
        skip = span - 1
        width = sum(widths[place : place + span]) - GAP
        node = _cell(cell, width, size, metrics, _face(one, column))
        yield {**node, "span": span} if span > 1 else node


def _cell(cell: AnyCell, width: float, size: float, metrics: Metrics, face: Face) -> dict[str, Any]:
    if isinstance(cell, Badge):
        return {"badge": cut_short(cell.status, width - _BADGE * size, size * NOTE, metrics, "bold")}
    if isinstance(cell, Span):
        return {"svg": drawings.span(cell, width), "wide": width, "alt": clean(cell.what)}
    if isinstance(cell, Dots):
        return {"svg": drawings.dots(cell, width), "wide": width, "alt": clean(cell.what)}
    if isinstance(cell, Timeline):
        return _timeline(cell, width, size, metrics)
    bold: Face = "bold" if cell.tone in {"strong", "bad"} else face
    node: dict[str, Any] = {"t": set_in(cell.text, width, size, metrics, bold)}
    if cell.unit:
        unit = NARROW + cell.unit if cell.text else cell.unit
        room = width - metrics.width(cell.text, size, bold)
        node["unit"] = set_in(unit, room if room > metrics.width(unit, size) else width, size, metrics)
    if cell.note:
        node["note"] = set_in(cell.note, width, size * NOTE, metrics)
    optional = (("tone", cell.tone if cell.tone != "plain" else ""), ("to", cell.href), ("id", cell.anchor))
    node.update((key, text) for key, text in optional if text)
    if cell.numeric:
        node["right"] = True
    if face == "mono":
        node["mono"] = True
    return node


def _timeline(cell: Timeline, width: float, size: float, metrics: Metrics) -> dict[str, Any]:
    node: dict[str, Any] = {"svg": drawings.timeline(cell, width), "wide": width, "alt": clean(cell.what)}
    if ticks := _ticks(cell, width, size * NOTE, metrics):
        node["ticks"] = ticks
    return node


def _ticks(cell: Timeline, width: float, size: float, metrics: Metrics) -> list[list[Any]]:
    """Where each label begins, and its text, from the left. The last one tells how far the axis goes; others are left
    out where they would touch a neighbour."""
    kept: list[list[Any]] = []
    free = width + size
    first = min((place for place, _ in cell.ticks), default=0.0)
    for place, text in sorted(cell.ticks, reverse=True):
        wide = min(metrics.width(text, size), width)
        left = min(max(place * width - wide / 2, 0.0), width - wide)
        if text and (left + wide + size / 2 <= free) and (place == first or left > 0):
            kept.append([left, set_in(text, width, size, metrics)])
            free = left
    return kept[::-1]
