"""What stands in mutants.toml is still about the source as it is; whether it survives is seen by `make mutate` only."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

import rtgauge

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENTRIES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "mutants.toml").read_text("utf-8"))["mutant"]


def functions(file: str) -> dict[str, str]:
    tree = ast.parse((Path(rtgauge.__file__).parent / file).read_text("utf-8"))
    return {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["where"])
def test_an_explained_change_is_one_of_the_source(entry: dict[str, Any]) -> None:
    file, function = entry["where"].split()
    assert set(entry) == {"where", "was", "becomes", "why"}
    assert entry["was"] in functions(file)[function.split(".")[-1]]
    assert entry["becomes"]
    assert entry["was"] not in entry["becomes"]
    assert entry["why"]
