"""Markdown: the same sections as text and tables, with a small histogram in place of the diagrams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from rtgauge.report import display
from rtgauge.report.blocks import (
    Badge,
    Block,
    Bullets,
    Cell,
    Code,
    Dots,
    Facts,
    Figure,
    Headline,
    Notice,
    Panel,
    Part,
    Row,
    Section,
    Span,
    Table,
    Text,
    Timeline,
)
from rtgauge.report.sections import sections
from rtgauge.report.view import RunView

_BARS = " ▁▂▃▄▅▆▇█"
_WIDTH = 48  # characters of a histogram
_TICKS = re.compile("`+")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~!])")


def render(run: RunView) -> str:
    """The whole report of a run."""
    return page(sections(run))


def page(built: Iterable[Section]) -> str:
    """These sections. Markup in texts of a trace is escaped: nothing of it becomes a link, an image or HTML."""
    lines = [line for section in built for line in _block(section.part)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Part):
        top = block.level == 1  # its label is about the run, not a name
        words = " ".join(escape(word) for word in ("" if top else block.label, block.title) if word)
        yield from ("", f"{'#' * block.level} {words}{_statuses(block.statuses)}", "")
        yield from (escape(block.label), "") if top and block.label else ()
        yield from _blocks(block.blocks)
    elif isinstance(block, Panel):
        yield from ("", f"**{escape(block.title)}**", "")
        yield from _blocks(block.blocks)
    elif isinstance(block, Row):
        yield from _blocks(block.blocks)
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Facts):
        yield from ("", *([f"{escape(block.title)}:", ""] if block.title else []))
        yield from (f"- {escape(name)}: {_cell(cell)}" for name, cell in block.rows)
        yield ""
    elif isinstance(block, Bullets):
        yield from ("", *([f"{escape(block.title)}:", ""] if block.title else []))
        for item in block.items:
            because = ", ".join(_cell(link) for link in item.links)
            yield f"- {escape(item.text)}" + (f" ({because})" if because else "")
        yield from ([escape(block.empty), ""] if not block.items else [""])
    elif isinstance(block, Notice):
        todo = [f"> {escape(block.todo)}"] if block.todo else []
        yield from ("", f"> **{escape(block.title)}.** {escape(block.text)}", *todo, "")
    elif isinstance(block, Headline):
        yield from ("", f"**{escape(f'{block.text} {block.unit}'.strip())}**", "")
    elif isinstance(block, Text):
        yield from ("", escape(block.text), "")
    elif isinstance(block, Code):
        yield from _code(block)
    elif isinstance(block, Figure) and block.plot == "histogram":
        yield from _histogram(block)


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        yield from _block(block)


def _statuses(statuses: tuple[str, ...]) -> str:
    return f" ({escape(', '.join(statuses))})" if statuses else ""


def _table(table: Table) -> Iterator[str]:
    shown = [i for i in range(len(table.columns)) if not _drawn(table, i)]
    columns = [table.columns[i] for i in shown]
    yield from ("", *([f"{escape(table.title)}:", ""] if table.title else []))
    yield "| " + " | ".join(escape(column.name) for column in columns) + " |"
    yield "|" + "|".join("---:" if column.numeric else "---" for column in columns) + "|"
    for row in table.rows:
        cells = [*row, *(Cell("") for _ in range(len(table.columns) - len(row)))]
        yield "| " + " | ".join(_cell(cells[i]) for i in shown) + " |"
    yield ""


def _drawn(table: Table, column: int) -> bool:
    """Whether a column holds nothing but drawings."""
    cells = [row[column] for row in table.rows if len(row) > column]
    return any(isinstance(cell, Span | Timeline) for cell in cells) and not any(
        isinstance(c, Cell) and c.text for c in cells
    )


def _cell(cell: Cell | Badge | Span | Dots | Timeline) -> str:
    if isinstance(cell, Dots):  # one bar for each run
        return "".join("·" if place is None else _BARS[1 + round(place * 7)] for place in cell.places)
    if isinstance(cell, Badge):
        return escape(cell.status)
    if isinstance(cell, Span | Timeline):
        return ""
    note = f" ({cell.note})" if cell.note else ""
    return escape(f"{cell.text} {cell.unit}".strip() + note)


def _code(code: Code) -> Iterator[str]:
    """In a fence that none of the lines can end. Lines that hold a tag come from a foreign run, and not every viewer
    leaves those alone in a fence: they are told as text."""
    lines = [display.plain(line) for line in code.lines]
    yield from ("", *([f"{escape(code.title)}:", ""] if code.title else []))
    if any("<" in line for line in lines):
        yield from (f"{escape(line)}\n" for line in lines)
        return
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in _TICKS.findall(line)), default=0))
    yield from (fence, *lines, fence, "")


def _histogram(figure: Figure) -> Iterator[str]:
    """Counts on a logarithmic scale, from the smallest value on the left to the largest on the right."""
    if figure.x.size == 0:
        return
    low, high = figure.span or (figure.x[0], figure.z[-1])
    log = figure.log and low > 0
    edges = np.geomspace(low, high, _WIDTH) if log else np.linspace(low, high, _WIDTH)
    counts = np.zeros(_WIDTH)
    np.add.at(counts, np.clip(np.searchsorted(edges, figure.x, side="right") - 1, 0, _WIDTH - 1), figure.y)
    height = np.log1p(counts) / max(np.log1p(counts).max(), np.log1p(figure.most or 0), 1.0)
    bars = "".join(_BARS[0 if n == 0 else max(1, round(h * 8))] for h, n in zip(height, counts, strict=True))
    axis = ", logarithmic axis" if log else ""
    yield from ("", f"Frequency (count on a logarithmic scale{axis}), {escape(figure.x_label)}:", "")
    yield from ("```", f"{display.quantity(low, '')} |{bars}| {display.quantity(high, '')}", "```", "")


def escape(text: str) -> str:
    """`text` as it is, whatever it holds: no markup, one line."""
    escaped = _SPECIAL.sub(r"\\\1", display.plain(text))
    return escaped.replace("\\<", "&lt;").replace("\\>", "&gt;")
