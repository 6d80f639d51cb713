"""What is judged of the systems as tables: what is not equal, ratings, points, the conclusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtgauge.compare.tables import Grid
from rtgauge.compare.values import Column, Comparison
from rtgauge.compare.words import NONE

if TYPE_CHECKING:
    from rtgauge.ratings import Category, Missing, Ratings

STARS = "stars"
NO_CONCLUSION = "Nothing that these systems have in common permits a conclusion."
_ORIGIN = {"measured": "", "opinion": "opinion", "published": "published"}


def drift(made: Comparison) -> Grid:
    """What should be equal and is not."""
    rows = tuple((one.name, *(text or NONE for text in one.values)) for one in made.parity.drifts)
    head = ("setting", *(column.short for column in made.columns))
    return Grid("Not equal", head, rows, notes=consequence(made))


def consequence(made: Comparison) -> tuple[str, ...]:
    """What follows from what is not equal, and the way around it; nothing where all is equal."""
    parity = made.parity
    if not parity.drifts:
        return ()
    by = "" if parity.rules.source == "built in" else f" (by {parity.rules.source})"
    names = ", ".join(one.name for one in parity.drifts)
    if parity.across:
        return (f"Not equal{by}: {names}. Ranked all the same, since --across was given.",)
    return (
        f"Not equal{by}: {names}. No best marks, ratings or ranking across them: {groups(made)}.",
        "--across ranks them all the same.",
    )


def notes(made: Comparison) -> tuple[str, ...]:
    """Those of the comparison, and what is not known that should be equal."""
    names = ", ".join(one.name for one in made.parity.unknown)
    return (*([f"Not known of all systems, and taken as equal: {names}."] if names else []), *made.notes)


def groups(made: Comparison) -> str:
    """Which systems are ranked against each other."""
    every = [", ".join(made.columns[place].short for place in group) for group in made.parity.groups]
    return " apart from ".join(every)


def ratings(made: Comparison) -> tuple[Grid, ...]:
    """A table for each group of systems that may be ranked against each other, of those that have ratings."""
    grids = []
    for group in made.parity.groups:
        columns = [made.columns[place] for place in group]
        if len(columns) > 1 and any(_rated(column) for column in columns):
            names = ", ".join(column.short for column in columns)
            grids.append(_ratings(columns, f"Ratings of {names}" if made.parity.refused else "Ratings"))
    return tuple(grids)


def alone(made: Comparison) -> tuple[str, ...]:
    """Whose ratings stand beside no others, and where they are told instead."""
    columns = [made.columns[group[0]] for group in made.parity.groups if len(group) == 1]
    names = [column.short for column in columns if _rated(column)]
    if not names or not made.parity.refused:
        return ()
    where = "`rtgauge report RUN` tells those of a run, --across shows all"
    return (f"Ratings of systems that are ranked against no others are not shown: {', '.join(names)}. {where}.",)


def _rated(column: Column) -> bool:
    return column.ratings is not None and not column.ratings.empty


def _ratings(columns: Sequence[Column], title: str) -> Grid:
    every = [one for column in columns if column.ratings for one in column.ratings.categories]
    names = dict.fromkeys(one.name for one in every if one.score is not None or not one.opinion)
    rows = [(STARS, *(_stars(column.ratings) for column in columns))]
    rows += [(name, *(_score(column.ratings, name) for column in columns)) for name in names]
    return Grid(title, ("rating", *(column.short for column in columns)), tuple(rows))


def _stars(found: Ratings | None) -> str:
    if found is None or found.empty:
        return NONE
    stars = found.stars
    if stars.value is None:
        return stars.words or "withheld" if stars.missing else NONE
    return f"{stars.glyphs} {stars.value:g} of 5{', published' if stars.source else ''}"


def _score(found: Ratings | None, name: str) -> str:
    category = _category(found, name)
    if category is None:
        return NONE
    if category.score is None:
        return _none(category) if category.missing else NONE
    origin = _ORIGIN[category.kind]
    return f"{category.score:g} of 10{f', {origin}' if origin else ''}"


def _none(category: Category) -> str:
    """Why there is no score, in a word or two."""
    return "no opinion" if category.opinion else category.why or "not rated"


def _category(found: Ratings | None, name: str) -> Category | None:
    return next((one for one in found.categories if one.name == name), None) if found is not None else None


@dataclass(frozen=True)
class Basis:
    """How some ratings came about that have the same value for the same reason."""

    ratings: tuple[str, ...]
    systems: tuple[str, ...]
    value: str
    reason: str
    rule: str  # in words, or where it was published
    missing: bool = False

    @property
    def text(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        rule = f" ({self.rule})" if self.rule else ""
        return f"{', '.join(self.ratings)} of {', '.join(self.systems)}: {self.value}{why}{rule}"


def basis(made: Comparison) -> tuple[Basis, ...]:
    """Of each rating that is shown, or missing there: its reason, its rule, and what it lacks."""
    shown = [made.columns[place] for group in made.parity.groups if len(group) > 1 for place in group]
    systems: dict[Basis, list[str]] = {}
    for column in shown:
        if column.ratings is not None and _rated(column):
            for line in _reasons(column.ratings):
                systems.setdefault(line, []).append(column.short)
    ratings: dict[Basis, list[str]] = {}
    for line, found in systems.items():
        rule = "" if line.missing else line.rule
        ratings.setdefault(replace(line, ratings=(), systems=tuple(found), rule=rule), []).extend(line.ratings)
    return tuple(replace(line, ratings=tuple(names)) for line, names in ratings.items())


def _reasons(found: Ratings) -> Iterator[Basis]:
    """Of the ratings of one system, which is not named in them."""
    stars = found.stars
    if stars.value is not None or stars.missing:
        words = "" if stars.value is None else stars.words
        yield _one(STARS, _stars(found), _joined(words, _lacking(stars.missing)), stars.source, stars.value is None)
    for part in stars.parts:
        yield _one(f"{STARS}: {part.name}", NONE if part.value is None else f"{part.value:g} of 5", part.why, part.rule)
    for one in found.categories:
        why = "" if one.score is None else one.why
        reason = _joined(why, _lacking(one.missing))
        yield _one(one.name, _score(found, one.name), reason, one.rule or one.source, one.score is None)


def _one(rating: str, value: str, reason: str, rule: str, missing: bool = False) -> Basis:
    return Basis((rating,), (), value, reason, rule, missing)


def _lacking(missing: Sequence[Missing]) -> str:
    told = (f"{one.what} ({one.command})" if one.command else one.what for one in missing)
    text = "; ".join(told)
    return f"missing: {text}" if text else ""


def _joined(*texts: str) -> str:
    return "; ".join(text for text in texts if text)


def withheld(made: Comparison) -> tuple[str, ...]:
    """Why ratings are missing: a line for each reason."""
    return tuple(one.text for one in basis(made) if one.missing)


def conclusion(made: Comparison) -> tuple[str, ...]:
    return tuple(one.text for one in made.conclusion) or (NO_CONCLUSION,)
