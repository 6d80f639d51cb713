"""Ratings of one run: stars against its deadline, and 0 to 10 in each category, each by a printed rule.

A rating says what was shown, not what may be: what was not measured, not permitted, lost or undecided never counts in
favour. It is made from one run alone, so that no other system changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.ratings.aspects import ASPECTS, aspects, comparable
from rtgauge.ratings.categories import measured
from rtgauge.ratings.facts import is_imported, is_virtual
from rtgauge.ratings.model import Category, Missing, Part, Ratings, Reference, Stars, to_json
from rtgauge.ratings.opinions import categories as opinion_categories
from rtgauge.ratings.opinions import read_opinions, template
from rtgauge.ratings.published import printed
from rtgauge.ratings.stars import stars

__all__ = [
    "ASPECTS",
    "Category",
    "Missing",
    "Part",
    "Ratings",
    "Reference",
    "Stars",
    "aspects",
    "comparable",
    "is_virtual",
    "printed",
    "rate",
    "read_opinions",
    "template",
    "to_json",
]

_NO_OPINIONS: Mapping[str, Any] = {}


def rate(
    content: Mapping[str, Any],
    manifest: Mapping[str, Any],
    opinions: Mapping[str, Any] = _NO_OPINIONS,
    *,
    virtual: bool = False,
) -> Ratings:
    """The ratings of one run. `content`: of results.json; `opinions`: as `read_opinions` gives them; `virtual`: rate
    the performance of a run in virtual time as well, which is withheld otherwise."""
    return Ratings(
        stars=stars(content, manifest, virtual),
        categories=(*measured(content, manifest, virtual), *opinion_categories(opinions)),
        virtual=is_virtual(content, manifest),
        notes=tuple(_notes(content, manifest, opinions)),
    )


def _notes(content: Mapping[str, Any], manifest: Mapping[str, Any], opinions: Mapping[str, Any]) -> list[str]:
    """What a reader must know before the figures."""
    notes = []
    if is_virtual(content, manifest):
        notes.append("Measured in virtual time: times count instructions, and hold for no real machine.")
    if is_imported(content, manifest):
        notes.append("Read from the file of another program: what it does not tell is not known.")
    if manifest.get("state") in ("interrupted", "broken", "running"):
        notes.append(f"The run is {manifest['state']}: what was not measured is missing here.")
    if opinions.get("system"):
        notes.append(f"The opinions are of: {opinions['system']}.")
    return notes
