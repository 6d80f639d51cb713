"""The ratings that were published of a system, each with where it is printed; those that are lost are told as lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rtgauge.ratings.model import Category, Missing, Ratings, Stars
from rtgauge.reference import rows
from rtgauge.reference.systems import titles

_STARS, _SCORE = "stars", "0-10"


def printed(system: str, platform: str | None = None) -> Ratings:
    """What is printed of `system`, on every platform where none is named. `Ratings.empty` where nothing is."""
    found = [
        row
        for row in rows("ratings")
        if row["system"] == system and row["kind"] != "criterion" and platform in (None, row["platform"])
    ]
    groups: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for row in found:  # one rating may be printed in several sections
        key = (row["source"], row["platform"], row["kind"], row["category"], row["rating"], row["status"])
        groups.setdefault(key, []).append(row)
    stars = [same for same in groups.values() if same[0]["kind"] == _STARS]
    others = [same for same in groups.values() if same[0]["kind"] != _STARS]
    return Ratings(
        stars=_stars(stars[0]) if stars else Stars(None, "not printed"),
        categories=tuple(_category(same) for same in others),
        notes=tuple(_named(row) for row in {row["source"]: row for row in found}.values()),
    )


def _stars(same: Sequence[Mapping[str, str]]) -> Stars:
    value = float(same[0]["rating"])
    return Stars(value, f"{value:g} of 5 stars, as printed", source=_source(same))


def _category(same: Sequence[Mapping[str, str]]) -> Category:
    row = same[0]
    if row["status"] == "lost":
        missing = Missing(f"lost in the copies that were read: {_notes(same)}")
        return Category(row["category"], None, "published", "lost", missing=(missing,), source=_source(same))
    why = f"as printed, from {row['scale_min']} to {row['scale_max']}" + (f"; {_notes(same)}" if _notes(same) else "")
    return Category(row["category"], float(row["rating"]), "published", why, source=_source(same))


def _notes(same: Sequence[Mapping[str, str]]) -> str:
    return "; ".join(dict.fromkeys(row["note"] for row in same if row["note"]))


def _source(same: Sequence[Mapping[str, str]]) -> str:
    return f"{same[0]['source']} {', '.join(row['section'] for row in same)}"


def _named(row: Mapping[str, str]) -> str:
    """The source by its title."""
    return f"{row['source']}: {titles().get(row['source'], '')}".rstrip(": ")
