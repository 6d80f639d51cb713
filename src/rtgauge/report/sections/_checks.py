"""The checks of a test: what had to hold, what had not to, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Cell, Column, Table

_ROLES = {"property": "must hold", "control": "negative control: must not hold", "report": "reported only"}

Result = Mapping[str, Any]


def checks_of(result: Result) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    for check in result.get("checks") or ():
        role, holds = str(check.get("role")), bool(check.get("holds"))
        good = {"property": holds, "control": not holds}.get(role)
        word = "holds" if holds else "does not hold"
        judged = {True: "as it must", False: f"but must{' not' if holds else ''}", None: ""}[good]
        tone = {True: "good", False: "bad", None: "plain"}[good]
        rows.append(
            (
                Cell(display.sentence(str(check.get("what") or check.get("name") or "–"))),
                Cell(_ROLES.get(role, role), tone="muted"),
                Cell(f"{word}, {judged}" if judged else word, tone=tone),  # type: ignore[arg-type]
            )
        )
    for name, why in map(_pair, result.get("unchecked") or ()):
        rows.append((Cell(str(name)), Cell("could not be made", tone="warn"), Cell(str(why), tone="warn")))
    return Table((Column("Check"), Column("Role"), Column("Found")), tuple(rows)) if rows else None


def in_words(result: Result) -> str:
    """`4 of 4 properties hold, 2 of 2 negative controls fail as they must`"""
    told = []
    for role, wanted, name, verb in (
        ("property", True, "properties hold", "property holds"),
        ("control", False, "negative controls fail as they must", "negative control fails as it must"),
    ):
        held = [bool(check.get("holds")) == wanted for check in result.get("checks") or () if check.get("role") == role]
        if held:
            told.append(f"{sum(held)} of {len(held)} {verb if len(held) == 1 else name}")
    return ", ".join(told)


def _pair(unchecked: Any) -> tuple[Any, Any]:
    if isinstance(unchecked, Mapping):
        return unchecked.get("name", "–"), unchecked.get("why", "–")
    name, why = unchecked
    return name, why
