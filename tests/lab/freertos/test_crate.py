"""The kernel's sources out of their crate: fetched once, checked, and unpacked with care."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.freertos import crate
from rtgauge.lab.storage import Storage
from tests.lab.tools import at_once, no_writing

FILES = {f"FreeRTOS-Kernel/{name}": b"int x;\n" for name in ("tasks.c", "include/task.h", "portable/GCC/A/port.c")}


def archive(files: dict[str, bytes], folder: str = "freertos-next-0.12.0") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as made:
        for name, content in files.items():
            member = tarfile.TarInfo(f"{folder}/{name}" if folder else name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return out.getvalue()


@pytest.fixture
def content(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The crate that is asked for."""
    made = archive({**FILES, "src/lib.rs": b"//"})
    monkeypatch.setattr(crate, "SHA256", hashlib.sha256(made).hexdigest())
    return made


def cargo(folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch, needs: str = "", says: str = "") -> Path:
    """A cargo that loads the crate, if it was called with `needs` among its words, and notes each call."""
    folder.mkdir()
    (folder / "crate").write_bytes(content)
    calls = folder / "calls"
    program = folder / "cargo"
    program.write_text(
        "#!/bin/sh\n"
        f'echo "$*|$RUSTC_BOOTSTRAP" >> {calls}\n'
        f'case "$*" in *"{needs}"*) ;; *) echo "error: {says}" >&2; exit 101;; esac\n'
        'mkdir -p "$CARGO_HOME/registry/cache/some-index"\n'
        f'cp {folder / "crate"} "$CARGO_HOME/registry/cache/some-index/freertos-next-0.12.0.crate"\n'
        'echo "error: there is nothing to install" >&2\nexit 101\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return calls


def test_it_is_fetched_once_and_offline_afterwards(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, storage, said = cargo(tmp_path / "bin", content, monkeypatch), Storage(tmp_path / "cache"), []
    assert not crate.is_there(storage)
    root, digest = crate.tree_of_crate(storage, said.append)
    assert (root / "tasks.c").read_bytes() == b"int x;\n"
    assert not (root.parent / "src").exists()
    assert len(said) == 1
    assert crate.is_there(storage)
    (tmp_path / "bin" / "cargo").unlink()
    assert crate.tree_of_crate(storage, said.append) == (root, digest)
    assert len(calls.read_text().splitlines()) == len(said) == 1
    assert "--version =0.12.0" in calls.read_text()
    assert sorted(path.name for path in root.parent.parent.iterdir()) == [".lock", root.parent.name]


def test_who_waited_for_it_does_not_fetch_it_and_what_is_there_is_only_read(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, storage = cargo(tmp_path / "bin", content, monkeypatch), Storage(tmp_path / "cache")
    unpack, unpacked = crate.unpack, list[Path]()
    monkeypatch.setattr(crate, "unpack", lambda content, root: (unpacked.append(root), unpack(content, root)))
    found = at_once(*[lambda: crate.tree_of_crate(storage, lambda _text: None)] * 3)
    assert found == [found[0]] * 3
    assert len(calls.read_text().splitlines()) == len(unpacked) == 1
    no_writing(monkeypatch)
    assert crate.tree_of_crate(storage, lambda _text: None) == found[0]


def test_a_tree_that_somebody_changed_is_unpacked_again(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    cargo(tmp_path / "bin", content, monkeypatch)
    storage = Storage(tmp_path / "cache")
    root, digest = crate.tree_of_crate(storage, lambda _text: None)
    (root / "tasks.c").write_bytes(b"int y;\n")
    assert crate.tree_of_crate(storage, lambda _text: None) == (root, digest)
    assert (root / "tasks.c").read_bytes() == b"int x;\n"


def test_an_older_cargo_is_asked_in_another_way(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = cargo(tmp_path / "bin", content, monkeypatch, needs="-Z sparse-registry", says="no index")
    assert crate.fetched(Storage(tmp_path / "cache")) == content
    assert [line.partition("|")[2] for line in calls.read_text().splitlines()] == ["", "1"]


def test_what_every_way_said_is_told(tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    cargo(tmp_path / "bin", content, monkeypatch, needs="no such word", says="no way to the registry")
    with pytest.raises(TargetError, match=r"cannot be fetched by cargo: error: no way to the registry$"):
        crate.fetched(Storage(tmp_path / "cache"))


def test_another_file_than_the_one_that_is_known_is_refused(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    cargo(tmp_path / "bin", content + b"x", monkeypatch)
    storage = Storage(tmp_path / "cache")
    with pytest.raises(TargetError, match=r"is not freertos-next 0.12.0: its SHA-256 is"):
        crate.tree_of_crate(storage, lambda _text: None)
    assert not crate.is_there(storage)


def test_without_cargo_the_package_and_the_way_around_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError, match="install the package cargo, or give --freertos-kernel DIR"):
        crate.fetched(Storage(tmp_path / "cache"))


@pytest.mark.parametrize("name", ["FreeRTOS-Kernel/../../../evil.c", "/evil.c", "../evil.c"])
def test_nothing_is_written_outside(tmp_path: Path, name: str) -> None:
    crate.unpack(archive({**FILES, name: b"evil"}), tmp_path / "a" / "b" / "root")
    assert not [path for path in tmp_path.rglob("*") if path.name == "evil.c"]


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"no archive", "cannot be unpacked"), (archive({"src/lib.rs": b""}), "has no FreeRTOS-Kernel")],
)
def test_what_is_no_such_crate_is_said(tmp_path: Path, content: bytes, what: str) -> None:
    with pytest.raises(TargetError, match=what):
        crate.unpack(content, tmp_path)


def test_a_crate_that_is_far_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crate, "_BYTES_MOST", 10)
    with pytest.raises(TargetError, match="larger than it should be"):
        crate.unpack(archive(FILES), tmp_path)
