from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from rtgauge.errors import StoreError, UsageError
from rtgauge.model import Job, RunSpec
from rtgauge.store.files import write_whole, writing
from rtgauge.store.folder import RunFolder, being_written
from rtgauge.store.manifest import seal, spec_from_json, unseal
from rtgauge.store.places import RUN_ID, find_run, new_id, run_ids, runs_root, store_root
from rtgauge.store.readers import read_manifest, run_state


def finished(store: Path, state: str = "complete", **about: Any) -> Path:
    folder = RunFolder(store, "local", about)
    folder.write_trace(b"abc")
    folder.write_json("results.json", {"results": []})
    folder.finish(state)
    return folder.path


def test_a_finished_folder_holds_the_hash_of_each_file(tmp_path: Path) -> None:
    path = finished(tmp_path, tag="t")
    manifest, changed = read_manifest(path)
    assert changed is None
    assert manifest["state"] == "complete"
    assert manifest["run"] == path.name
    assert manifest["tag"] == "t"
    assert sorted(manifest["files"]) == ["log.txt", "results.json", "trace.cbor"]
    for name, entry in manifest["files"].items():
        data = (path / name).read_bytes()
        assert entry == {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def test_a_file_is_written_once(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "local", {})
    folder.write_json("results.json", {})
    with pytest.raises(FileExistsError):
        folder.write_json("results.json", {"other": 1})
    folder.abandon()
    assert json.loads((folder.path / "results.json").read_text()) == {}


def test_files_of_a_finished_run_are_not_writable(tmp_path: Path) -> None:
    path = finished(tmp_path)
    for file in path.iterdir():
        assert file.stat().st_mode & 0o222 == 0


def test_a_folder_that_is_being_written_says_running_and_one_left_behind_incomplete(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "local", {})
    assert being_written(folder.path)
    assert run_state(folder.path, read_manifest(folder.path)[0]) == "running"
    folder.abandon()
    assert not being_written(folder.path)
    assert run_state(folder.path, read_manifest(folder.path)[0]) == "incomplete"


def test_nothing_temporary_stays(tmp_path: Path) -> None:
    path = finished(tmp_path)
    assert not [file for file in path.iterdir() if file.name.startswith(".")]


def test_the_trace_is_on_disk_as_it_arrives(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "local", {})
    folder.write_trace(b"one")
    assert (folder.path / "trace.cbor").read_bytes() == b"one"
    folder.write_trace(b"two")
    assert (folder.path / "trace.cbor").read_bytes() == b"onetwo"
    folder.abandon()


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "disk is full"), (errno.EROFS, "read-only"), (errno.EACCES, "denied"), (errno.EIO, "rror")],
)
def test_a_disk_that_refuses_is_one_line(number: int, words: str) -> None:
    with pytest.raises(StoreError, match=rf"^cannot write /x: .*{words}[^\n]*$"), writing(Path("/x")):
        raise OSError(number, "whatever")


def test_a_file_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    def fill(file: Any) -> None:
        file.write(b"begin")
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(StoreError, match="disk is full"):
        write_whole(tmp_path / "x", fill)
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_stays_when_the_new_one_does_not_fit(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("old")

    def fill(_file: Any) -> None:
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(StoreError):
        write_whole(tmp_path / "x", fill)
    assert (tmp_path / "x").read_text() == "old"


def test_a_store_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        RunFolder(tmp_path / "store", "local", {})


# ---- the manifest ----


def test_every_changed_byte_of_a_manifest_is_found(tmp_path: Path) -> None:
    raw = (finished(tmp_path, tag="some note") / "manifest.json").read_bytes()
    assert unseal(raw)[1] is None
    unseen = []
    for position in range(len(raw)):
        for bit in (0x01, 0x20):
            changed = bytearray(raw)
            changed[position] ^= bit
            try:
                if unseal(bytes(changed))[1] is None:
                    unseen.append(position)
            except StoreError:
                pass
    assert unseen == []


def test_added_bytes_are_found() -> None:
    raw = seal({"schema": 1})
    assert unseal(raw + b" ")[1] is not None
    assert unseal(raw.replace(b"\n", b"\r\n"))[1] is not None


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"1"])
def test_what_is_no_manifest_is_a_clear_error(raw: bytes) -> None:
    with pytest.raises(StoreError, match="damaged"):
        unseal(raw)


def test_a_newer_schema_is_a_clear_error() -> None:
    with pytest.raises(StoreError, match=r"schema 2.*newer rtgauge"):
        unseal(seal({"schema": 2}))


def test_a_spec_survives() -> None:
    jobs = (Job("THR-P-SLS", 10, {"threads": 2, "kind": "x"}), Job("CAL-P-TRC", 5))
    spec = RunSpec(jobs=jobs, level=3, cpu=1, memory=5, time_ms=7, cache="dirty", environment={"load": "none"})
    assert spec_from_json(json.loads(json.dumps(spec.as_dict()))) == spec


@pytest.mark.parametrize("content", [None, {}, [], {"jobs": 3}, {**RunSpec(()).as_dict(), "cache": "warm"}])
def test_what_is_no_spec_is_a_clear_error(content: object) -> None:
    with pytest.raises(StoreError, match="specification"):
        spec_from_json(content)


# ---- places ----


def test_ids_match_their_pattern_whatever_the_target_is_called() -> None:
    from datetime import datetime, timezone

    moment = datetime(2026, 11, 21, 20, 45, 12, tzinfo=timezone.utc)
    for target in ("local", "replay:../../etc", "", "Ä:x", "ssh:me@host"):
        assert RUN_ID.fullmatch(new_id(target, moment))
    assert re.fullmatch(r"20261121-204512-local-[0-9a-f]{6}", new_id("local", moment))


def test_runs_of_one_second_are_in_order(tmp_path: Path) -> None:
    made = [finished(tmp_path).name for _ in range(8)]
    assert run_ids(tmp_path) == made
    assert find_run("last", tmp_path).name == made[-1]


def test_a_run_is_found_by_id_beginning_path_and_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = finished(tmp_path)
    monkeypatch.chdir(runs_root(tmp_path))
    for name in (path.name, path.name[:-1], path.name[:4], str(path), f"./{path.name}", "last"):
        assert find_run(name, tmp_path) == path
    monkeypatch.chdir(path)
    assert find_run(".", tmp_path) == path


def test_a_beginning_of_several_names_them(tmp_path: Path) -> None:
    names = [finished(tmp_path).name for _ in range(2)]
    with pytest.raises(UsageError, match="begins 2 runs") as caught:
        find_run("20", tmp_path)
    assert all(name in str(caught.value) for name in names)


@pytest.mark.parametrize("name", ["nonsense", "", "../runs", "/nowhere", "last"])
def test_a_run_that_is_not_there_is_wrong_usage(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no run"):
        find_run(name, tmp_path)


def test_folders_that_are_no_runs_are_not_listed(tmp_path: Path) -> None:
    path = finished(tmp_path)
    (runs_root(tmp_path) / "something").mkdir()
    (runs_root(tmp_path) / "20261121-204512-local-ab12cd").write_text("a file")
    assert run_ids(tmp_path) == [path.name]


def test_the_store_is_where_the_user_says(tmp_path: Path) -> None:
    assert store_root(str(tmp_path), {"RTGAUGE_STORE": "/a"}) == tmp_path
    assert store_root(None, {"RTGAUGE_STORE": "/a", "XDG_DATA_HOME": "/b"}) == Path("/a")
    assert store_root(None, {"XDG_DATA_HOME": "/b"}) == Path("/b/rtgauge")
    assert store_root(None, {"XDG_DATA_HOME": "relative"}) == Path.home() / ".local/share/rtgauge"
    assert store_root(None, {}) == Path.home() / ".local/share/rtgauge"
    assert os.fspath(store_root("x", {})).startswith("/")


def test_a_folder_that_cannot_be_begun_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_self: RunFolder) -> None:
        raise StoreError("cannot write: the disk is full")

    monkeypatch.setattr(RunFolder, "_write_manifest", full)
    with pytest.raises(StoreError):
        RunFolder(tmp_path, "local", {})
    assert run_ids(tmp_path) == []


def test_the_log_is_text(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "local", {})
    folder.log("a\x1b[31mb\nc")
    folder.abandon()
    assert (folder.path / "log.txt").read_text().endswith("Z a\ufffd[31mb\ufffdc\n")
