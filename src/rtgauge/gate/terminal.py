"""What the gate says, as lines of text: the ruling with its counts, one line for each change, and how to accept it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from rtgauge.gate.accept import unmeasured
from rtgauge.gate.counts import ALWAYS, apart, counts
from rtgauge.gate.values import FAILING, REPLICAS, Judged, Outcome, Verdict
from rtgauge.gate.words import name_of, number

_TOLD = ("QEMU", "host", "engine")  # of what is equal
_WORDS: dict[Verdict, str] = {"unjudged": "not judged"}
_MOST = 20  # lines of one kind
_RISEN = 2.0  # times: maxima that are told


def lines(
    outcome: Outcome, runs: Sequence[str], against: Sequence[str], strict: bool = False, hint: bool = True
) -> Iterator[str]:
    """`runs`, `against`: as the user wrote them, for the line that says how to accept (`hint`)."""
    ruling = outcome.ruling(strict).upper()
    if outcome.incomparable is not None:
        yield f"{ruling}  {outcome.incomparable}   base {outcome.base_id}"
        yield from _accept(outcome, runs, against) if hint else ()
        return
    yield f"{ruling}  {_counted(outcome)}   base {outcome.base_id} ({_same(outcome)})"
    names = apart(outcome)
    for verdicts in (FAILING, ("undecided",), ("faster", "fixed"), ("new",), ("unjudged",)):
        yield from _of_kind([one for one in outcome.judged if one.verdict in verdicts], names)
    if any("an interval needs" in one.why for one in outcome.of("undecided")):
        yield f"to decide: measure both sides again, with `rtgauge run TARGET --repeat {REPLICAS}`"
    yield from _maxima(outcome, names)
    yield from (f"under test: {difference}" for difference in outcome.differs)
    yield from (f"note: {note}" for note in outcome.notes)
    if hint:
        yield from _ways_out(outcome, runs, against)
    if not outcome.judged:
        yield "the base has no result that could be judged"


def _counted(outcome: Outcome) -> str:
    found = counts(outcome)
    told = [*ALWAYS, *(name for name in found if name not in ALWAYS and found[name])]
    return ", ".join(f"{found[name]} {_WORDS.get(name, name)}" for name in told)


def _same(outcome: Outcome) -> str:
    same = [name for name in _TOLD if name in outcome.same]
    return f"same {', '.join([*same, 'configuration'])}" + "".join(f"; {name} differs" for name in outcome.across)


def _of_kind(found: Sequence[Judged], names: Sequence[str]) -> Iterator[str]:
    """One line for each with figures; those with a reason alone are told together where they share it."""
    reasons: dict[str, list[Judged]] = {}
    for one in found:
        if one.verdict in ("undecided", "unjudged"):
            reasons.setdefault(one.why, []).append(one)
    rows = [_row(one, names) for one in found if one.verdict not in ("undecided", "unjudged")]
    widths = [max((len(row[i]) for row in rows[:_MOST]), default=0) for i in range(4)]
    for row in rows[:_MOST]:
        yield "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    if len(rows) > _MOST:
        yield f"... and {len(rows) - _MOST} more (--json has all)"
    for why, alike in reasons.items():
        first = f"{name_of(alike[0].key, names)} {alike[0].what}"
        more = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        yield f"{_WORDS.get(alike[0].verdict, alike[0].verdict)}: {first}{more}: {why}"


def _row(one: Judged, names: Sequence[str]) -> tuple[str, str, str, str]:
    name = name_of(one.key, names)
    what = "" if one.what in ("path", "status") else f" {one.what}"
    if one.base is None or one.run is None or one.why:
        return f"{name}{what}", one.why, one.verdict, f"limit {one.limit}" if one.limit else ""
    figures = f"{_figure(one.base, one)} -> {_figure(one.run, one)} {one.unit}".rstrip()
    return f"{name}{what}", figures, f"{_change(one)} {one.verdict}", f"limit {one.limit}"


def _figure(value: float, one: Judged) -> str:
    return number(value) if one.interval is None else number(value, 5)


def _change(one: Judged) -> str:
    difference = one.difference or 0.0
    if one.interval is None:
        return f"{difference:+.12g}"
    if not one.base:
        return f"{difference:+.4g} ({one.interval[0]:+.4g} to {one.interval[1]:+.4g})"
    share, low, high = (100 * part / abs(one.base) for part in (difference, *one.interval))
    return f"{share:+.3g} % ({low:+.3g} to {high:+.3g} %)"


def _maxima(outcome: Outcome, names: Sequence[str]) -> Iterator[str]:
    """One line for those that have at least doubled: a maximum is one sample, and no two runs have the same."""
    risen = [
        (one.run / one.base, one)
        for one in outcome.maxima
        if one.base is not None and one.run is not None and one.base > 0 and one.run >= _RISEN * one.base
    ]
    if risen:
        ratio, one = max(risen, key=lambda pair: pair[0])
        figures = f"{number(one.base or 0.0, 5)} -> {number(one.run or 0.0, 5)} {one.unit} ({ratio:.3g} times)"
        more = f", and {len(risen) - 1} more at least doubled" if len(risen) > 1 else ""
        yield f"not judged: largest sample of {name_of(one.key, names)} {figures}{more}"


def _ways_out(outcome: Outcome, runs: Sequence[str], against: Sequence[str]) -> Iterator[str]:
    left = unmeasured(outcome)
    if left:
        yield "missing: measure what the base has, or judge less (--tests); --accept keeps what was not measured"
    if {one.key for one in outcome.of(*FAILING, "faster", "fixed", "new")} - left:
        yield from _accept(outcome, runs, against)


def _accept(outcome: Outcome, runs: Sequence[str], against: Sequence[str]) -> Iterator[str]:
    words = " ".join(map(shlex.quote, runs))
    if outcome.base.file:
        yield f'accept: rtgauge gate {words} --against {shlex.quote(against[0])} --accept "reason"'
    else:
        yield f"accept: keep the run as the base, e.g. as text: rtgauge gate {words} --write FILE"
