"""What a rating is: a value, the rule that gave it, the results that it rests on, and what was missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Reference = Mapping[str, Any]
"""A result ({"id", "params", "status"}, as findings name them) or an audit finding ({"check", "status"})."""

Kind = Literal["measured", "opinion", "published"]


@dataclass(frozen=True)
class Missing:
    """What a rating lacks, and the command that would give it; an empty command where no command can."""

    what: str
    command: str = ""


@dataclass(frozen=True)
class Part:
    """One criterion of the stars, with what it came to. The stars are the lowest of all parts and limits."""

    name: str  # "results", "configuration", or what limits them
    value: float | None  # 0 to 5 in halves; None: could not be judged
    why: str  # one line: the figures used
    rule: str  # in words, as printed beside it
    basis: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Stars:
    """0 to 5 in halves; 0 is the frown. None where withheld: then `missing` is not empty."""

    value: float | None
    words: str  # "four and a half stars: ..."; "withheld"; "virtual time" is part of it where it applies
    parts: tuple[Part, ...] = ()
    missing: tuple[Missing, ...] = ()
    source: str = ""  # of a published rating, e.g. "cmp-atom-2012 3.1"

    @property
    def glyphs(self) -> str:
        """`★★★½☆`; a frown for 0, a dash where withheld."""
        if self.value is None:
            return "–"
        if self.value == 0:
            return "☹"
        half = "½" if self.value % 1 else ""
        return "★" * int(self.value) + half + "☆" * (5 - int(self.value) - len(half))

    @property
    def why(self) -> tuple[str, ...]:
        """One line for each part, and for each thing that is missing."""
        return (*(f"{part.name}: {part.why}" for part in self.parts), *(f"missing: {one.what}" for one in self.missing))


@dataclass(frozen=True)
class Category:
    """0 to 10 for one field. None where withheld or not rated: then `missing` says why."""

    name: str
    score: float | None
    kind: Kind
    why: str  # one line: the rule with the figures used; of an opinion its reason
    rule: str = ""  # in words, as printed beside it
    basis: tuple[Reference, ...] = ()
    missing: tuple[Missing, ...] = ()
    source: str = ""  # of a published rating, or who gave the opinion

    @property
    def opinion(self) -> bool:
        return self.kind == "opinion"


@dataclass(frozen=True)
class Ratings:
    """All ratings of one run, or those published of one system."""

    stars: Stars
    categories: tuple[Category, ...] = ()
    virtual: bool = False  # measured in virtual time: times count instructions
    notes: tuple[str, ...] = ()  # what a reader must know first

    @property
    def empty(self) -> bool:
        """Whether nothing is told, not even of what is missing."""
        return self.stars.value is None and not self.stars.missing and not self.categories


def to_json(ratings: Ratings) -> dict[str, Any]:
    """Plain values for other programs."""
    made = asdict(ratings)
    made["stars"]["glyphs"] = ratings.stars.glyphs
    return _plain(made)  # type: ignore[no-any-return]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
