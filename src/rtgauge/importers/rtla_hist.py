"""What `rtla timerlat hist` and `rtla osnoise hist` print: a row for each bucket with a column for each series.

Rows of zeros are left out, and the size of a bucket is not told: the largest one that fits all rows is taken, so that
no figure is too small.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rtgauge.importers._foreign import BINS_MOST, VALUE_MOST, DamagedError, Foreign, Reader, Series, limited, parsed
from rtgauge.model import Param

_HEAD = re.compile(r"# RTLA (timerlat|osnoise) histogram")
_UNIT = re.compile(r"# Time unit is \w+ \((us|ns)\)")
_DURATION = re.compile(r"# Duration: +([0-9]{1,6}) ([0-9]{2}):([0-9]{2}):([0-9]{2})")
_COLUMN = re.compile(r"(IRQ|Thr|Usr|CPU)-([0-9]{1,6})")
_SUMMARY = ("over", "count", "min", "avg", "max")
_BUCKET = "the file does not say its bucket size: the largest that fits its rows is taken, {} {}"
_ROUNDED = "values are whole {}, rounded down by the program"


class _Kind(NamedTuple):
    id: str
    title: str
    question: str
    params: dict[str, Param]


_KINDS = {
    "IRQ": _Kind(
        "IRQ-P-LAT",
        "timer interrupt, by rtla timerlat",
        "How late does the handler of a timer's interrupt run after the timer was due?",
        {"from": "due", "source": "timer"},
    ),
    "Thr": _Kind(
        "TMR-P-CYC", "periodic wake-up, by rtla timerlat", "How late does a periodic thread run after its due time?", {}
    ),
    "Usr": _Kind(
        "TMR-P-CYC",
        "periodic wake-up and return to user space, by rtla timerlat",
        "How late is a periodic thread back in user space after its due time?",
        {"part": "user"},
    ),
    "CPU": _Kind(
        "NSE-P-OSN",
        "noise of the system, by rtla osnoise",
        "How long is each gap that something else makes in the work of a thread?",
        {},
    ),
}


class _Table(NamedTuple):
    tool: str
    unit: str
    duration_s: int | None
    columns: tuple[tuple[str, int], ...]
    rows: tuple[tuple[int, tuple[int, ...]], ...]  # index, counts
    summary: dict[str, list[str]]


def recognise(text: str) -> bool:
    return _HEAD.search(text[:100_000]) is not None


def read(text: str, unit: str | None) -> Foreign:
    table = _table(text)
    if unit is not None and unit != table.unit:
        raise DamagedError(f"it says that its times are in {table.unit}")
    if not table.columns:
        raise DamagedError("it holds no samples")
    width = _width(table)
    series = [_series(i, table, width) for i in range(len(table.columns))]
    notes = (_BUCKET.format(width, table.unit), _ROUNDED.format(table.unit))
    facts: dict[str, str | int] = {} if table.duration_s is None else {"duration_s": table.duration_s}
    return Foreign(program=f"rtla {table.tool} hist", facts=facts, series=limited(series), notes=notes)


def _table(text: str) -> _Table:
    head = _HEAD.search(text)
    if head is None:
        raise DamagedError("it has no head '# RTLA timerlat histogram' or '# RTLA osnoise histogram'")
    if _HEAD.search(text, head.end()):
        raise DamagedError("it holds several histograms")
    unit, duration = _UNIT.search(text, head.end()), _DURATION.search(text, head.end())
    if unit is None:
        raise DamagedError("it does not say its unit of time")
    columns: tuple[tuple[str, int], ...] | None = None
    rows: list[tuple[int, tuple[int, ...]]] = []
    summary: dict[str, list[str]] = {}
    for line in text[head.end() :].splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "ALL:":  # all columns once more, together
            break
        if words[0] == "Index":
            columns = tuple(_column(word) for word in words[1:])
        elif columns is not None and words[0].removesuffix(":") in _SUMMARY and words[0].endswith(":"):
            summary.setdefault(words[0].removesuffix(":"), words[1:])
        elif columns is not None and words[0].isdigit():
            if summary or len(words) != len(columns) + 1 or len(rows) * len(words) > BINS_MOST:
                raise DamagedError(f"row {words[0][:20]} of its histogram is not like the others")
            at = parsed(words[0], "an index", VALUE_MOST // 1000)
            rows.append((at, tuple(parsed(word, "a count") for word in words[1:])))
    if columns is None:
        raise DamagedError("it has no line 'Index': rtla was told to leave it out")
    return _Table(head[1], unit[1], _seconds(duration), columns, tuple(rows), summary)


def _column(word: str) -> tuple[str, int]:
    match = _COLUMN.fullmatch(word)
    if match is None:
        raise DamagedError(f"it has a column {word[:20]!a}")
    return match[1], int(match[2])


def _seconds(match: re.Match[str] | None) -> int | None:
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def _width(table: _Table) -> int:
    """The largest size of a bucket that fits all rows; with one row, up to the largest sample."""
    indices = [index for index, _ in table.rows]
    if any(one >= other for one, other in pairwise(indices)):
        raise DamagedError("the rows of its histogram do not rise")
    width = math.gcd(*indices)
    if width:
        return width
    return max([1, *(int(word) + 1 for word in table.summary.get("max", ()) if word.isdigit() and len(word) < 15)])


def _series(i: int, table: _Table, width: int) -> Series:
    kind, cpu = _KINDS[table.columns[i][0]], table.columns[i][1]
    scale = {"us": 1000, "ns": 1}[table.unit]
    n = _of(table, "count", i, 0)
    return Series(
        id=kind.id,
        title=kind.title,
        question=kind.question,
        params={"tool": "rtla", **kind.params, "cpu": cpu},
        n=n,
        least=_of(table, "min", i, n) * scale,
        most=_of(table, "max", i, n) * scale,
        mean=float(_of(table, "avg", i, n) * scale),
        step=scale,
        width=width * scale,
        bins=_bins(i, table.rows, scale),
        outside=_of(table, "over", i, 0) if "over" in table.summary else None,
        exposure_s=None if table.duration_s is None else float(table.duration_s),
    )


def _of(table: _Table, name: str, i: int, n: int) -> int:
    """A value of the summary; "-" stands there where there is no sample."""
    words: Sequence[str] = table.summary.get(name, ())
    if len(words) != len(table.columns):
        raise DamagedError(f"its summary has no whole line {name!r}: it may be cut")
    if words[i] == "-" and not n:
        return 0
    return parsed(words[i], f"{name} of column {i + 1}", VALUE_MOST // 1000)


def _bins(i: int, rows: Sequence[tuple[int, tuple[int, ...]]], scale: int) -> tuple[tuple[int, int], ...]:
    return tuple((index * scale, counts[i]) for index, counts in rows if counts[i])


READER = Reader("text of rtla timerlat hist and rtla osnoise hist", recognise, read)
