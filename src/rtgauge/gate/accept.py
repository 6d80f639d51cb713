"""A baseline after its user accepted what has changed: only the lines that changed are others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from rtgauge.errors import UsageError
from rtgauge.gate.judge import whole_test
from rtgauge.gate.values import Key, Line, Outcome, Side, Verdict
from rtgauge.gate.words import name_of
from rtgauge.trace.fields import clean

_TAKEN: tuple[Verdict, ...] = ("slower", "faster", "changed", "failed", "fixed", "new")
_REASON_MOST = 500  # characters


@dataclass(frozen=True)
class Accepted:
    side: Side
    changed: int
    added: int
    removed: int
    unmeasured: int = 0  # lines that were missing in the run, and were kept

    @property
    def lines(self) -> int:
        return self.changed + self.added + self.removed


def accept(outcome: Outcome, reason: str, today: date) -> Accepted:
    """The base with what is another in the run; what could not be judged stays, and so does what the run has not
    measured. A run that cannot be compared, with another engine say, replaces every line; limits of lines stay in any
    case. UsageError without a reason, or where such a run lacks lines."""
    words = clean(" ".join(reason.split()), most=_REASON_MOST)
    if not words:
        raise UsageError("--accept needs a reason: it is kept in the baseline")
    base, run = outcome.base, outcome.run
    if outcome.incomparable is not None:
        _check_whole(outcome)
        lines = {key: _with_limits(line, base.lines.get(key)) for key, line in run.lines.items()}
        side = replace(base, identity=run.identity, runs=run.runs, varied=run.varied, lines=lines)
    else:
        side = replace(base, lines=_merged(outcome))
    made = Accepted(
        side,
        changed=sum(key in base.lines and side.lines[key] is not base.lines[key] for key in side.lines),
        added=sum(key not in base.lines for key in side.lines),
        removed=sum(key not in side.lines for key in base.lines),
        unmeasured=0 if outcome.incomparable is not None else len(unmeasured(outcome)),
    )
    if not made.lines:
        return made
    count = "1 line" if made.lines == 1 else f"{made.lines} lines"
    if outcome.incomparable is not None or _speaks_for_all(outcome):
        side = replace(side, subject=run.subject, made=f"{today.isoformat()} from {run.made}")
    elif outcome.differs:
        count = f"{count} of {run.made}, {'; '.join(outcome.differs)}"  # the head stays true for all other lines
    entry = f"{today.isoformat()} {words} ({count})"
    return replace(made, side=replace(side, accepted=(*base.accepted, entry)))


def _check_whole(outcome: Outcome) -> None:
    gone = [key for key in outcome.base.lines if key not in outcome.run.lines]
    if gone:
        raise UsageError(
            f"the run has not measured {name_of(gone[0])}{f' and {len(gone) - 1} more' if len(gone) > 1 else ''}, and "
            f"{outcome.incomparable}, so these lines would be lost: measure all, take such lines out of the file by "
            "hand, or make another with --write FILE"
        )


def _speaks_for_all(outcome: Outcome) -> bool:
    """Whether every line of the base was held against the run, and not one was undecided."""
    held = {one.key for one in outcome.judged if one.verdict != "undecided"}
    return not unmeasured(outcome) and outcome.base.lines.keys() <= held


def unmeasured(outcome: Outcome) -> set[Key]:
    """Lines that are missing because the run has nothing of them. They are kept: whoever wants them gone edits the
    file."""
    gone = {one.key for one in outcome.of("missing")}
    return {key for key in gone if key not in outcome.run.lines and whole_test(key, outcome.run) is None}


def _merged(outcome: Outcome) -> Mapping[Key, Line]:
    base, run = outcome.base.lines, outcome.run.lines
    taken = {one.key for one in outcome.of(*_TAKEN)}
    gone = {one.key for one in outcome.of("missing")} - unmeasured(outcome)
    kept = {key: line for key, line in base.items() if key not in gone or key in run}
    taken |= gone & run.keys()  # the run says that the system does not have it
    return {**kept, **{key: _with_limits(run[key], base.get(key)) for key in taken}}


def _with_limits(line: Line, before: Line | None) -> Line:
    return line if before is None else replace(line, limit=before.limit, tail_limit=before.tail_limit)
