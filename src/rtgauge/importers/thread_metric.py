"""What the Thread-Metric suite prints: for each period of a test, how often its operation was done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rtgauge.importers._foreign import BINS_MOST, DamagedError, Foreign, Reader, Series, limited, parsed
from rtgauge.model import Param
from rtgauge.trace.fields import clean
from rtgauge.units import canonical_duration

_HEAD = re.compile(r"\*\*\*\* Thread-Metric (.{1,80}?) Test \*\*\*\* Relative Time: *([0-9]{1,12})\s*$")
_TOTAL = re.compile(r"Time Period Total: *(\S{1,40})\s*$")
_IDS = {
    "Basic Single Thread Processing": "THM-P-BAS",
    "Cooperative Scheduling": "THM-P-COP",
    "Preemptive Scheduling": "THM-P-PRE",
    "Interrupt Processing": "THM-P-INT",
    "Interrupt Preemption Processing": "THM-P-IPR",
    "Message Processing": "THM-P-MSG",
    "Synchronization Processing": "THM-P-SYN",
    "Memory Allocation": "THM-P-MEM",
}


@dataclass
class _Test:
    name: str
    ends: list[int] = field(default_factory=list)  # of its periods, s since it began
    totals: list[int] = field(default_factory=list)
    error: str | None = None


def recognise(text: str) -> bool:
    return "Thread-Metric" in text and "Time Period Total:" in text


def read(text: str, unit: str | None) -> Foreign:
    if unit is not None:
        raise DamagedError("it holds no times")
    tests = list(_tests(text))
    seen: dict[str, int] = {}
    series = []
    for test in tests:
        seen[test.name] = seen.get(test.name, 0) + 1
        series.append(_series(test, seen[test.name]))
    return Foreign(program="Thread-Metric", series=limited(series))


def _tests(text: str) -> Iterator[_Test]:
    """The tests in their order; one that begins again is another."""
    test: _Test | None = None
    periods = 0
    for line in text.splitlines():
        if head := _HEAD.search(line):
            end = parsed(head[2], "a relative time")
            if test is not None and len(test.totals) < len(test.ends):
                raise DamagedError(f"a period of {test.name} has no total")
            if test is None or test.name != head[1] or end <= test.ends[-1]:
                if test is not None:
                    yield test
                if head[1] not in _IDS:
                    raise DamagedError(f"it has a test {head[1]!a}: legal are {', '.join(_IDS)}")
                test = _Test(head[1])
            test.ends.append(end)
        elif total := _TOTAL.search(line):
            if test is None or len(test.totals) == len(test.ends):
                raise DamagedError("it has a total without a head")
            test.totals.append(parsed(total[1], f"a total of {test.name}"))
            periods += 1
            if periods > BINS_MOST:
                raise DamagedError("it holds more periods than any run has")
        elif line.lstrip().startswith("ERROR:") and test is not None:
            test.error = test.error or clean(line.strip(), most=200)
    if test is not None:
        if len(test.totals) < len(test.ends):  # cut within its last period
            del test.ends[-1]
        yield test


def _series(test: _Test, number: int) -> Series:
    lengths = [one - before for before, one in zip([0, *test.ends], test.ends, strict=False)]
    unequal = len(set(lengths)) > 1
    params: dict[str, Param] = {"tool": "thread-metric"}
    if lengths and not unequal:
        params["period"] = canonical_duration(lengths[0] * 1_000_000_000)
    if number > 1:
        params["time"] = number
    return Series(
        id=_IDS[test.name],
        title=f"{test.name}, by Thread-Metric",
        question="How often is the operation of the test done in a period?",
        params=params,
        n=len(test.totals),
        least=min(test.totals, default=0),
        most=max(test.totals, default=0),
        mean=_mean(test.totals),
        step=1,
        values=tuple(test.totals),
        unit="operations",
        exposure_s=float(sum(lengths)) if lengths else None,
        broken=test.error or ("its periods are not of equal length" if unequal else None),
    )


def _mean(totals: Sequence[int]) -> float | None:
    return sum(totals) / len(totals) if totals else None


READER = Reader("output of the Thread-Metric suite", recognise, read)
