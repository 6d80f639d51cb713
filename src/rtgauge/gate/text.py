"""A side as text for a repository: a head that says what must be equal, then one line for each result.

    rtgauge baseline 1
    made: 2026-11-22 from 20261122-025518-fake-0cc4a4
    limit: +0
    tail-limit: +5%
    must be equal: time = virtual
    under test: release = 1
    accepted: 2026-11-23 the mutex follows chains now (2 lines)

    MUT-P-ARC part=release protocol=inherit @ cache=hot load=none : ok instr path=1773/99.9% median=1773 p99.9=1810 ...

Lines are sorted, so a change of one result is a change of one line. What stands before the colon is the key, after it
the status and figures; `limit=` and `tail-limit=` of a line go before those of the head.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from rtgauge.gate import direction
from rtgauge.gate.exact import is_certain, settled
from rtgauge.gate.limits import NONE, REAL, VIRTUAL, Limits
from rtgauge.gate.spread import is_blind
from rtgauge.gate.values import REPLICAS, Line, Side
from rtgauge.gate.words import escaped, key_words, name_of, number, order

_NAMED = 3  # results in a line of advice
_DIGITS = 9  # of figures that are judged by an interval; a path is exact
TITLE = "rtgauge baseline"
VERSION = 1
EQUAL, SUBJECT, ACCEPTED, MADE = "must be equal", "under test", "accepted", "made"
_ABOUT = (
    "# Read by `rtgauge gate RUN --against FILE`, changed by its --accept. Limits may be changed by hand:",
    "# +5% of the base, +3 in the unit of the line, or none.",
)


def limits_of(side: Side) -> Limits:
    """Those of the file, else those that such time has."""
    return side.limits or (VIRTUAL if side.virtual else REAL)


def write(side: Side) -> str:
    return "\n".join([*_head(side), "", *(line_text(side.lines[key]) for key in sorted(side.lines, key=order)), ""])


def base_id(side: Side) -> str:
    """Six digits that tell this base from others: of what must be equal, and of every line."""
    told = [f"{name}={value}" for name, value in side.identity.items()]
    lines = [line_text(side.lines[key]) for key in sorted(side.lines, key=order)]
    return hashlib.sha256("\n".join([*told, *lines]).encode()).hexdigest()[:6]


def advice(side: Side) -> list[str]:
    """What cannot be judged against such a base, one line each."""
    return [*_undecidable(side), *_few_runs(side)]


def _undecidable(side: Side) -> list[str]:
    """The results on which each gate would be undecided."""
    found = [line for line in side.lines.values() if side.virtual and _is_undecidable(line, limits_of(side))]
    names = ", ".join(name_of(line.key) for line in found[:_NAMED])
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    if not found:
        return []
    return [
        f"a gate is undecided on {names}{more}, whose samples differ so much that not even a doubling would be seen: "
        "measure more samples, or leave them out by limit=none in their lines"
    ]


def _is_undecidable(line: Line, limits: Limits) -> bool:
    limit = limits.but(line.limit, None).main
    if line.status != "ok" or limit == NONE or settled(line):
        return False
    return is_blind(line, direction.of(line.key, line.unit), limit)


def _few_runs(side: Side) -> list[str]:
    if side.replicas >= REPLICAS:
        return []
    if not side.virtual:
        return [
            f"{side.runs} of {REPLICAS} runs: no figure can be judged against it (rtgauge run ... --repeat {REPLICAS})"
        ]
    if side.runs > 1 and not side.varied:
        return ["the runs are identical: they show no spread, so paths are judged, and no tails"]
    return [
        f"{side.runs} of {REPLICAS} replicas: paths are judged against it, and no tails; unrelated changes move some "
        f"paths a little, which only replicas tell (rtgauge run ... --replicas {REPLICAS})"
    ]


def _head(side: Side) -> Iterator[str]:
    limits = limits_of(side)
    yield f"{TITLE} {VERSION}"
    yield from _ABOUT
    yield f"{MADE}: {side.made}"
    yield f"runs: {side.runs}{'' if side.varied or side.runs < 2 else ' identical'}"
    yield f"limit: {limits.main}"
    yield f"tail-limit: {limits.tail}"
    for word, told in ((EQUAL, side.identity), (SUBJECT, side.subject)):
        yield from (f"{word}: {name} = {value}" for name, value in told.items())
    yield from (f"{ACCEPTED}: {one}" for one in side.accepted)


def line_text(line: Line) -> str:
    return f"{key_words(line.key)} : {' '.join(_figures(line))}"


def _figures(line: Line) -> Iterator[str]:
    yield line.status
    if line.medians:
        yield f"unit={escaped(line.unit)}"
        yield f"n={line.n}"
        yield f"step={number(line.step, _DIGITS)}"
        yield from _path(line)
        yield f"median={_values(line.medians)}"
        if line.spread and not is_certain(line):
            yield f"spread={','.join(number(end) for one in line.spread for end in one)}"
        if line.tail:
            yield f"{line.tail}={_values(line.tails)}"
        if line.maximum is not None:
            yield f"max={number(line.maximum, _DIGITS)}"
    for name, limit in (("limit", line.limit), ("tail-limit", line.tail_limit)):
        if limit:
            yield f"{name}={limit}"


def _path(line: Line) -> Iterator[str]:
    """Each path that a run took, and the least share of the samples that any run had on its own."""
    values = {path.value for path in line.paths if path.value is not None}
    if values and all(path.value is not None for path in line.paths):
        yield f"path={','.join(map(number, sorted(values)))}/{100 * min(path.share for path in line.paths):.4g}%"


def _values(values: tuple[float, ...]) -> str:
    """Of each run; once where all are the same."""
    same = len(set(values)) == 1 and len(values) > 1
    return f"{number(values[0], _DIGITS)}x{len(values)}" if same else ",".join(number(one, _DIGITS) for one in values)
