"""Purpose and scope: what was evaluated, by which tests, and what this report says nothing about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rtgauge.definitions import FAMILIES, KINDS, catalogue_version, definitions, family_of
from rtgauge.report import display
from rtgauge.report.blocks import Block, Bullets, Cell, Column, Facts, Item, Panel, Part, Row, Section, Table, Text
from rtgauge.report.view import RunView
from rtgauge.units import format_ns

_PURPOSE = (
    "To find out whether this system does what real-time software relies on, and how long that takes at worst. "
    "Behaviour tests ask a question that has an answer, and prove by a negative control that it could have "
    "been another. Performance tests keep the time of every sample. Stress tests search for a limit."
)
_IMPORTED = (
    "To show what another program measured, in the terms of this catalogue. Nothing of it was measured by rtgauge: its "
    "premises were not checked, and what its file does not tell is not known."
)
_IDLE = {"none", ""}
_UNPROVEN = ("not-permitted", "invalid", "inconclusive", "not-supported")
_DISTINCT_MOST = 6  # values of an environment that are named


def section(run: RunView) -> Section:
    panels = (
        Panel("What was evaluated", (Facts(tuple(_evaluated(run))),)),
        Panel("What this report does not cover", (Bullets(tuple(_uncovered(run))),)),
    )
    blocks: list[Block] = [Text(_IMPORTED if run.results.get("imported") else _PURPOSE), Row(panels)]
    if run.entries:
        blocks.append(_tests(run))
    return Section(25, Part("scope", "Purpose and scope", tuple(blocks)), "Scope")


# ---- what was evaluated ----------------------------------------------------------------------------------------------


def _evaluated(run: RunView) -> Iterator[tuple[str, Cell]]:
    facts = (run.results.get("system") or {}).get("facts") or {}
    told = " ".join(str(facts[name]) for name in ("os", "release", "version", "machine") if facts.get(name))
    yield "system", Cell(told or "not told", href="system")
    yield "target", Cell(str(run.results.get("target") or "–"))
    yield "catalogue", Cell(_catalogue(run))
    if run.results.get("profile"):
        yield "profile", Cell(str(run.results["profile"]))
    around = ", ".join(f"{name} {_listed(values)}" for name, values in _environments(run).items())
    yield "environment", Cell(around or "not told")
    yield "judged by", Cell(_judged_by(run))
    yield "under observation", Cell(display.seconds(run.results.get("exposure_s")))


def _catalogue(run: RunView) -> str:
    found = definitions(run.manifest)
    version = catalogue_version(found)
    by = str((run.manifest.get("versions") or {}).get("rtgauge") or "")
    made = f"rtgauge {by}" if by else "rtgauge of an unknown version"
    if version is None:
        return f"that of {made}; the run holds no description of its tests"
    tests = f"{len(found)} {'test' if len(found) == 1 else 'tests'}"
    return f"that of {made}; the {tests} asked for are defined as {version}"


def _environments(run: RunView) -> dict[str, dict[str, None]]:
    """Each part of the environments, with the values that it had."""
    found: dict[str, dict[str, None]] = {}
    for entry in run.entries:
        for name, value in (entry.result.get("environment") or {}).items():
            found.setdefault(str(name), {}).setdefault(str(value))
    return found


def _listed(values: Mapping[str, None]) -> str:
    more = len(values) - _DISTINCT_MOST
    return " or ".join(list(values)[:_DISTINCT_MOST]) + (f" and {more} more" if more > 0 else "")


def _judged_by(run: RunView) -> str:
    number = len(run.results.get("requirements") or ())
    if number:
        return f"{number} {'requirement' if number == 1 else 'requirements'}"
    deadline = run.manifest.get("deadline_ns")
    return f"a deadline of {display.micro(format_ns(deadline))}" if isinstance(deadline, int) else "no requirement"


# ---- what was not ----------------------------------------------------------------------------------------------------


def _uncovered(run: RunView) -> Iterator[Item]:
    if run.manifest.get("left_out"):
        yield Item(f"Left out: {display.micro(str(run.manifest['left_out']))}", tone="bad")
    unproven = Counter(entry.status for entry in run.entries if entry.status in _UNPROVEN)
    if unproven:
        told = ", ".join(f"{unproven[status]} {status}" for status in _UNPROVEN if unproven[status])
        yield Item(f"{told}: nothing is proven by these results", links=(Cell("Not proven", href="summary"),))
    if _judged_by(run) == "no requirement":
        yield Item("No requirement was given: times are shown, not judged.")
    yield from _narrow(run)
    absent = [f"{words} ({name})" for name, words in FAMILIES.items() if name not in _families(run)]
    if absent and run.entries:
        yield Item(f"No test of: {', '.join(absent)}.")
    if run.repeats is None and run.entries:
        yield Item("One run: what differs from run to run is not known.")
    yield Item(
        "What comes more rarely than the time under observation can show: a maximum is the largest that was seen, with "
        "its exposure, and no bound."
    )


def _narrow(run: RunView) -> Iterator[Item]:
    environments = _environments(run)
    if set(environments.get("load", {"?": None})) <= _IDLE:
        yield Item("The system under load: nothing ran beside the tests.")
    if set(environments.get("cache", {"?": None})) == {"hot"}:
        yield Item("Cold caches: caches were left as the tests themselves had filled them.")


def _families(run: RunView) -> set[str]:
    return {family_of(entry.id) for entry in run.entries}


# ---- by which tests --------------------------------------------------------------------------------------------------


def _tests(run: RunView) -> Table:
    """A line for each family, with its tests by kind; families that the catalogue does not know come last."""
    ids: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for id_, entries in run.groups:
        kind = [*id_.split("-"), "", ""][1]
        ids.setdefault(family_of(id_), {}).setdefault(kind, []).append((id_, entries[0].anchor))
    order = [*(name for name in FAMILIES if name in ids), *(name for name in ids if name not in FAMILIES)]
    results = Counter(family_of(entry.id) for entry in run.entries)
    rows = tuple(
        (
            Cell(name, href=next(iter(ids[name].values()))[0][1]),
            Cell(FAMILIES.get(name, "–")),
            *(Cell(", ".join(_short(id_) for id_, _ in ids[name].get(kind, ())) or "–") for kind in KINDS),
            Cell(display.count(results[name]), numeric=True),
        )
        for name in order
    )
    kinds = (Column(f"{words.capitalize()} (-{kind}-)") for kind, words in KINDS.items())
    columns = (Column("Family"), Column("Of"), *kinds, Column("Results", numeric=True))
    return Table(columns, rows, title="The tests of this run, by family")


def _short(id_: str) -> str:
    """The last part of an id, where the column says the rest."""
    parts = id_.split("-", 2)
    return parts[2] if len(parts) == 3 else id_
