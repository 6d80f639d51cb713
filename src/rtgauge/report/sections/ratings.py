"""Ratings: stars against the deadline, 0 to 10 by category, each with its rule and the results behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rtgauge.ratings import Category, Missing, Ratings, Reference, Stars, rate
from rtgauge.ratings.rules import STARS
from rtgauge.report import display
from rtgauge.report.blocks import (
    Bar,
    Block,
    Bullets,
    Cell,
    Code,
    Column,
    Headline,
    Item,
    Panel,
    Part,
    Section,
    Table,
    Text,
    Timeline,
    Tone,
)
from rtgauge.report.sections._links import links_to
from rtgauge.report.view import Entry, RunView

_TOP = 10.0
_NUMERIC = True
_LOOKS = {"measured": "own", "opinion": "idle", "published": "thread"}


def section(run: RunView) -> Section:
    found = rate(run.results, run.manifest, run.opinions)
    blocks: list[Block] = [Text(display.micro(note), tone="warn") for note in found.notes]
    blocks.append(_stars(run, found.stars))
    rated = [one for one in found.categories if one.score is not None]
    if rated:
        blocks.append(_categories(rated))
    blocks.append(Bullets(tuple(_unrated(found)), title="Not rated", empty="Every category is rated."))
    blocks += _commands(found)
    blocks.append(Bullets(tuple(_rules(run, found)), title="The rules, and what they were applied to"))
    return Section(12, Part("ratings", "Ratings", tuple(blocks)), "Ratings")


# ---- stars ----------------------------------------------------------------------------------------------------------


def _stars(run: RunView, stars: Stars) -> Panel:
    """Glyphs and words: neither colour nor shape alone tells the number."""
    tone = _tone(None if stars.value is None else 2 * stars.value)
    blocks: list[Block] = [Headline("Withheld", tone=tone)]
    if stars.value is not None:
        blocks = [Headline(stars.glyphs, unit=stars.words, tone=tone)]
    items = tuple(
        Item(
            f"{part.name}{'' if part.value is None else f' {part.value:g}'}: {display.micro(part.why)}",
            tone="muted" if part.value is None else "plain",
            links=_links(run, part.basis),
        )
        for part in stars.parts
    )
    if items:
        blocks.append(Bullets(items, title="The lowest counts"))
    if stars.missing:
        blocks.append(Bullets(tuple(_lacks(stars.missing)), title="What is missing"))
    return Panel("Stars against the deadline", tuple(blocks), tone=tone)


def _tone(score: float | None) -> Tone:
    if score is None:
        return "muted"
    return "good" if score >= 8 else "warn" if score >= 5 else "bad"


def _lacks(missing: Iterable[Missing]) -> Iterator[Item]:
    return (Item(display.micro(one.what), tone="warn") for one in missing)


# ---- categories -----------------------------------------------------------------------------------------------------


def _categories(rated: Sequence[Category]) -> Table:
    rows = tuple(
        (
            Cell(one.name, note=f"opinion{f' of {one.source}' if one.source else ''}" if one.opinion else ""),
            Cell(f"{one.score:g}", numeric=True, tone=_tone(one.score)),
            _bar(one),
            Cell(display.micro(one.why)),
            Cell(display.micro("; ".join(lack.what for lack in one.missing)) or "–", tone="muted"),
        )
        for one in rated
    )
    columns = (
        Column("Category"),
        Column("Of 10", _NUMERIC),
        Column(""),
        Column("Because"),
        Column("Missing", optional=True),
    )
    return Table(columns, rows, title="Categories", note="0 is worst, 10 best; all but opinions are measured")


def _bar(one: Category) -> Timeline:
    what = f"{one.name}: {one.score:g} of 10"
    return Timeline((Bar(0.0, (one.score or 0.0) / _TOP, _LOOKS[one.kind], what),), what)


def _unrated(found: Ratings) -> Iterator[Item]:
    """Measured categories one by one; opinions, which all miss the same, in one line."""
    for one in found.categories:
        if one.score is None and not one.opinion:
            yield Item(
                f"{one.name}: missing {display.micro('; '.join(lack.what for lack in one.missing))}", tone="warn"
            )
    by_lack: dict[str, list[str]] = {}
    for one in found.categories:
        if one.score is None and one.opinion:
            by_lack.setdefault("; ".join(lack.what for lack in one.missing), []).append(one.name)
    for lack, names in by_lack.items():
        yield Item(f"{', '.join(names)}: missing {lack}", tone="muted")


def _commands(found: Ratings) -> Iterator[Code]:
    """Each once; not one that another does as well."""
    lacks = [*found.stars.missing, *(lack for one in found.categories for lack in one.missing)]
    every = list(dict.fromkeys(display.plain(one.command) for one in lacks if one.command))
    lines = tuple(one for one in every if not any(other.startswith(f"{one} ") for other in every))
    if lines:
        yield Code(lines, title="To learn what is missing")


# ---- rules ----------------------------------------------------------------------------------------------------------


def _rules(run: RunView, found: Ratings) -> Iterator[Item]:
    for name, rule in STARS:
        yield Item(f"Stars, {name}: {rule}", tone="muted")
    for one in found.categories:
        if one.rule:
            yield Item(f"{display.sentence(one.name)}: {one.rule}", tone="muted", links=_links(run, one.basis))


def _links(run: RunView, basis: Sequence[Reference]) -> tuple[Cell, ...]:
    """To results, and to the audit where findings are the basis."""
    behind: list[Entry] = []
    for one in basis:
        if "id" in one:
            entries = list(run.find(str(one["id"]), one.get("params") or {}))
            exact = [entry for entry in entries if entry.status == one.get("status")] or entries
            behind += exact[:1]
    audit = (Cell("audit", href="audit"),) if any("check" in one for one in basis) else ()
    return (*links_to(behind), *audit)
