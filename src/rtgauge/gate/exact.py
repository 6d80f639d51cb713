"""The path in virtual time: judged by itself, to the instruction, without any interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rtgauge.gate.limits import allowance
from rtgauge.gate.paths import LEAST
from rtgauge.gate.values import HAIR, REPLICAS, Direction, Judged, Line, Path, Verdict

DOMINANT = 0.75  # share from which a path is that of nearly all samples: then no phase takes another in its place
_MOST = 2 / 3  # share below which a path is one of several
_SEVERAL = (
    f"samples go several ways, and addresses or the tick say which one the most take: this needs {REPLICAS} replicas"
)
_MORE_LEAVE, _SOME = 2.0, 0.05  # times as many samples, and a few, may leave the path of the base's replicas


def settled(line: Line) -> bool:
    """Whether each run took one clear path."""
    return bool(line.paths) and all(path.value is not None for path in line.paths)


def judge_path(run: Line, base: Line, way: Direction, limit: str, base_replicas: int) -> Judged:
    """`base` is settled. The run is worse where every replica of it is beyond all that the replicas of the base have
    shown; a base of few replicas knows few phases of the tick."""
    known = [path.value for path in base.paths if path.value is not None]
    share = min(path.share for path in base.paths)
    told = Judged(base.key, "path", "equal", unit=base.unit, limit=limit, where=base.where)
    found = [value for path in run.paths if (value := _same_or_own(path, known, share)) is not None]
    clear = bool(found) and len(found) == len(run.paths)
    over = _beyond(found, known, limit) if clear else 0
    worse = not clear or (over != 0 and _verdict(over, way) != "faster")
    if worse and base_replicas < REPLICAS and _goes_several_ways(run, known, share):
        return replace(told, verdict="unjudged", base=min(known), why=_SEVERAL)
    if not clear:
        return _scattered(replace(told, base=min(known)), run, known, share, way)
    if over:
        ends = (max(known), min(found)) if over > 0 else (min(known), max(found))
        return replace(told, base=ends[0], run=ends[1], verdict=_verdict(over, way))
    told = replace(told, base=min(known), run=found[0])
    left = max(path.share_of(known) for path in run.paths)
    if base_replicas >= REPLICAS and share >= DOMINANT and 1 - left > _MORE_LEAVE * (1 - share) + _SOME:
        verdict: Verdict = "changed" if way == "neither" else "slower"
        fewer = f"fewer samples take the path of {min(known):.12g}: {100 * share:.3g} % -> {100 * left:.3g} %"
        return replace(told, verdict=verdict, why=fewer)
    return told


def _goes_several_ways(run: Line, known: Sequence[float], share: float) -> bool:
    """Whether the path of one base run may be another in the next of the same system: it is one of several, or a tooth
    of a comb, which is gone where the path has changed."""
    return LEAST <= share < _MOST or (share < LEAST and any(path.share_of(known) for path in run.paths))


def _scattered(told: Judged, run: Line, known: Sequence[float], share: float, way: Direction) -> Judged:
    """Of a run in which no value stands out any more. Where nearly all samples took the path of the base and few do
    now, it was left, and the median says to where."""
    left = max((path.share_of(known) for path in run.paths), default=0.0)
    if run.paths and share >= DOMINANT and left < share / 2:
        over = _beyond(run.medians, known, told.limit)
        if over:
            middle = min(run.medians) if over > 0 else max(run.medians)
            return replace(told, what="median", run=middle, verdict=_verdict(over, way))
    return replace(told, verdict="undecided", why="no value stands out among the samples of the run any more")


def _same_or_own(path: Path, known: Sequence[float], share: float) -> float | None:
    """The path of a run. Where the path of the base was not that of nearly all samples, which of several clusters
    counts can follow the phase of the tick: then the base's, as long as it is still there."""
    if share < DOMINANT:
        for value, has in path.taken:
            if has >= share / 2 and any(abs(value - one) <= HAIR for one in known):
                return value
    return path.value


def _beyond(found: Sequence[float], known: Sequence[float], limit: str) -> int:
    """1: all above what is allowed, -1: all below, 0: neither."""
    above, below = allowance(limit, max(known)), allowance(limit, min(known))
    if above is None or below is None:
        return 0
    if min(found) > max(known) + above + HAIR:
        return 1
    return -1 if max(found) < min(known) - below - HAIR else 0


def _verdict(over: int, way: Direction) -> Verdict:
    if way == "neither":
        return "changed"
    return "slower" if (over > 0) == (way == "less") else "faster"
