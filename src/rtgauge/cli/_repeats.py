"""What several runs of the same say together, in the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rtgauge.repeats import Repeated, Repeats

COLUMNS = ("test", "runs", "median by run", "between", "within", "ratio", "max by run", "largest")
LEGEND = (
    "between: standard deviation of the runs' medians; within: from the first to the third quartile of a run's samples",
    "ratio: between, over the standard error of a median that the samples of one run let expect",
    "!: fewer than 1 in 100 sets of equal runs reach that ratio: one run does not tell the figure",
)
_ALIKE = 1e-6  # of a figure: closer ones differ by the calibration of the clock's rate
_BY_RUN = 5  # more runs than this are told by their extremes
_STEPS = (("s", 1e9), ("ms", 1e6), ("us", 1e3))


def show_repeats(repeats: Repeats, chosen: Sequence[Repeated] | None = None) -> None:
    """The runs side by side; `chosen`: these of their results."""
    from rtgauge.cli._output import line, table

    results = repeats.results if chosen is None else chosen
    of = f"{len(repeats.runs)} runs" + (f" of {repeats.series}" if repeats.series else "")
    line(f"run to run: {of}, {_seconds(repeats.exposure_s)} under observation in all")
    for note in (*repeats.unequal, *repeats.notes):
        line(f"note: {note}")
    line(f"verdict: {repeats.ruling or 'none'} {repeats.reason}")
    for one in results:
        for text in disagreement(one):
            line(text)
    rows = [_row(one) for one in results if one.runs]
    if rows:
        line()
        table(COLUMNS, rows, right=(1, 3, 4, 5, 7))
        for text in LEGEND[: None if any(one.moves for one in results) else -1]:
            line(text)
    for text in conclusion(results):
        line(text)


def _seconds(exposure: float | None) -> str:
    from rtgauge.units import format_seconds

    return "a time that is not known" if exposure is None else format_seconds(exposure)


def conclusion(results: Sequence[Repeated]) -> Iterator[str]:
    """What the user should take along, in one line each."""
    having = [one for one in results if "median" in one.figures and one.figures["median"].ratio is not None]
    moving = sum(one.moves for one in having)
    if having:
        yield f"{moving} of {len(having)} medians differ from run to run by more than the samples within a run explain"
    judged = [one for one in results if one.statuses.count(None) < len(one.statuses) - 1]
    apart = sum(not one.agree for one in judged)
    if judged:
        yield (
            f"{apart} of {len(judged)} results are not the same in all runs"
            if apart
            else (f"the status of each of {len(judged)} results is the same in all runs")
        )


def disagreement(one: Repeated) -> Iterator[str]:
    """`SEM-B-LCK: pass in 2 of 3 runs; fail in run 2: does not hold: ...`, and the checks that held in some only."""
    if one.agree:
        return
    runs: dict[str, list[int]] = {}
    for number, status in enumerate(one.statuses, start=1):
        if status is not None:
            runs.setdefault(status, []).append(number)
    if len(runs) > 1:
        told = []
        for status, numbers in sorted(runs.items(), key=lambda item: -len(item[1])):
            why = one.reasons[numbers[0] - 1]
            told.append(f"{status} in {_runs(numbers)}" + (f" ({why})" if why else ""))
        yield f"{name_of(one)}: not the same in all runs: {'; '.join(told)}"
    for what, holds in one.apart:
        told = [f"{word} in {_runs([i for i, h in enumerate(holds, 1) if h is value])}" for value, word in _HELD]
        yield f"{name_of(one)}: {what}: {', '.join(told)}"


_HELD = ((True, "holds"), (False, "does not hold"))


def _runs(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:_BY_RUN])) + (f" and {len(numbers) - _BY_RUN} more" * (len(numbers) > _BY_RUN))
    return f"{'run' if len(numbers) == 1 else 'runs'} {shown}"


def details(one: Repeated) -> Iterator[str]:
    """Every figure of one result, with each run's value."""
    yield name_of(one)
    for name, found in one.figures.items():
        low, high = in_one_unit(found.mean_interval, one.unit)
        yield f"  {name} by run: {_joined(found.values, one.unit)}"
        yield (
            f"    mean {figure(found.mean, one.unit)} (95 %: {low} to {high}), between {figure(found.sd, one.unit)}"
            + (f", ratio {found.ratio:.3g}" if found.ratio is not None else "")
        )
    if one.max is not None:
        exposure = f"{one.n} samples in {_seconds(one.exposure_s)}"
        yield f"  largest of all runs: {figure(one.max, one.unit)} of {exposure}" + (
            f", {one.lost} lost" if one.lost else ""
        )


def medians(one: Repeated | None) -> str:
    """The least and the largest median of the runs, for a column."""
    found = None if one is None else one.figures.get("median")
    if one is None or found is None:
        return ""
    low, high = in_one_unit((found.min, found.max), one.unit)
    return low if low == high else f"{low.partition(' ')[0]} .. {high}"


def _row(one: Repeated) -> list[str]:
    median, largest = one.figures.get("median"), one.figures.get("max")
    mark = " !" if one.moves else ""
    return [
        name_of(one),
        str(one.runs),
        _by_run(median.values, one.unit) if median else "< resolution" if one.unmeasurable else "-",
        figure(median.sd, one.unit) if median else "-",
        "-" if one.p25 is None or one.p75 is None or one.unmeasurable else figure(one.p75 - one.p25, one.unit),
        f"{median.ratio:.1f}{mark or '  '}" if median and median.ratio is not None else "-  ",
        _by_run(largest.values, one.unit) if largest else "-",
        figure(one.max, one.unit),
    ]


def _by_run(values: Sequence[float], unit: str | None) -> str:
    if len(values) <= _BY_RUN:
        return _joined(values, unit)
    low, high = in_one_unit((min(values), max(values)), unit)
    return f"{low.partition(' ')[0]} .. {high}"


def _joined(values: Sequence[float], unit: str | None) -> str:
    """In one unit, which stands once: `3.07 3.1 3.41 us`."""
    shown = in_one_unit(values, unit)
    return " ".join([*(one.partition(" ")[0] for one in shown[:-1]), shown[-1]])


def in_one_unit(values: Sequence[float], unit: str | None) -> list[str]:
    """All in the unit of the largest, with as many digits as tell them apart."""
    if unit != "ns":
        return [figure(value, unit) for value in values]
    most = max(abs(value) for value in values)
    name, factor = next(((name, factor) for name, factor in _STEPS if most >= factor), ("ns", 1.0))
    apart = (max(values) - min(values)) / factor if max(values) - min(values) > most * _ALIKE else 0.0
    least = 2 - math.floor(math.log10(most / factor)) if most else 0
    digits = min(least + 1, max(least, 1 - math.floor(math.log10(apart)))) if apart else least
    return [f"{value / factor:.{max(0, digits)}f} {name}" for value in values]


def figure(value: float | None, unit: str | None) -> str:
    from rtgauge.units import format_value

    return "-" if value is None else format_value(value, "" if unit in (None, "1") else str(unit))


def name_of(one: Repeated | Mapping[str, Any]) -> str:
    """A result by its parameters, and of the environment what is not usual."""
    from rtgauge.plan import label

    if isinstance(one, Mapping):
        id_, params, environment = str(one["id"]), one.get("params") or {}, one.get("environment") or {}
    else:
        id_, params, environment = one.id, one.params, one.environment
    usual = {"load": "none", "cache": "hot", "cpus": "one"}
    return label(id_, {**params, **{k: v for k, v in environment.items() if usual.get(k) != v}})
