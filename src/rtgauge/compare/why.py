"""Why systems cannot be compared."""

from __future__ import annotations

from rtgauge.compare.values import Comparison, Key


def nothing_comparable(made: Comparison) -> str | None:
    """One line; None where at least two systems have something in common."""
    if len(made.columns) < 2:
        return f"nothing to compare: {made.columns[0].name} is alone, name another run or system beside it"
    if made.shared:
        return None
    keys = [{key for key in column.cells if key.kind == "test"} for column in made.columns]
    names = ", ".join(column.name for column in made.columns)
    empty = [column.name for column, found in zip(made.columns, keys, strict=True) if not found]
    if empty:
        return f"nothing comparable: {', '.join(empty)} {'has' if len(empty) == 1 else 'have'} no results"
    ids = [{key.id for key in found} for found in keys]
    common = sorted(
        {one for i, found in enumerate(ids) for one in found if any(one in other for other in ids[i + 1 :])}
    )
    if not common:
        return f"nothing comparable: {names} have no test in common"
    return f"nothing comparable: {names} have {', '.join(common[:5])} in common, but {_apart(common[0], keys)}"


def _apart(id_: str, keys: list[set[Key]]) -> str:
    """In what the results of a test differ everywhere."""
    every = [key for found in keys for key in found if key.id == id_]
    if len({key.environment for key in every}) > 1:
        told = dict.fromkeys(" ".join(f"{n}={v}" for n, v in key.environment) or "unstated" for key in every)
        return f"in different environments: {'; '.join(list(told)[:4])} (`rtgauge report A B` shows them side by side)"
    return "with other parameters, parts or checks"
