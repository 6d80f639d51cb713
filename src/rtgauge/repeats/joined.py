"""Runs side by side: what moves from run to run, and what they do not agree on.

Results are the same where test, parameters (and so the part) and environment are. Only figures of results that are `ok`
count: a broken premise makes no number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rtgauge.model import Between
from rtgauge.repeats.one import FIGURES
from rtgauge.repeats.values import OneResult, OneRun, Repeated, Repeats, gravity, judging, total
from rtgauge.stats.between import FEWEST, between


def join(runs: Iterable[OneRun], notes: Iterable[str] = ()) -> Repeats | None:
    """The runs side by side; None for fewer than two, which have no spread between them. `notes`: what else there is
    to say about them, e.g. of runs that are not here."""
    ordered = tuple(sorted(runs, key=lambda run: (run.created, run.number)))
    if len(ordered) < FEWEST:
        return None
    keys = dict.fromkeys(key for run in ordered for key in run.results)
    judged = judging(ordered)
    ruling = min((ordered[i].ruling for i in judged), key=gravity)
    series = {run.series for run in ordered}
    one_series = len(series) == 1 and None not in series
    return Repeats(
        series=ordered[0].series if one_series else None,
        target=", ".join(dict.fromkeys(run.target for run in ordered)),
        of=max(len(ordered), ordered[0].of) if one_series else len(ordered),
        runs=ordered,
        results=tuple(_repeated([run.results.get(key) for run in ordered]) for key in keys),
        ruling=ruling,
        reason=_reason(ordered, judged, ruling),
        unequal=tuple(_unequal(ordered)),
        notes=(*_notes(ordered), *notes),
    )


def _repeated(found: Sequence[OneResult | None]) -> Repeated:
    there = [one for one in found if one is not None]
    first = there[0]
    spreads = [one.within for one in there if one.within is not None]
    small = any(one.unmeasurable for one in there)
    return Repeated(
        id=first.id,
        params=first.params,
        environment=first.environment,
        unit=next((one.unit for one in there if one.unit), None),
        statuses=tuple(one.status if one else None for one in found),
        reasons=tuple(one.reason if one else None for one in found),
        apart=tuple(_apart(found)),
        maxima=tuple(one.figures.get("max") if one else None for one in found),
        medians=tuple(one.figures.get("median") if one else None for one in found),
        n=sum(one.n for one in there),
        lost=total([one.lost for one in there]),
        exposure_s=total([one.exposure_s for one in there]),
        p25=_middle([one.p25 for one in spreads]),
        p75=_middle([one.p75 for one in spreads]),
        unmeasurable=small,
        figures={name: made for name in FIGURES if (made := _between(there, name, small)) is not None},
    )


def _between(results: Sequence[OneResult], name: str, small: bool) -> Between | None:
    """A figure of samples that the clock cannot measure says nothing, but for the largest."""
    having = [one for one in results if name in one.figures]
    if len(having) < FEWEST or (small and name != "max"):
        return None
    spreads = [one.within for one in having]
    errors = [one.errors[name] for one in spreads if one is not None and name in one.errors]
    return between([one.figures[name] for one in having], errors if len(errors) == len(having) else ())


def _apart(found: Sequence[OneResult | None]) -> Iterable[tuple[str, tuple[bool | None, ...]]]:
    names = dict.fromkeys(name for one in found if one is not None for name in one.checks)
    for name in names:
        here = [one.checks.get(name) if one is not None else None for one in found]
        held = tuple(None if one is None else one[1] for one in here)
        if {True, False} <= set(held):
            yield next(one[0] for one in here if one is not None), held


def _middle(values: Sequence[float]) -> float | None:
    ordered = sorted(values)
    half = len(ordered) // 2
    return None if not ordered else ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _reason(runs: Sequence[OneRun], judged: Sequence[int], ruling: str | None) -> str:
    """How many runs share the gravest ruling, and why; where their reasons differ, that of the last."""
    same = [index + 1 for index in judged if runs[index].ruling == ruling]
    reasons = {runs[number - 1].reason for number in same}
    which = f"in all {len(judged)} runs" if len(same) == len(judged) else f"in {len(same)} of {len(judged)} runs"
    if len(same) < len(judged):
        which += f" ({_numbers(same)})"
    why = runs[same[-1] - 1].reason
    return f"{which}: {why}" if len(reasons) == 1 else f"{which}; run {same[-1]}: {why}"


def _numbers(numbers: Sequence[int]) -> str:
    return f"{'run' if len(numbers) == 1 else 'runs'} {', '.join(map(str, numbers))}"


def _notes(runs: Sequence[OneRun]) -> Iterable[str]:
    if len({run.series for run in runs}) == 1 and runs[0].series is not None and len(runs) < runs[0].of:
        yield f"{len(runs)} of {runs[0].of} runs are there; what is there counts"
    for index, run in enumerate(runs, start=1):
        if run.state != "complete":
            yield f"run {index} is {run.state}: results that it has count"


def _unequal(runs: Sequence[OneRun]) -> Iterable[str]:
    for name, value in runs[0].same.items():
        other = [index for index, run in enumerate(runs, start=1) if run.same[name] != value]
        if other:
            yield f"the runs are not repeats of the same: {name} of {_numbers(other)} is not that of run 1"
