"""What inheritance costs where it is needed: a contended lock with it against the same one without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import clear, each, each_ns, measured, negative, positive, ratio

FACTOR = 2.0
_PARTS = {"acquire": "to block on a lock and have its lower owner run", "release": "to release it to a higher thread"}


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    found = {(r["params"].get("case"), r["params"].get("part")): r for r in measured(results, "MUT-P-PIC")}
    for part, what in _PARTS.items():
        boosted, plain = found.get(("boost", part)), found.get(("no-inheritance", part))
        if boosted is None or plain is None or not each(plain) > 0:
            continue
        told = f"{each_ns(boosted)} with inheritance, {each_ns(plain)} without"
        factor = each(boosted) / each(plain)
        if factor >= FACTOR and clear(each(boosted) - each(plain), boosted, plain):
            yield negative(f"Inheritance is dear: {what} takes {told} ({ratio(factor)} times).", boosted, plain)
        else:
            yield positive(f"Inheritance is cheap: {what} takes {told} ({ratio(factor)} times).", boosted, plain)
