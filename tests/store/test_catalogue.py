from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from rtgauge.errors import StoreError
from rtgauge.store import catalogue
from rtgauge.store.catalogue import index_run, list_runs
from rtgauge.store.folder import RunFolder
from rtgauge.store.places import runs_root


@pytest.fixture(autouse=True)
def _no_catalogue_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)


def stored(store: Path, state: str = "complete", ruling: str = "pass", **about: Any) -> Path:
    folder = RunFolder(store, "local", {"host": "h", "tag": "", **about})
    folder.write_json("results.json", {"results": [{}, {}], "verdict": {"ruling": ruling}})
    folder.finish(state)
    return folder.path


def runs(store: Path) -> list[tuple[str, str]]:
    return [(row["run"], row["state"]) for row in list_runs(store)]


def test_it_lists_every_folder_newest_first(tmp_path: Path) -> None:
    made = [stored(tmp_path, tag=str(i)) for i in range(3)]
    rows = list_runs(tmp_path)
    assert [row["run"] for row in rows] == [path.name for path in reversed(made)]
    assert rows[0] == {
        "run": made[2].name,
        "created": rows[0]["created"],
        "state": "complete",
        "target": "local",
        "host": "h",
        "tag": "2",
        "tests": 2,
        "verdict": "pass",
        "path": str(made[2]),
    }
    assert (tmp_path / "catalogue.sqlite").exists()


def test_no_store_has_no_runs_and_is_not_made(tmp_path: Path) -> None:
    assert list_runs(tmp_path / "none") == []
    assert not (tmp_path / "none").exists()


def test_folders_that_come_and_go_are_seen(tmp_path: Path) -> None:
    first, second = stored(tmp_path), stored(tmp_path)
    assert len(runs(tmp_path)) == 2
    shutil.rmtree(first)
    third = stored(tmp_path)
    assert runs(tmp_path) == [(third.name, "complete"), (second.name, "complete")]


def test_a_changed_folder_is_read_again(tmp_path: Path) -> None:
    path = stored(tmp_path)
    assert runs(tmp_path) == [(path.name, "complete")]
    (path / "manifest.json").unlink()
    (path / "manifest.json").write_text("no manifest")
    assert runs(tmp_path) == [(path.name, "damaged")]


def test_a_killed_writer_is_seen_though_no_file_changed(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "local", {})
    assert runs(tmp_path) == [(folder.id, "running")]
    folder.abandon()
    assert runs(tmp_path) == [(folder.id, "incomplete")]


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 100, None])
def test_a_missing_or_damaged_catalogue_is_made_again(tmp_path: Path, content: bytes | None) -> None:
    path = stored(tmp_path)
    index_run(tmp_path)
    file = tmp_path / "catalogue.sqlite"
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    assert runs(tmp_path) == [(path.name, "complete")]
    with sqlite3.connect(file) as database:
        assert database.execute("select count(*) from rtgauge_runs_1").fetchone() == (1,)
    database.close()


def test_a_catalogue_damaged_inside_is_made_again(tmp_path: Path) -> None:
    made = {stored(tmp_path).name for _ in range(30)}
    index_run(tmp_path)
    file = tmp_path / "catalogue.sqlite"
    data = bytearray(file.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    file.write_bytes(data)
    assert {name for name, _ in runs(tmp_path)} == made
    assert {state for _, state in runs(tmp_path)} == {"complete"}


def test_a_catalogue_that_cannot_be_a_file_does_not_matter(tmp_path: Path) -> None:
    path = stored(tmp_path)
    (tmp_path / "catalogue.sqlite").mkdir()
    assert runs(tmp_path) == [(path.name, "complete")]


def test_another_database_by_url_serves_several_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTGAUGE_CATALOGUE", f"sqlite:///{tmp_path / 'shared.db'}")
    one, two = stored(tmp_path / "one"), stored(tmp_path / "two")
    for _ in range(2):
        assert runs(tmp_path / "one") == [(one.name, "complete")]
        assert runs(tmp_path / "two") == [(two.name, "complete")]
    with sqlite3.connect(tmp_path / "shared.db") as database:
        assert database.execute("select count(*) from rtgauge_runs_1").fetchone() == (2,)
    database.close()
    assert not (tmp_path / "one" / "catalogue.sqlite").exists()


@pytest.mark.parametrize("name", ["a ? b # %41 & c", "line\nend", b"no\xfftext"])
def test_a_store_may_have_any_name(tmp_path: Path, name: str | bytes) -> None:
    store = tmp_path / (name if isinstance(name, str) else os.fsdecode(name))
    path = stored(store)
    for _ in range(2):
        assert runs(store) == [(path.name, "complete")]
    assert (store / "catalogue.sqlite").is_file()
    assert list(tmp_path.iterdir()) == [store]


def test_a_catalogue_in_use_by_others_is_not_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge.store.catalogue.LOCKED_S", 0.1)
    path = stored(tmp_path)
    assert runs(tmp_path) == [(path.name, "complete")]
    file = tmp_path / "catalogue.sqlite"
    number = file.stat().st_ino
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("begin exclusive")
    assert runs(tmp_path) == [(path.name, "complete")]
    other.close()
    assert file.stat().st_ino == number


def test_those_who_write_the_same_rows_at_once_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, failures = stored(tmp_path), [1, 1, 1]
    synchronised = catalogue._synchronised

    def collide(*words: Any) -> Any:
        if failures:
            failures.pop()
            raise IntegrityError("insert", None, Exception("duplicate"))
        return synchronised(*words)

    monkeypatch.setattr(catalogue, "_synchronised", collide)
    monkeypatch.setattr(catalogue, "TOGETHER_S", 0.0)
    assert [row["run"] for row in list_runs(tmp_path, f"sqlite:///{tmp_path / 'shared.db'}")] == [path.name]


@pytest.mark.postgresql
def test_postgresql(tmp_path: Path) -> None:
    url = os.environ["RTGAUGE_TEST_POSTGRESQL"]
    path = stored(tmp_path, tag="\0x\x1b")
    for _ in range(2):
        assert [row["run"] for row in list_runs(tmp_path, url)] == [path.name]
    shutil.rmtree(path)
    assert list_runs(tmp_path, url) == []


def test_a_missing_driver_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match="needs the Python package psycopg: install it"):
        list_runs(tmp_path, "postgresql+psycopg://u@127.0.0.1/x")


@pytest.mark.parametrize("url", ["nonsense", "nodialect://x/y", "sqlite:////nowhere/at/all.db"])
def test_a_url_that_cannot_be_used_is_one_line(tmp_path: Path, url: str) -> None:
    stored(tmp_path)
    with pytest.raises(StoreError, match=r"^the catalogue[^\n]*$"):
        list_runs(tmp_path, url)
    index_run(tmp_path)


def test_hostile_texts_are_kept_as_text(tmp_path: Path) -> None:
    stored(tmp_path, tag="'; drop table rtgauge_runs_1; --\x00\ud800", target="local")
    assert list_runs(tmp_path)[0]["tag"].startswith("'; drop table")
    assert list_runs(tmp_path)[0]["tag"].startswith("'; drop table")
    assert runs_root(tmp_path).is_dir()
