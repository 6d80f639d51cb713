"""docs/import-export.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from rtgauge import export, importers
from rtgauge.export.csv import COLUMNS
from rtgauge.importers import thread_metric
from rtgauge.store.folder import HASHED_IMPORT, MANIFEST
from tests.importers.test_formats import EXPECTED, imported

TEXT = (Path(__file__).parent.parent.parent / "docs/import-export.md").read_text()


def table(head: str) -> list[list[str]]:
    """The rows below the first table head that begins so."""
    lines = TEXT[TEXT.index(f"| {head}") :].splitlines()
    rows = lines[2 : next(i for i, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_formats_are_all_there() -> None:
    rows = table("format | what | test")
    assert [named(row[0])[0] for row in sorted(rows)] == list(importers.formats())
    after = TEXT.index("## Runs for other programs")
    assert sorted(re.findall(r"^\| `([\w-]+)` \|", TEXT[after:], re.M)) == list(export.formats())


def test_the_tests_are_those_that_the_files_give() -> None:
    for row in table("format | what | test"):
        files = [name for name, format in EXPECTED.items() if format == named(row[0])[0]]
        found = {result["id"] for name in files for result in imported(name)["results"]}
        assert {id_ if not id_.startswith("THM") else "THM-P-" for id_ in found} == set(named(row[2]))


def test_the_ids_of_thread_metric() -> None:
    assert {row[0]: named(row[1])[0] for row in table("Thread-Metric test")} == thread_metric._IDS


def test_the_files_and_columns() -> None:
    assert sorted(named(row[0])[0] for row in table("file | what")) == sorted([*HASHED_IMPORT, MANIFEST])
    (row,) = re.findall(r"^\| `csv` \| (.*) \|$", TEXT, re.M)
    assert set(named(row)) == set(COLUMNS)


def test_the_size_and_the_help_are_as_said() -> None:
    assert f"up to {importers.LARGEST >> 20} MiB" in TEXT
    package = Path(importers.__file__).parent.parent
    assert all(name in (package / "cli/import.py").read_text() for name in importers.formats())
    assert all(name in (package / "cli/export.py").read_text() for name in export.formats())
