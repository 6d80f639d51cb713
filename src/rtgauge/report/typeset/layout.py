"""Blocks with their measures: each kind becomes a node that the template knows by its `k`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rtgauge.report.blocks import (
    Block,
    Bullets,
    Cell,
    Code,
    Facts,
    Figure,
    Headline,
    Key,
    Notice,
    Panel,
    Part,
    Row,
    Table,
    Text,
)
from rtgauge.report.typeset import drawings, tables
from rtgauge.report.typeset.metrics import Metrics
from rtgauge.report.typeset.paper import BODY, GUTTER, NOTE, TABLE, Room
from rtgauge.report.typeset.plots import figure
from rtgauge.report.typeset.words import cut_short, set_in

Node = dict[str, Any]

_HEADS = {1: 15.0, 2: 12.0, 3: 10.0}  # size of a heading by its level in the document
_STATUS = 80.0  # widest status beside a heading
_INSET = 8.0  # within the frame of a panel or a notice
_TOGETHER = 1200  # letters that surely stay on one page
_HALF = 36  # lines of small type that take less than half a page
_LIGHT = ("charts", "small", "notes", "beside")  # rows of which there are many: in one go, where they are short


def blocks(found: Iterable[Block], room: Room, metrics: Metrics) -> list[Node]:
    return [node for one in found for node in block(one, room, metrics)]


def block(one: Block, room: Room, metrics: Metrics) -> Iterator[Node]:
    """The nodes of a block."""
    if isinstance(one, Part):
        yield from _part(one, room, metrics)
    elif isinstance(one, Row):
        yield from _row(one, room, metrics)
    elif isinstance(one, Panel):
        yield _panel(one, room, metrics)
    elif isinstance(one, Table):
        if one.style == "figures":
            yield tables.strip(one, room, metrics)
        else:
            yield from tables.table(one, room, metrics)
    elif isinstance(one, Facts):
        yield _facts(one, room, metrics)
    elif isinstance(one, Bullets):
        yield _bullets(one, room, metrics)
    elif isinstance(one, Notice):
        yield _notice(one, room, metrics)
    elif isinstance(one, Figure):
        yield figure(one, room, metrics)
    elif isinstance(one, Key):
        entries = [[drawings.swatch(look), set_in(what, room.width - 20, NOTE, metrics)] for look, what in one.entries]
        yield {"k": "key", "size": NOTE, "entries": entries}
    elif isinstance(one, Headline):
        yield _headline(one, room, metrics)
    elif isinstance(one, Code):
        yield _code(one, room, metrics)
    elif isinstance(one, Text):
        yield {"k": "text", "size": room.size, "tone": one.tone, "t": set_in(one.text, room.width, room.size, metrics)}
    else:
        raise TypeError(f"the printed page knows no block {type(one).__name__}")


# ---- what holds others -----------------------------------------------------------------------------------------------


def heading(one: Part, level: int, metrics: Metrics, room: Room, short: str = "") -> Node:
    """`level`: in the document, 1 for a section. `short`: what stands in place of the title."""
    size = _HEADS[level]
    return {
        "k": "heading",
        "level": level,
        "size": size,
        "id": one.anchor,
        "label": "" if short else set_in(one.label, room.width, size, metrics, "mono"),
        "title": set_in(short or one.title, room.width, size, metrics, "bold"),
        "statuses": [cut_short(status, _STATUS, TABLE, metrics, "bold") for status in one.statuses],
    }


def _part(one: Part, room: Room, metrics: Metrics) -> Iterator[Node]:
    level = min(max(one.level - 1, 1), 3)
    head = heading(one, level, metrics, room)
    if level < 3:
        yield head
        yield from blocks(one.blocks, room, metrics)
        return
    firm = next((i for i, inner in enumerate(one.blocks) if _loose(inner)), len(one.blocks))
    inner = replace(room, top=False)
    yield {"k": "together", "blocks": [head, *blocks(one.blocks[:firm], inner, metrics)]}
    yield from blocks(one.blocks[firm:], room, metrics)


def _loose(one: Block) -> bool:
    """Whether a block may be long: what surely fits on a page is kept together with its heading."""
    if isinstance(one, Figure | Headline | Key):
        return False
    if isinstance(one, Row):
        return any(_loose(inner) for inner in one.blocks)
    if isinstance(one, Text):
        return len(one.text) > _TOGETHER
    if isinstance(one, Notice):
        return len(one.text) + len(one.todo) > _TOGETHER
    return not (isinstance(one, Table) and one.style == "figures" and len(one.rows) * len(one.columns) <= 40)


def _lines_of(one: Any, width: float) -> float:
    """How many lines of small type a block may take, roughly and rather too many."""
    if isinstance(one, str):
        return 1 + len(one) * NOTE / width
    if isinstance(one, Figure):
        return 16
    if isinstance(one, tuple):
        return sum(_lines_of(part, width) for part in one)
    if isinstance(one, Table):
        return 3 + sum(
            max((_lines_of(cell, width / len(one.columns)) for cell in row), default=0.0) for row in one.rows
        )
    if isinstance(one, Facts):
        return 1 + sum(max(_lines_of(name, width / 2), _lines_of(cell, width / 2)) for name, cell in one.rows)
    if isinstance(one, Cell):
        return _lines_of(f"{one.text} {one.unit} {one.note}", width)
    return sum(
        _lines_of(getattr(one, name), width)
        for name in ("title", "text", "todo", "blocks", "items")
        if hasattr(one, name)
    )


def _row(one: Row, room: Room, metrics: Metrics) -> Iterator[Node]:
    if not one.blocks:
        return
    inner = replace(room, top=False)
    if one.style == "notes":
        inner = replace(inner, size=NOTE, table=NOTE, small=True, notes=True)
    if one.style in ("small", "beside"):
        inner = replace(inner, small=True)
    beside = [b for b in one.blocks if not (isinstance(b, Panel) and b.wide)]
    below = [b for b in one.blocks if isinstance(b, Panel) and b.wide]
    for line, widths in _lines(one, beside, room.width):
        cells = [
            blocks([b], replace(inner, width=width, table=min(inner.table, TABLE - 1)), metrics)
            for b, width in zip(line, widths, strict=True)
        ]
        firm = one.style in _LIGHT and all(_lines_of(b, width) < _HALF for b, width in zip(line, widths, strict=True))
        yield {"k": "row", "firm": firm, "gutter": GUTTER, "widths": list(widths), "cells": cells}
    for wide in below:
        yield from block(wide, inner, metrics)


def _lines(one: Row, beside: Sequence[Block], width: float) -> Iterator[tuple[Sequence[Block], tuple[float, ...]]]:
    """The blocks that stand beside each other, line by line, with their widths."""
    number = len(beside)
    if one.style == "small" and number == 3:
        unit = (width - 2 * GUTTER) / 4
        yield beside, (2 * unit, unit, unit)
        return
    most = {"hero": 2, "even": 2, "charts": 3, "small": 4, "notes": 4, "beside": 4}[one.style]
    across = min(most, number) or 1
    if one.style == "notes" and number < 3:
        across = 3  # no wider than beside others
    for begin in range(0, number, across):
        line = beside[begin : begin + across]
        yield line, ((width - (across - 1) * GUTTER) / across,) * len(line)


def _panel(one: Panel, room: Room, metrics: Metrics) -> Node:
    inner = (
        replace(room, top=False) if room.notes else replace(room, top=False, width=room.width - 2 * _INSET, size=TABLE)
    )
    node: Node = {"k": "panel", "tone": one.tone, "framed": not room.notes, "size": inner.size}
    if room.notes and one.wide:
        thirds = replace(inner, width=(room.width - 2 * GUTTER) / 3)
        node.update(thirds=True, gutter=GUTTER)
        inner = thirds
    title = set_in(one.title, inner.width, inner.size, metrics, "bold")
    return {**node, "title": title, "blocks": blocks(one.blocks, inner, metrics)}


# ---- what stands alone -----------------------------------------------------------------------------------------------


def _facts(one: Facts, room: Room, metrics: Metrics) -> Node:
    size = min(room.size, TABLE)
    gap = 8.0
    wide = max((metrics.width(name, size) for name, _ in one.rows), default=0.0)
    most = room.width * (0.55 if room.notes else 0.4)
    names = min(wide + gap, most)
    if room.notes:  # name and value share a line: the values are short
        values = max((metrics.width(cell.text, size) for _, cell in one.rows), default=0.0)
        names = min(wide + gap, max(room.width * 0.4, room.width - values))
    rows = [
        [set_in(name, names - gap, size, metrics), tables.value(cell, room.width - names, size, metrics)]
        for name, cell in one.rows
    ]
    title = set_in(one.title, room.width, size, metrics, "bold")
    widths = [names, room.width - names]
    return {"k": "facts", "title": title, "size": size, "widths": widths, "rows": rows, "notes": room.notes}


def _bullets(one: Bullets, room: Room, metrics: Metrics) -> Node:
    size = min(room.size, BODY - 0.5)
    width = room.width - 12
    items = [
        {
            "t": set_in(item.text, width, size, metrics),
            "tone": item.tone,
            "links": [{"t": set_in(link.text, width, size, metrics), "to": link.href} for link in item.links],
        }
        for item in one.items
    ]
    empty = set_in(one.empty, room.width, size, metrics) if not items else ""
    title = set_in(one.title, room.width, size, metrics, "bold")
    return {"k": "bullets", "title": title, "size": size, "items": items, "empty": empty}


def _notice(one: Notice, room: Room, metrics: Metrics) -> Node:
    width, size = room.width - 2 * _INSET - 3, room.size
    return {
        "k": "notice",
        "tone": one.tone,
        "size": size,
        "title": set_in(one.title, width, size, metrics, "bold"),
        "t": set_in(one.text, width, size, metrics),
        "todo": set_in(one.todo, width, size, metrics, "bold"),
        "firm": len(one.text) + len(one.todo) <= _TOGETHER,
    }


def _headline(one: Headline, room: Room, metrics: Metrics) -> Node:
    size = room.size * 2.1
    text = set_in(one.text, room.width, size, metrics, "bold")
    return {
        "k": "headline",
        "size": size,
        "tone": one.tone,
        "t": text,
        "unit": set_in(one.unit, room.width, size / 2, metrics),
    }


def _code(one: Code, room: Room, metrics: Metrics) -> Node:
    size = min(room.size, TABLE) * 0.92
    lines = [set_in(line, room.width - 2 * _INSET, size, metrics, "mono") for line in one.lines]
    title = set_in(one.title, room.width, size, metrics, "bold")
    return {"k": "code", "title": title, "size": size, "lines": lines}
