"""What `cyclictest -h N` and `-H N` print: a row for each value with a column for each thread, then the summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rtgauge.importers._cyclictest import ID, NO_UNIT, QUESTION, ROUNDED, SCALES, TITLE
from rtgauge.importers._foreign import BINS_MOST, VALUE_MOST, DamagedError, Foreign, Reader, Series, limited, parsed
from rtgauge.model import Evidence

_ROW = re.compile(r"[0-9]+[ \t]+[0-9]+(?:[ \t]+[0-9]+)*[ \t]*")
_LINE = re.compile(r"# (Total|Min Latencies|Avg Latencies|Max Latencies|Histogram Overflows):((?:[ \t]+[0-9]+)+)[ \t]*")
_THREAD = re.compile(r"T: *([0-9]+) .*?I:([0-9]+) ")


def recognise(text: str) -> bool:
    return "# Histogram\n" in text.replace("\r\n", "\n") and "# Min Latencies:" in text


def read(text: str, unit: str | None) -> Foreign:
    rows, told, intervals = _lines(text)
    missing = [name for name in ("Total", "Min Latencies", "Avg Latencies", "Max Latencies") if name not in told]
    if missing:
        raise DamagedError(f"it has no line {missing[0]!r}: it may be cut")
    threads = len(told["Min Latencies"])  # -H adds a column for all, which has no minimum
    scale = SCALES[unit or "us"]
    series = [_series(i, rows, told, scale, intervals.get(i)) for i in range(threads)]
    notes = (*((NO_UNIT,) if unit is None else ()), *((ROUNDED,) if scale > 1 else ()))
    return Foreign(program="cyclictest", series=limited(series), notes=notes)


def _lines(text: str) -> tuple[list[list[str]], dict[str, list[str]], dict[int, str]]:
    """The rows of the histogram, the lines of the summary, and the interval of each thread where it is told."""
    rows: list[list[str]] = []
    told: dict[str, list[str]] = {}
    intervals: dict[int, str] = {}
    cells = 0
    inside = False
    for line in text.splitlines():
        inside = inside or line.strip() == "# Histogram"
        if inside and _ROW.fullmatch(line):
            rows.append(line.split())
            cells += len(rows[-1])
            if cells > BINS_MOST or len(rows[-1]) != len(rows[0]):
                raise DamagedError(f"row {len(rows)} of its histogram is not like the others")
        elif match := _LINE.fullmatch(line):
            if match[1] in told:
                raise DamagedError(f"it has the line {match[1]!r} twice")
            told[match[1]] = match[2].split()
        elif match := _THREAD.search(line[:200]):
            intervals[parsed(match[1][:20], "a thread")] = match[2][:20]
    if not rows:
        raise DamagedError("its histogram has no row")
    return rows, told, intervals


def _series(
    i: int, rows: Sequence[Sequence[str]], told: dict[str, list[str]], scale: int, interval: str | None
) -> Series:
    if any(len(row) <= i + 1 for row in rows[:1]):
        raise DamagedError("its summary is of more threads than its histogram")
    most = VALUE_MOST // scale
    edges = [parsed(row[0], "a value of its histogram", most) for row in rows]
    if edges != list(range(edges[0], edges[0] + len(edges))):
        raise DamagedError("the values of its histogram are not one after the other")
    counts = [parsed(row[i + 1], f"a count of thread {i}") for row in rows]

    def of(name: str) -> int | None:
        return parsed(told[name][i], f"{name} of thread {i}", most) if i < len(told.get(name, ())) else None

    held, overflows = sum(counts), of("Histogram Overflows")
    least, mean, largest = (_there(of(f"{name} Latencies"), name, i) for name in ("Min", "Avg", "Max"))
    made: dict[str, Any] = {} if interval is None else {"evidence": (Evidence("interval", int(interval), "us"),)}
    total = of("Total")
    return Series(
        id=ID,
        title=TITLE,
        question=QUESTION,
        params={"tool": "cyclictest", "thread": i},
        n=held + (overflows or 0),
        least=least * scale,
        most=largest * scale,
        mean=float(mean * scale),
        step=scale,
        width=scale,
        bins=tuple((edge * scale, count) for edge, count in zip(edges, counts, strict=True) if count),
        outside=overflows,
        limit=(edges[-1] + 1) * scale,
        broken=None if total == held else f"the file counts {total} samples in its histogram, which holds {held}",
        **made,
    )


def _there(value: int | None, name: str, thread: int) -> int:
    if value is None:
        raise DamagedError(f"it has no {name} of thread {thread}")
    return value


READER = Reader("text of cyclictest -h or -H", recognise, read)
