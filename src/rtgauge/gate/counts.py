"""How many results are what: each result counts once, by the gravest that is said of it."""

from __future__ import annotations

from rtgauge.gate.values import Key, Outcome, Verdict

GRAVITY: tuple[Verdict, ...] = (
    "missing", "failed", "slower", "changed", "undecided", "fixed", "faster", "new", "equal", "unjudged",
)  # fmt: skip
ALWAYS: tuple[Verdict, ...] = ("slower", "faster", "equal", "missing")  # told even where there is none


def by_result(outcome: Outcome) -> dict[Key, Verdict]:
    found: dict[Key, Verdict] = {}
    for one in outcome.judged:
        before = found.get(one.key)
        if before is None or GRAVITY.index(one.verdict) < GRAVITY.index(before):
            found[one.key] = one.verdict
    return found


def counts(outcome: Outcome) -> dict[Verdict, int]:
    every = list(by_result(outcome).values())
    return {verdict: every.count(verdict) for verdict in GRAVITY}


def apart(outcome: Outcome) -> tuple[str, ...]:
    """Names of the environment that are not the same for all results: only these tell one from another."""
    values: dict[str, set[str]] = {}
    keys = {**outcome.base.lines, **outcome.run.lines}
    for key in keys:
        for name, value in key.environment:
            values.setdefault(name, set()).add(value)
    return tuple(name for name, found in values.items() if len(found) > 1)
