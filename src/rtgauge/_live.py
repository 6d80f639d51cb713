"""The figures of a test under way as lines of text: one line for each thread or series, and what was seen how often.

Pure: what is drawn depends on the figures and on the size of the terminal only. Figures are raw, the overhead of a
stamp is not subtracted from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rtgauge.report.display import plain
from rtgauge.units import format_value

if TYPE_CHECKING:
    from rtgauge.model import Descriptor
    from rtgauge.trace.events import LiveLine, LiveRead

HEAD = ("", "samples", "min", "last", "avg", "max")
SMALL = 8  # rows of a terminal below which nothing is drawn
_BAR_ROWS = 2  # below the figures: the bar of the run, and a line to spare
_LEVELS = "▁▂▃▄▅▆▇█"
_PLAIN_LEVELS = ".:-=+*#@"
_NAME_MOST = 16


def figures(
    reads: Mapping[int, LiveRead], test: Descriptor | None, width: int, height: int, unicode: bool = True
) -> list[str]:
    """At most `height` less what the bar needs lines, none wider than `width`; none on a very small terminal."""
    room = height - _BAR_ROWS
    if height < SMALL or not any(read.lines for read in reads.values()):
        return []
    table = _table([row for series, read in sorted(reads.items()) for row in _rows(series, read, test)])
    below = [line for _, read in sorted(reads.items()) for line in _distribution(read, width, unicode)]
    left_out = len(table) - max(2, room - len(below) - 1)
    if left_out > 0:
        table = [*table[: len(table) - left_out], f"  and {left_out} more"]
    return [line[:width] for line in (*table, *below)][:room]


def _rows(series: int, read: LiveRead, test: Descriptor | None) -> Iterator[tuple[str, ...]]:
    for place, line in enumerate(read.lines):
        shown = [format_value(value, read.unit) for value in (line.min, line.last, line.avg, line.max)]
        yield (_name(series, place, line, read, test), str(line.n), *shown)


def _name(series: int, place: int, line: LiveLine, read: LiveRead, test: Descriptor | None) -> str:
    """Which thread, where there are several; on which CPU, where that is what the small number means."""
    info = test.series[series] if test is not None and series < len(test.series) else None
    words = [plain(info.name)[:_NAME_MOST]] if info is not None and info.name else []
    if len(read.lines) > 1:
        words.append(f"T{place}")
    if info is not None and info.aux == "cpu":
        words.append(f"CPU {line.aux}")
    return " ".join(words) or "all"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    every = [HEAD, *rows]
    widths = [max(len(row[column]) for row in every) for column in range(len(HEAD))]
    return [
        "  ".join(
            text.ljust(size) if not column else text.rjust(size)
            for column, (text, size) in enumerate(zip(row, widths, strict=True))
        )
        for row in every
    ]


def _distribution(read: LiveRead, width: int, unicode: bool) -> Iterator[str]:
    """One line: from the smallest to the largest value, each sign a range that grows with the value; how high it is
    grows with the logarithm of the count, so that one sample is seen beside a million."""
    bins = [one for one in read.bins if one[2]]
    if not bins:
        return
    low, high = (format_value(edge, read.unit) for edge in (bins[0][0], bins[-1][1]))
    room = width - len(low) - len(high) - 4
    if room < SMALL:
        return
    counts = _columns(read, min(room, 64))
    most, levels = max(counts), _LEVELS if unicode else _PLAIN_LEVELS
    full = math.log10(most) + 1
    signs = [levels[math.ceil((math.log10(one) + 1) / full * len(levels)) - 1] if one else " " for one in counts]
    yield f"{low} |{''.join(signs)}| {high}"


def _columns(read: LiveRead, most: int) -> list[int]:
    """The counts of all bins from the first to the last that holds any, neighbours put together to at most `most`."""
    bins = [one for one in read.bins if one[2]]
    places = [_place(one[0], bins[0][0], bins[0][1]) for one in bins]
    span = places[-1] + 1
    columns = [0] * min(span, most)
    for place, (_, _, count) in zip(places, bins, strict=True):
        columns[place * len(columns) // span] += count
    return columns


def _place(edge: float, low: float, high: float) -> int:
    """How many quarters of a doubling lie between a bin and the first."""
    start = low if low > 0 else high
    return max(0, round(4 * math.log2(edge / start))) + (1 if low <= 0 < edge else 0) if edge > 0 else 0
