"""A baseline after its user accepted what has changed: only the lines that changed are others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from rtgauge.errors import UsageError
from rtgauge.gate.values import Key, Line, Outcome, Side, Verdict
from rtgauge.trace.fields import clean

_TAKEN: tuple[Verdict, ...] = ("slower", "faster", "changed", "failed", "fixed", "new")
_REASON_MOST = 500  # characters


@dataclass(frozen=True)
class Accepted:
    side: Side
    changed: int
    added: int
    removed: int

    @property
    def lines(self) -> int:
        return self.changed + self.added + self.removed


def accept(outcome: Outcome, reason: str, today: date) -> Accepted:
    """The base with what is another in the run; what could not be judged stays. A run that cannot be compared, with
    another engine say, replaces every line; limits of lines stay in any case. UsageError without a reason."""
    words = clean(" ".join(reason.split()), most=_REASON_MOST)
    if not words:
        raise UsageError("--accept needs a reason: it is kept in the baseline")
    base, run = outcome.base, outcome.run
    if outcome.incomparable is not None:
        lines = {key: _with_limits(line, base.lines.get(key)) for key, line in run.lines.items()}
        side = replace(base, identity=run.identity, runs=run.runs, varied=run.varied, lines=lines)
    else:
        side = replace(base, lines=_merged(outcome))
    made = Accepted(
        side,
        changed=sum(key in base.lines and side.lines[key] is not base.lines[key] for key in side.lines),
        added=sum(key not in base.lines for key in side.lines),
        removed=sum(key not in side.lines for key in base.lines),
    )
    if not made.lines:
        return made
    count = "1 line" if made.lines == 1 else f"{made.lines} lines"
    entry = f"{today.isoformat()} {words} ({count})"
    return replace(made, side=replace(side, subject=run.subject, made=run.made, accepted=(*base.accepted, entry)))


def _merged(outcome: Outcome) -> Mapping[Key, Line]:
    base, run = outcome.base.lines, outcome.run.lines
    taken = {one.key for one in outcome.of(*_TAKEN)}
    gone = {one.key for one in outcome.of("missing")}
    kept = {key: line for key, line in base.items() if key not in gone or key in run}
    taken |= gone & run.keys()  # the run says that the system does not have it
    return {**kept, **{key: _with_limits(run[key], base.get(key)) for key in taken}}


def _with_limits(line: Line, before: Line | None) -> Line:
    return line if before is None else replace(line, limit=before.limit, tail_limit=before.tail_limit)
