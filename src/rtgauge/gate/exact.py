"""The path in virtual time: judged by itself, to the instruction, without any interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rtgauge.gate import direction
from rtgauge.gate.limits import allowance
from rtgauge.gate.paths import LEAST
from rtgauge.gate.values import HAIR, REPLICAS, Direction, Judged, Line, Path, Verdict

DOMINANT = 0.9  # share from which a path is that of nearly all samples: then no phase takes another in its place
_MOST = 0.7  # share below which a value is one of several, and no path; the tooth of a comb has less than LEAST
SAMPLES = 10  # that took the path in each run at least: of fewer the most frequent value is one by chance
_LEFT_FROM = 0.75  # share of a path from which it is looked at whether fewer samples take it
_MORE_LEAVE, _SOME = 2.0, 0.05  # times as many samples, and a few, may leave the path of the base's replicas


def settled(line: Line) -> bool:
    """Whether each run took one clear path, and samples enough show it."""
    return bool(line.paths) and all(path.value is not None and _is_clear(path, line.n) for path in line.paths)


def is_certain(line: Line) -> bool:
    """Whether nearly all samples of each run took a path that is settled."""
    return settled(line) and all(path.share >= DOMINANT for path in line.paths)


def _is_clear(path: Path, n: int) -> bool:
    """Of `n` samples. Those of a comb were counted when it was found."""
    return path.share < LEAST or (path.share >= _MOST and path.share * n >= SAMPLES - 0.5)


def judge_path(run: Line, base: Line, way: Direction, limit: str, replicas: int) -> Judged | None:
    """`base` is settled. `replicas`: the fewer of both sides. The run is worse where every replica of it is beyond all
    that the replicas of the base have shown. None: no path of the run is clear, and that of the base was not that of
    nearly all samples."""
    known = [path.value for path in base.paths if path.value is not None]
    share = min(path.share for path in base.paths)
    told = Judged(base.key, "path", "equal", unit=base.unit, limit=limit, where=base.where)
    found = [value for path in run.paths if (value := _same_or_own(path, known, share)) is not None]
    clear = bool(found) and len(found) == len(run.paths)
    over = _beyond(found, known, limit) if clear else 0
    if over and share < LEAST and any(path.share_of(known) for path in run.paths):
        return None  # the tooth of a comb that is still there was not left
    if not clear:
        return _scattered(replace(told, base=min(known)), run, known, way) if share >= DOMINANT else None
    if over:
        ends = (max(known), min(found)) if over > 0 else (min(known), max(found))
        return replace(told, base=ends[0], run=ends[1], verdict=direction.verdict_of(over > 0, way))
    told = replace(told, base=min(known), run=found[0])
    left = max(path.share_of(known) for path in run.paths)
    if replicas >= REPLICAS and share >= _LEFT_FROM and 1 - left > _MORE_LEAVE * (1 - share) + _SOME:
        verdict: Verdict = "changed" if way == "neither" else "slower"
        fewer = f"fewer samples take the path of {min(known):.12g}: {100 * share:.3g} % -> {100 * left:.3g} %"
        return replace(told, verdict=verdict, why=fewer)
    return told


def _scattered(told: Judged, run: Line, known: Sequence[float], way: Direction) -> Judged:
    """Of a run in which no value stands out any more, and of a path that nearly all samples of the base took. Where few
    do now, it was left, and the median says to where."""
    left = max((path.share_of(known) for path in run.paths), default=0.0)
    if run.paths and left < DOMINANT / 2:
        over = _beyond(run.medians, known, told.limit)
        if over:
            middle = min(run.medians) if over > 0 else max(run.medians)
            return replace(told, what="median", run=middle, verdict=direction.verdict_of(over > 0, way))
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
