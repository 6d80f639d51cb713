"""One result, held against one requirement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rtgauge.requirements import figures, rate_rule
from rtgauge.requirements.figures import name_of, periodic, samples_of, shown
from rtgauge.requirements.match import unit_fits
from rtgauge.requirements.model import GRAVEST, Case, Limit, More, Rate, Requirement, Result, Ruling
from rtgauge.requirements.rate_rule import more_samples
from rtgauge.requirements.words import lasted, percent, span

_OF_BEHAVIOUR: dict[str, Ruling] = {"pass": "met", "fail": "not met", "inconclusive": "inconclusive"}


@dataclass(frozen=True)
class _Found:
    """What one limit comes to."""

    ruling: Ruling
    text: str
    broken: bool = False  # the figures are not to be believed, so nothing else counts
    rate: Rate | None = None
    more: More | None = None


def case_of(requirement: Requirement, result: Result) -> Case:
    """The ruling on a result that the requirement is about."""
    status, name = str(result.get("status")), name_of(result)
    made = Case(
        id=str(result["id"]),
        params=dict(result.get("params") or {}),
        environment=dict(result.get("environment") or {}),
        ruling="invalid",
        reason=f"{name} is {status}: {result.get('reason') or 'no reason given'}",
        unit=result.get("unit"),
    )
    if requirement.holds:
        reason = f"{name} holds" if status == "pass" else made.reason
        return replace(made, ruling=_OF_BEHAVIOUR.get(status, "invalid"), reason=reason)
    if status != "ok":
        return replace(made, ruling="inconclusive" if status == "inconclusive" else "invalid")
    if not result.get("n"):
        return replace(made, reason=f"{name} has no figures")
    return _with_figures(requirement, result, made)


def _with_figures(requirement: Requirement, result: Result, made: Case) -> Case:
    seconds = result.get("exposure_s")
    highest = requirement.limit("max")
    above = None if highest is None or highest.high is None else highest.high
    fits = unit_fits(requirement, result)
    made = replace(
        made,
        samples=samples_of(result),
        exposure_s=None if seconds is None else float(seconds),
        figures=_figures(requirement, result),
        misses=figures.misses_of(result, above) if fits and above is not None else None,
        rate=rate_rule.counted(requirement, result, above) if fits and above is not None else None,
    )
    if not fits:
        return replace(made, reason=_wrong_unit(result))
    found = list(_of_limits(requirement, result))
    doubts = [_Found("inconclusive", text) for text in _doubts(requirement, result)]
    return replace(_ruled(made, [*found, *doubts]), proves=_proves(requirement, result))


def _figures(requirement: Requirement, result: Result) -> dict[str, float]:
    named = ((limit.figure, figures.figure_of(result, limit.figure)) for limit in requirement.limits)
    return {name: value for name, value in named if value is not None}


def _wrong_unit(result: Result) -> str:
    what, unit = name_of(result), result.get("unit") or "no unit"
    if unit == "ns":
        return f'{what} is in time: its limits need a unit, e.g. "100us"'
    return f"{what} is no time but in {unit}: its limits are bare numbers"


def _ruled(case: Case, found: Sequence[_Found]) -> Case:
    """What is not believable comes first; then the gravest counts, and a doubt keeps from being met."""
    chosen = [one for one in found if one.broken]
    for ruling in GRAVEST:
        chosen = chosen or [one for one in found if one.ruling == ruling]
    rate = next((one.rate for one in chosen if one.rate is not None), case.rate)
    more = max((one.more for one in chosen if one.more), key=lambda more: more.samples, default=None)
    return replace(case, ruling=chosen[0].ruling, reason=_joined(case, chosen), rate=rate, more=more)


def _joined(case: Case, found: Sequence[_Found]) -> str:
    """All in one line, the result named once."""
    name = " ".join([case.id, *(f"{key}={value}" for key, value in case.params.items())])
    texts = list(dict.fromkeys(one.text for one in found))
    return "; ".join([texts[0], *(text.removeprefix(f"{name}: ").removeprefix(f"{name} ") for text in texts[1:])])


# ---- each limit -----------------------------------------------------------------------------------------------------


def _of_limits(requirement: Requirement, result: Result) -> Iterator[_Found]:
    for limit in requirement.limits:
        yield from _hidden(limit, result)
        if limit.figure == "max":
            yield _of_max(requirement, limit, result)
        else:
            yield _of_figure(limit, result)


def _hidden(limit: Limit, result: Result) -> Iterator[_Found]:
    """A clock that cannot show the limit."""
    step = float(result.get("resolution") or 0.0)
    if limit.time and limit.high is not None and step >= limit.high:
        what = "deadline" if periodic(result) and limit.figure == "max" else f"limit of {limit.figure}"
        yield _Found("inconclusive", f"{name_of(result)}: the clock's step of {shown(step, result)} hides the {what}")


def _of_max(requirement: Requirement, limit: Limit, result: Result) -> _Found:
    """With a rate, misses may happen; without, each is one too many."""
    assert limit.high is not None
    name, high = name_of(result), figures.limit_shown(limit.high, limit, result)
    if requirement.miss_rate is not None:
        ruled = rate_rule.rule(requirement, result, limit.high)
        text = f"{name}: {_seen(limit, result)}; {ruled.text}"
        return _Found(ruled.ruling, text, rate=ruled.rate, more=ruled.more)
    worst = figures.figure_of(result, "max")
    if worst is None or worst <= limit.high:
        return _Found("met", _proves(requirement, result))
    if periodic(result):
        return _Found("not met", f"{name} missed the deadline of {high}: worst {shown(worst, result)}")
    return _Found("not met", f"{name}: the largest sample, {shown(worst, result)}, is above {high}")


def _of_figure(limit: Limit, result: Result) -> _Found:
    name, figure = name_of(result), limit.figure
    value, least = figures.figure_of(result, figure), figures.least_n(figure)
    if samples_of(result) < least:
        more = more_samples(result, least)
        text = f"{name}: {figure} needs {least} samples: {more.samples} more{span(more)}"
        return _Found("inconclusive", text, more=more)
    if value is None:
        return _Found("inconclusive", f"{name}: {figure} is not known")
    step = float(result.get("resolution") or 0.0)
    blurred = bool(result.get("unmeasurable")) and value <= step
    told = f"{name}: {figure} is " + (
        f"below the clock's step of {shown(step, result)}" if blurred else shown(value, result)
    )
    if limit.low is not None and (step if blurred else value) < limit.low:
        below = figures.limit_shown(limit.low, limit, result)
        text = f"{told}, below {below}: too {'fast' if limit.time else 'small'} to be believed"
        return _Found("invalid", text, broken=True)
    if blurred and (limit.low is not None or (limit.high is not None and step > limit.high)):
        return _Found("inconclusive", told)
    if limit.high is not None and value > limit.high:
        return _Found("not met", f"{told}, above {figures.limit_shown(limit.high, limit, result)}")
    return _Found("met", f"{told}, {_within(limit, result)}")


def _within(limit: Limit, result: Result) -> str:
    low, high = (None if v is None else figures.limit_shown(v, limit, result) for v in (limit.low, limit.high))
    return f"not below {low}" if high is None else f"not above {high}" if low is None else f"within {low} to {high}"


# ---- what the samples show ------------------------------------------------------------------------------------------


def _doubts(requirement: Requirement, result: Result) -> Iterator[str]:
    """Why figures within their limits do not mean that the system keeps them."""
    name, skipped = name_of(result), figures.skipped_of(result)
    late = "late" if periodic(result) else "above it"
    by_rate = requirement.miss_rate is not None and len(requirement.limits) == 1  # which counts each as a miss
    if result.get("lost") is None:
        yield f"{name}: how many samples were lost is not known, and any of them may be {late}"
    elif result["lost"] and not by_rate:
        yield f"{name} lost {result['lost']} samples, any of which may be {late}"
    if skipped and not by_rate:
        yield f"{name} skipped {skipped} activations whose lateness is not known"
    for load in result.get("loads") or () if requirement.load not in (None, "none") else ():
        if not load["reached"]:
            yield f"{name}: load {load['name']} did not reach its degree"


def _proves(requirement: Requirement, result: Result) -> str:
    """What the samples that there are show of the limit of `max`, and that they show no more; "" without one."""
    limit = requirement.limit("max")
    if limit is None or limit.high is None:
        return ""
    seen = rate_rule.of_measured(requirement, result, limit.high)
    sure = f"with {percent(seen.confidence)} confidence"
    rate = f"below {seen.high:.2g} {sure}"
    if seen.low:
        rate = f"above {seen.low:.2g} and below {seen.high:.2g}, each {sure}"
    return (
        f"{name_of(result)}: {_seen(limit, result)}; that shows a rate of misses {rate}, if {_what(result)} are alike, "
        "and no more"
    )


def _what(result: Result) -> str:
    return "activations" if periodic(result) else "samples"


def _seen(limit: Limit, result: Result) -> str:
    """`no wake-up later than 100us in 3000 activations over 3 s (worst 5 us)`."""
    assert limit.high is not None
    least, most = figures.misses_of(result, limit.high)
    number = "no" if not most else str(least) if least == most else f"{least} to {most}"
    one, several = (
        ("wake-up later than", "wake-ups later than") if periodic(result) else ("sample above", "samples above")
    )
    return (
        f"{number} {one if most <= 1 else several} {figures.limit_shown(limit.high, limit, result)} in "
        f"{samples_of(result)} {_what(result)} over {lasted(result.get('exposure_s'))} "
        f"(worst {shown(figures.figure_of(result, 'max') or 0.0, result)})"
    )
