"""Places in the document and what leads to them, under names of our own: what a trace names reaches no link."""

from __future__ import annotations

from typing import Any


def joined(tree: Any) -> Any:
    """`tree` with each place (`id`) named by a number, and each way to it (`to`, `page`) by the same. Of places with
    one name the first counts; ways that lead nowhere are taken out."""
    names: dict[str, str] = {}
    _collect(tree, names)
    return _renamed(tree, names, set())


def _collect(tree: Any, names: dict[str, str]) -> None:
    if isinstance(tree, dict):
        place = tree.get("id")
        if place:
            names.setdefault(place, f"p{len(names)}")
        for value in tree.values():
            _collect(value, names)
    elif isinstance(tree, list):
        for value in tree:
            _collect(value, names)


def _renamed(tree: Any, names: dict[str, str], placed: set[str]) -> Any:
    if isinstance(tree, list):
        return [_renamed(value, names, placed) for value in tree]
    if not isinstance(tree, dict):
        return tree
    kept = {}
    for key, value in tree.items():
        if key in {"to", "page"}:
            if value in names:
                kept[key] = names[value]
        elif key == "id":
            if value and value not in placed:
                placed.add(value)
                kept[key] = names[value]
        else:
            kept[key] = _renamed(value, names, placed)
    return kept
