"""What the file of another program says, in ns and counts, before any figure is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rtgauge.model import Evidence, Param

COUNT_MOST = 1 << 53  # of samples: more cannot be, and would not be exact everywhere
VALUE_MOST = 1 << 60  # ns
SERIES_MOST = 8192
BINS_MOST = 8 << 20  # of all series together


class DamagedError(ValueError):
    """The file is not what its format says; one phrase."""


@dataclass(frozen=True)
class Series:
    """One distribution. Values are in `unit`; whole numbers where the program counts in steps of `step`."""

    id: str
    title: str
    question: str
    params: Mapping[str, Param]
    n: int
    least: int
    most: int
    mean: float | None
    step: int  # smallest difference that the program writes
    width: int = 0  # of a bin; 0 without bins
    bins: tuple[tuple[int, int], ...] = ()  # (lower edge, samples), rising, none empty
    outside: int | None = None  # samples beyond the bins, as the file tells; None: it does not tell
    limit: int | None = None  # where the bins end, if the file tells
    values: tuple[int, ...] = ()  # every value in order, where the file has them
    unit: str = "ns"
    exposure_s: float | None = None
    evidence: tuple[Evidence, ...] = ()
    broken: str | None = None  # why the figures cannot be relied on


@dataclass(frozen=True)
class Foreign:
    program: str
    series: tuple[Series, ...]
    version: str = ""
    facts: Mapping[str, str | int] = field(default_factory=dict)  # of the system, as the file tells
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reader:
    summary: str
    recognise: Callable[[str], bool]
    read: Callable[[str, str | None], Foreign]  # text and unit of its times; DamagedError


def whole(value: object, what: str, most: int = COUNT_MOST) -> int:
    """A count. DamagedError where it is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise DamagedError(f"{what} is {shown(value)}, not a whole number from 0 to {most}")
    return value


def parsed(text: str, what: str, most: int = COUNT_MOST) -> int:
    """A count written in decimal. DamagedError where it is none."""
    if not text.isascii() or not text.isdigit() or len(text) > 20:
        raise DamagedError(f"{what} is {shown(text)}, not a whole number from 0 to {most}")
    return whole(int(text), what, most)


def shown(value: object) -> str:
    """A value in a message: short, and without what could move a cursor."""
    text = ascii(value) if isinstance(value, (str, int, float, bool)) or value is None else type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."


def checked(series: Series) -> Series:
    """The series, marked broken where the file contradicts itself; a mean that cannot be is left out."""
    complaint = _contradiction(series)
    mean = series.mean
    if mean is not None and not series.least - series.step < mean < series.most + series.step:
        mean = None
    return Series(**{**series.__dict__, "broken": series.broken or complaint, "mean": mean})


def _contradiction(series: Series) -> str | None:
    if not series.n:
        return None
    if series.least > series.most:
        return f"the file gives a minimum of {series.least} and a maximum of {series.most} {series.unit}"
    if not series.bins:
        return None
    held = sum(count for _, count in series.bins)
    out = series.n - held
    if out < 0 or (series.outside is not None and out != series.outside):
        more = "" if series.outside is None else f" and {series.outside} beyond it"
        return f"the file counts {series.n} samples, but {held} in its histogram{more}"
    low, high = series.bins[0][0], series.bins[-1][0]
    if not low <= series.least < low + series.width:
        return f"the smallest sample, {series.least} {series.unit}, is not in the first bin that holds any"
    if series.most < (high if not out or series.limit is None else series.limit) or (
        not out and series.most >= high + series.width
    ):
        return f"the largest sample, {series.most} {series.unit}, is not where the histogram has it"
    return None


def limited(series: Sequence[Series]) -> tuple[Series, ...]:
    """All series, checked. DamagedError where there are none, or too many."""
    if not series:
        raise DamagedError("it holds no result")
    if len(series) > SERIES_MOST or sum(len(one.bins) for one in series) > BINS_MOST:
        raise DamagedError("it holds more results than any machine has")
    names = [(one.id, tuple(sorted((k, str(v)) for k, v in one.params.items()))) for one in series]
    if len(set(names)) < len(names):
        raise DamagedError("it holds a result twice")
    return tuple(checked(one) for one in series)
