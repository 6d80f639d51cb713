"""How the samples of the key tests are spread, for all measured systems on the same axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rtgauge.compare.values import Comparison, Histogram, Key
from rtgauge.compare.words import is_key

MOST = 12  # rows that are drawn: those whose worst differ most
FEWEST = 100  # samples of each system; fewer show no distribution
_APART = 2.0  # from the least to the largest sample of all systems; closer ones look alike
_NEARLY_ALL = 0.95  # of the samples in one bin: the diagram is a bar and specks
_LEVELS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Shared:
    """One row of the comparison. All `of` have an axis from `low` to `high`, logarithmic where both are above zero, and
    counts up to `most`."""

    key: Key
    row: int
    low: float
    high: float
    most: int
    of: tuple[tuple[int, Histogram], ...]  # column, its samples

    @property
    def log(self) -> bool:
        return self.low > 0

    @property
    def unit(self) -> str:
        return self.of[0][1].unit


def distributions(made: Comparison) -> tuple[Shared, ...]:
    """Of the key tests that at least two measured systems have, those whose samples are spread; what differs most
    first."""
    return _every(made)[:MOST]


def drawn(made: Comparison) -> tuple[Shared, ...]:
    """Of these the ones that show more than a table: those of which some system's samples do not nearly all have one
    value."""
    return tuple(one for one in _every(made) if not _lone(one))[:MOST]


def undrawn(made: Comparison) -> str:
    """Which key tests with figures of at least two measured systems are not drawn, and why; empty where all are."""
    shown = {one.row for one in drawn(made)}
    few: dict[str, None] = {}
    alike: dict[str, None] = {}
    for place, row in enumerate(made.rows):
        having = [column.histograms[row.key] for column in made.columns if row.key in column.histograms]
        if is_key(row) and len(having) > 1 and place not in shown:
            (few if min(one.n for one in having) < FEWEST else alike)[row.key.id] = None
    told = [f"fewer than {FEWEST} samples: {', '.join(few)}"] if few else []
    told += [f"values that lie close together, or nearly all are one: {', '.join(alike)}"] if alike else []
    return f"Not drawn: {'; '.join(told)}." if told else ""


def _every(made: Comparison) -> tuple[Shared, ...]:
    found = (_shared(made, place) for place, row in enumerate(made.rows) if is_key(row))
    return tuple(sorted((one for one in found if one is not None), key=lambda one: -_contrast(one)))


def _lone(one: Shared) -> bool:
    return all(max(bin[2] for bin in histogram.bins) >= _NEARLY_ALL * histogram.n for _, histogram in one.of)


def _shared(made: Comparison, place: int) -> Shared | None:
    key = made.rows[place].key
    having = [(i, column.histograms[key]) for i, column in enumerate(made.columns) if key in column.histograms]
    units = {one.unit for _, one in having}
    if len(having) < 2 or len(units) > 1 or min(one.n for _, one in having) < FEWEST:
        return None
    bins = [one for _, histogram in having for one in histogram.bins]
    low, high = min(one[0] for one in bins), max(one[1] for one in bins)
    if low > 0 and high / low < _APART:
        return None
    return Shared(key, place, low, high, max(one[2] for one in bins), tuple(having))


def _contrast(one: Shared) -> float:
    """The largest maximum over the smallest."""
    tops = [histogram.top for _, histogram in one.of]
    return max(tops) / min(tops) if min(tops) > 0 else math.inf


def pooled(histograms: Iterable[Histogram]) -> Histogram | None:
    """Of several runs, the samples of all; None where there are none."""
    found = list(histograms)
    counts: dict[tuple[float, float], int] = {}
    for one in found:
        for low, high, count in one.bins:
            counts[low, high] = counts.get((low, high), 0) + count
    if not counts:
        return None
    return Histogram(found[0].unit, tuple((*edges, n) for edges, n in sorted(counts.items())))


def line(one: Shared, histogram: Histogram, width: int) -> str:
    """The samples of one system as a line of text: how high a sign is grows with the logarithm of the count."""
    counts = [0] * width
    for low, high, count in histogram.bins:
        counts[min(width - 1, int(_share(one, math.sqrt(low * high) if one.log else (low + high) / 2) * width))] += (
            count
        )
    full = math.log1p(one.most)
    return "".join(_LEVELS[min(7, int(math.log1p(n) / full * 8))] if n else " " for n in counts)


def _share(one: Shared, value: float) -> float:
    """Where a value lies, from 0 to 1."""
    if one.high == one.low:
        return 0.0
    if one.log:
        return math.log(value / one.low) / math.log(one.high / one.low)
    return (value - one.low) / (one.high - one.low)


def lines(made: Comparison, width: int = 60) -> Iterator[str]:
    """All of them as text."""
    from rtgauge.compare.words import name_of
    from rtgauge.units import format_value

    for one in drawn(made):
        names = [made.columns[place].short for place, _ in one.of]
        yield name_of(one.key)
        left = max(len(name) for name in names)
        for name, (_, histogram) in zip(names, one.of, strict=True):
            yield f"  {name.ljust(left)} |{line(one, histogram, width)}| {histogram.n} samples"
        low, high = (format_value(end, one.unit) for end in (one.low, one.high))
        axis = "logarithmic" if one.log else "linear"
        yield f"  {''.ljust(left)}  {low}{f'{axis} axis'.center(width - len(low) - len(high))}{high}"
    if drawn(made) and (why := undrawn(made)):
        yield why
