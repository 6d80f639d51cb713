"""Data flows one way: no stage imports a later one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rtgauge

SOURCE = Path(rtgauge.__file__).parent
LAYERS = (
    "reference", "trace", "lab", "targets", "samples", "stats", "extremes", "blame", "results", "requirements",
    "verdict", "pipeline", "importers", "findings", "ratings", "report", "export", "compare", "gate", "cli",
)  # fmt: skip
"""Earlier first. Targets give bytes; they use the reader of the trace for its light events."""

BASE = {
    "model",
    "_accumulated",
    "_held",
    "_toml",
    "definitions",
    "errors",
    "registry",
    "units",
    "",
}  # of use to everybody, and using nobody
NUMBERS = {"scipy"}  # what computes, beside plain arrays


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def layer_of(name: str) -> str:
    """The part of the package that a dotted module name belongs to; "" for the package itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports(path: Path) -> Iterator[str]:
    """Dotted names of the modules that a file imports, also inside functions."""
    package = ["rtgauge", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield stem
            yield from (f"{stem}.{alias.name}" for alias in node.names if stem == "rtgauge")


def own_layer(path: Path) -> str:
    return path.relative_to(SOURCE).with_suffix("").parts[0].replace("__init__", "")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_back_edge(path: Path) -> None:
    own = own_layer(path)
    for name in imports(path):
        if not name.startswith("rtgauge"):
            continue
        other = layer_of(name)
        if own in BASE and own:
            assert other in BASE, f"{own} must not import {name}"
        if own in LAYERS and other in LAYERS:
            assert LAYERS.index(other) <= LAYERS.index(own), f"{own} must not import {name}"
        assert other != "cli" or own in {"cli", "__main__"}, f"only the command line may import {name}"


def test_the_report_computes_nothing() -> None:
    for path in modules():
        if own_layer(path) == "report":
            found = {name.split(".")[0] for name in imports(path)} & NUMBERS
            assert not found, f"{path.name} imports {found}"


def test_the_walk_sees_imports() -> None:
    """The tests above would pass on an empty walk."""
    assert "rtgauge.trace.frames" in set(imports(SOURCE / "trace" / "reader.py"))
    assert "scipy.stats" in set(imports(SOURCE / "stats" / "slope.py"))
    assert {own_layer(path) for path in modules()} >= {"trace", "samples", "stats", "verdict", "pipeline", "results"}
