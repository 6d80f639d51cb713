"""Two sides -> Outcome. Each result stands for itself: nothing is averaged over results, and nothing passes by absence.

What must be equal is looked at first; what differs there is named, and nothing is compared. Then each result of the
base is looked for in the run: one that is gone fails, one that is new is named. A behaviour that held must still hold.
Figures are judged in two layers: the main one (in virtual time the path, exact, or where there is none what quantiles
of the samples span; in real time the median of the runs' medians, by an interval) and the tail (a high percentile, by
an interval over runs). A maximum is told and never judged: it is one sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from rtgauge.gate import direction
from rtgauge.gate.exact import judge_path, settled
from rtgauge.gate.identity import differences, first_difference
from rtgauge.gate.interval import welch
from rtgauge.gate.limits import NONE, Limits, allowance
from rtgauge.gate.spread import judge_spread
from rtgauge.gate.text import base_id, limits_of
from rtgauge.gate.values import REPLICAS, Direction, Judged, Key, Line, Outcome, Side, Verdict
from rtgauge.gate.words import order

CONFIDENCE = 0.99  # of a whole gate, whatever the number of its results
_BLIND = 1.0  # of the base's figure: where not even such an increase could be seen, nothing was
_FEWER, _MORE = 0.5, 4.0  # times the samples of the base; a result of events may have some more of them
_ALIKE = "measure both with the same --profile and --samples"
_LOST_MAIN, _LOST_TAIL = 0.05, 0.0005  # share of lost samples that may hide a change


@dataclass(frozen=True)
class Question:
    """A statistic that needs an interval."""

    about: Judged  # without a verdict yet
    run: tuple[float, ...]
    base: tuple[float, ...]
    step: float
    way: Direction
    main: bool

    @property
    def sides(self) -> int:
        """Ways in which it can fail by chance."""
        return 2 if self.way == "neither" else 1


def judge(
    run: Side,
    base: Side,
    *,
    limits: Limits | None = None,
    confidence: float = CONFIDENCE,
    tests: Sequence[str] = (),
    across: tuple[str, ...] = (),
) -> Outcome:
    """`limits`: instead of the base's, but for lines that have limits of their own. `tests`: only ids that match.
    `across`: names of what must be equal, and may differ this time."""
    outcome = Outcome(
        run=run,
        base=base,
        base_id=base_id(base),
        incomparable=first_difference(run.identity, base.identity, across),
        differs=differences(run.subject, base.subject),
        notes=(*base.notes, *run.notes),
        confidence=confidence,
        across=tuple(name for name in across if run.identity.get(name) != base.identity.get(name)),
        same=tuple(name for name, value in base.identity.items() if run.identity.get(name) == value),
    )
    if outcome.incomparable is not None:
        return outcome
    limits = limits or limits_of(base)
    keys = sorted((key for key in {**base.lines, **run.lines} if wanted(key, tests)), key=order)
    said = [one for key in keys for one in _result(run.lines.get(key), base.lines.get(key), run, base, limits)]
    sides = sum(one.sides for one in said if isinstance(one, Question))
    error = (1 - confidence) / max(1, sides)
    return replace(
        outcome,
        judged=tuple(_answer(one, error) if isinstance(one, Question) else one for one in said),
        maxima=tuple(_maxima(run, base, keys)),
        intervals=sides,
    )


def wanted(key: Key, tests: Sequence[str]) -> bool:
    """Whether the gate was asked for this result."""
    return not tests or any(fnmatchcase(key.id, pattern.upper()) for pattern in tests)


def _result(mine: Line | None, its: Line | None, run: Side, base: Side, limits: Limits) -> Iterator[Judged | Question]:
    """All that is asked of one result, most of it answered."""
    if its is None:
        if mine is not None and mine.status in ("ok", "pass", "fail"):
            yield Judged(mine.key, "status", "new", mine.status)
        return
    mine = mine or whole_test(its.key, run)
    if mine is None:
        yield Judged(its.key, "status", "missing", f"{its.status} in the base, not in the run", where=its.where)
        return
    if mine.status != "ok" or its.status != "ok":
        yield _by_status(mine, its)
        return
    own = limits.but(its.limit, its.tail_limit)
    yield from _main(mine, its, run, base, own.main)
    yield from _tail(mine, its, run, base, own.tail)


def whole_test(key: Key, run: Side) -> Line | None:
    """What a run says of the test to which a part of it would belong: one that came to nothing has no parts. One that
    passed or has figures says nothing of a part that is not there."""
    params = tuple(pair for pair in key.params if pair[0] != "part")
    found = run.lines.get(replace(key, params=params)) if params != key.params else None
    return None if found is None or found.status in _SHOWN else found


# ---- what is no figure ----------------------------------------------------------------------------------------------

_SHOWN = ("ok", "pass")  # something was shown of the system


def _by_status(mine: Line, its: Line) -> Judged:
    """A system that does not do any more what it did has failed. What could not be found out was not passed."""
    reason = f": {mine.reason}" if mine.reason else ""
    why = f"{its.status} -> {mine.status}{reason}"
    told = Judged(its.key, "status", "equal", why, where=its.where)
    if mine.status == its.status:
        shown = its.status in (*_SHOWN, "fail")
        return (
            replace(told, verdict="equal") if shown else replace(told, verdict="unjudged", why=f"{its.status} in both")
        )
    if its.status not in (*_SHOWN, "fail"):
        return replace(told, verdict="new")
    if mine.status == "fail":
        return replace(told, verdict="failed")
    if mine.status in _SHOWN:
        other: dict[str, Verdict] = {"fail": "fixed", "ok": "missing", "pass": "new"}  # figures that went, or came
        return replace(told, verdict=other[its.status])
    if mine.status == "not-supported":
        return replace(told, verdict="missing")
    return replace(told, verdict="undecided")


# ---- figures --------------------------------------------------------------------------------------------------------


def _main(mine: Line, its: Line, run: Side, base: Side, limit: str) -> Iterator[Judged | Question]:
    if limit == NONE:
        return
    way = direction.of(its.key, its.unit)
    about = Judged(its.key, "median", "equal", unit=its.unit, limit=limit, where=its.where)
    doubt = _doubt(mine, its, _LOST_MAIN)
    if doubt:
        yield replace(about, what="path" if base.virtual else "median", verdict="undecided", why=doubt)
    elif base.virtual:
        replicas = min(base.replicas, len(its.medians), run.replicas, len(mine.medians))
        said = judge_path(mine, its, way, limit, replicas) if settled(its) else None
        yield said or judge_spread(mine, its, about, way, limit)
    else:
        few = _few(len(mine.medians), len(its.medians))
        if few:
            yield replace(about, verdict="undecided", why=few)
        else:
            yield Question(about, mine.medians, its.medians, max(mine.step, its.step), way, main=True)


def _tail(mine: Line, its: Line, run: Side, base: Side, limit: str) -> Iterator[Judged | Question]:
    if limit == NONE or not its.tail:
        return
    about = Judged(its.key, its.tail, "unjudged", unit=its.unit, limit=limit, where=its.where)
    most = min(run.replicas, len(mine.tails)), min(base.replicas, len(its.tails))
    why = _doubt(mine, its, _LOST_TAIL) or _few(*most)
    if mine.tail != its.tail:
        why = why or f"the run has {mine.tail or 'too few samples for a percentile'}"
    if why:
        yield replace(about, why=why)
        return
    step = 0.0 if base.virtual else max(mine.step, its.step)
    yield Question(about, mine.tails, its.tails, step, direction.of(its.key, its.unit), main=False)


def _doubt(mine: Line, its: Line, lost: float) -> str:
    """Why figures of a run cannot stand beside those of the base; empty where they can."""
    if mine.unit != its.unit:
        return f"in {mine.unit or 'no unit'}, and in {its.unit or 'no unit'} in the base"
    if mine.n < _FEWER * its.n:
        return f"fewer than half as many samples as in the base: {_ALIKE}"
    if mine.n > _MORE * its.n:
        return f"more than {_MORE:g} times as many samples as in the base: {_ALIKE}"
    if mine.lost > max(lost, 2 * its.lost):
        return f"{100 * mine.lost:.2g} % of the samples were lost"
    return ""


def _few(run: int, base: int) -> str:
    if min(run, base) >= REPLICAS:
        return ""
    return f"{_runs(base)} in the base, {_runs(run)} here: an interval needs {REPLICAS} each"


def _runs(count: int) -> str:
    return "one run" if count == 1 else f"{count} runs"


def _answer(asked: Question, error: float) -> Judged:
    means = welch(asked.run, asked.base, error, asked.step)
    told = replace(asked.about, base=means.base, run=means.run, interval=(means.low, means.high))
    allowed = allowance(asked.about.limit, means.base, asked.step)
    assert allowed is not None  # of a limit "none" nothing is asked
    up, down = means.low > allowed, means.high < -allowed
    if up or down:
        return replace(told, verdict=direction.verdict_of(up, asked.way))
    worst = max(means.high, -means.low) if asked.way == "neither" else means.high
    worst = -means.low if asked.way == "more" else worst
    if worst > allowed + max(_BLIND * abs(means.base), 10 * asked.step):
        verdict: Verdict = "undecided" if asked.main else "unjudged"
        return replace(told, verdict=verdict, why="the runs differ so much that not even a doubling would be seen")
    return replace(told, verdict="equal")


def _maxima(run: Side, base: Side, keys: Sequence[Key]) -> Iterator[Judged]:
    for key in keys:
        mine, its = run.lines.get(key), base.lines.get(key)
        if mine is None or its is None or mine.maximum is None or its.maximum is None or mine.unit != its.unit:
            continue
        yield Judged(key, "max", "unjudged", unit=its.unit, base=its.maximum, run=mine.maximum, where=its.where)
