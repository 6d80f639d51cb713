"""docs/runs.md says what is so."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rtgauge import cli, errors
from rtgauge.cli import main
from rtgauge.store.folder import HASHED, MANIFEST
from rtgauge.store.manifest import SCHEMA, STATES
from rtgauge.store.places import RUN_ID, store_root
from rtgauge.store.samples import SCHEMA as COLUMNS
from tests.targets.engines import ROOT, make_engine

TEXT = (ROOT / "docs/runs.md").read_text()


def table(section: str) -> list[list[str]]:
    """The rows of the table below a heading, without its head."""
    part = re.split(r"^## ", TEXT, flags=re.M)
    (found,) = [one for one in part if one.startswith(section)]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in found.splitlines() if line[:1] == "|"]
    return rows[2:]


def names(rows: list[list[str]]) -> list[str]:
    return [name for row in rows for name in re.findall(r"`([\w.]+)`", row[0])]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A run as the commands leave it."""
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("RTGAUGE_CATALOGUE", f"sqlite:///{tmp_path / 'other.db'}")
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))
    assert main(["evaluate", "--tests", "TMR-*", "--deadline", "1s"]) == 0
    capsys.readouterr()
    (path,) = (tmp_path / "store/runs").iterdir()
    return path


def test_files_and_keys_and_columns_are_those_of_a_run(folder: Path) -> None:
    assert RUN_ID.fullmatch(folder.name)
    assert RUN_ID.fullmatch(re.search(r"runs/([\w-]+)/", TEXT)[1])  # type: ignore[index]
    assert sorted(names(table("The files"))) == sorted([MANIFEST, *HASHED])
    assert {path.name for path in folder.iterdir()} == {*names(table("The files")), "report.html"}
    manifest = json.loads((folder / MANIFEST).read_bytes())
    assert sorted(names(table(f"manifest.json, schema {SCHEMA}"))) == sorted(manifest)
    assert set(manifest["files"]) == set(HASHED)
    columns = [(row[0].strip("`"), row[1]) for row in table("samples.parquet")]
    written = pq.read_schema(folder / "samples.parquet")
    assert [name for name, _ in columns] == written.names == COLUMNS.names
    for name, kind in columns:
        assert kind in str(written.field(name).type), name


def test_the_states_are_named() -> None:
    for state in (*STATES, "incomplete"):
        assert f"`{state}`" in TEXT


def test_the_variables_do_what_is_said(folder: Path, tmp_path: Path) -> None:
    assert (tmp_path / "other.db").exists()  # RTGAUGE_CATALOGUE
    assert not (tmp_path / "store/catalogue.sqlite").exists()
    assert folder.parent.parent == tmp_path / "store"  # RTGAUGE_STORE
    assert json.loads((folder / MANIFEST).read_bytes())["engine"]["path"] == str(tmp_path / "engine/engine")
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    assert sorted(names(table("Environment"))) == sorted(
        {*re.findall(r"environ\W+(?:get\W+)?(RTGAUGE_[A-Z]+)", source)}
    )


def test_the_store_is_where_it_says() -> None:
    assert store_root("/a", {"RTGAUGE_STORE": "/b"}) == Path("/a")
    assert store_root(None, {"RTGAUGE_STORE": "/b", "XDG_DATA_HOME": "/c"}) == Path("/b")
    assert store_root(None, {"XDG_DATA_HOME": "/c"}) == Path("/c/rtgauge")
    assert store_root(None, {}) == Path("~/.local/share/rtgauge").expanduser()


def test_the_exit_codes_are_all_there() -> None:
    codes = {value for name, value in vars(errors).items() if name.startswith("EXIT_") and value < errors.EXIT_SIGNAL}
    codes |= {cli.EXIT_PIPE, *(128 + number for number in (signal.SIGINT, *cli.ENDING))}
    assert sorted(int(row[0]) for row in table("Exit codes")) == sorted(codes)
