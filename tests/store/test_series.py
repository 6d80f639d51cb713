"""Runs that belong together are found by what their manifests say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rtgauge.errors import UsageError
from rtgauge.model import RunSpec
from rtgauge.store.compute import compute
from rtgauge.store.folder import RunFolder
from rtgauge.store.places import run_ids
from rtgauge.store.readers import read_manifest
from rtgauge.store.series import SERIES_ID, find_runs, find_series, gravest, new_series, repeats_of, siblings
from rtgauge.trace.reader import read_trace
from tests.support.traces import build_trace


def stored(store: Path, series: str | None, number: int = 1, of: int = 2, **content: Any) -> Path:
    folder = RunFolder(store, "local", {"series": series, "repeat": {"number": number, "of": of}})
    folder.write_trace(b"")
    computed = compute(read_trace(build_trace()), RunSpec(jobs=()), folder.manifest).content
    folder.write_json("results.json", {**computed, **content})
    folder.finish("complete")
    return folder.path


def test_a_series_has_a_name_that_is_no_runs() -> None:
    name = new_series("ssh:user@host")
    assert SERIES_ID.fullmatch(name)
    assert name != new_series("ssh:user@host")


def test_a_series_is_found_by_name_beginning_and_as_the_last(tmp_path: Path) -> None:
    first, second = "series-20200101-000000-local-aaaaaa", "series-20200101-000000-local-bbbbbb"
    paths = [stored(tmp_path, first), stored(tmp_path, second), stored(tmp_path, first, 2), stored(tmp_path, None)]
    assert find_series(first, tmp_path) == [paths[0], paths[2]]
    assert find_series(second[:-3], tmp_path) == [paths[1]]
    assert find_series("last-series", tmp_path) == [paths[0], paths[2]]
    assert find_runs(["last", first, paths[0].name], tmp_path) == [paths[3], paths[0], paths[2]]
    with pytest.raises(UsageError, match="begins 2 series"):
        find_series("series-2020", tmp_path)


@pytest.mark.parametrize("name", ["series-2099", "last-series", "series-"])
def test_a_series_that_is_not_there_is_one_line(tmp_path: Path, name: str) -> None:
    stored(tmp_path, None)
    with pytest.raises(UsageError, match="--repeat N"):
        find_series(name, tmp_path)


def test_the_siblings_of_a_run_are_those_of_its_series(tmp_path: Path) -> None:
    name = new_series("local")
    mine = [stored(tmp_path, name, number) for number in (1, 2)]
    other = stored(tmp_path, new_series("local"))
    assert siblings(mine[1], read_manifest(mine[1])[0]) == mine
    assert siblings(other, read_manifest(other)[0]) == [other]
    alone = stored(tmp_path, None)
    assert siblings(alone, read_manifest(alone)[0]) == [alone]


@pytest.mark.parametrize("series", ["../../etc", "series-x", "series-20200101-000000-local-aaaaaa\x1b[31m"])
def test_a_name_that_is_none_is_no_series(tmp_path: Path, series: str) -> None:
    paths = [stored(tmp_path, series, number) for number in (1, 2)]
    assert siblings(paths[0], read_manifest(paths[0])[0]) == [paths[0]]
    with pytest.raises(UsageError):
        find_series("last-series", tmp_path)


def test_a_run_that_was_moved_elsewhere_stands_alone(tmp_path: Path) -> None:
    name = new_series("local")
    path = stored(tmp_path, name)
    stored(tmp_path, name, 2)
    moved = path.rename(tmp_path / path.name)
    assert siblings(moved, read_manifest(moved)[0]) == [moved]


def test_what_cannot_be_read_or_is_written_does_not_count_and_is_named(tmp_path: Path) -> None:
    name = new_series("local")
    paths = [stored(tmp_path, name, number, 5) for number in (1, 2, 3)]
    (paths[1] / "manifest.json").chmod(0o644)
    (paths[1] / "manifest.json").write_text("{")
    running = RunFolder(tmp_path, "local", {"series": name, "repeat": {"number": 4, "of": 5}})
    found = repeats_of([*paths, running.path])
    running.abandon()
    assert found is not None
    assert [run.run for run in found.runs] == [paths[0].name, paths[2].name]
    assert found.notes[0] == "2 of 5 runs are there; what is there counts"
    assert found.notes[1].startswith(f"{paths[1].name} does not count: ")
    assert found.notes[2] == f"{running.id} is being measured and does not count yet"
    assert repeats_of(paths[:1]) is None
    assert len(run_ids(tmp_path)) == 4


def test_the_gravest_run_is_shown(tmp_path: Path) -> None:
    rulings = ("pass", "fail", "pass")
    paths = [stored(tmp_path, None, verdict={"ruling": ruling, "reason": "r", "details": []}) for ruling in rulings]
    assert gravest(paths, repeats_of(paths)) == paths[1]
    assert gravest(paths, None) == paths[2]
