"""What is fetched by apt: once, and by one of us at a time."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab import commands, modules
from rtgauge.lab.packages import Fetched, fetch
from rtgauge.lab.storage import Storage
from tests.lab.tools import at_once, no_writing, tool

ALONE = (
    "mkdir {folder}/busy || {{ echo 'E: two at once' >&2; echo x > {folder}/both; exit 100; }}; "
    "sleep 0.1; rmdir {folder}/busy"
)
KERNEL = "/boot/vmlinuz-1"


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt that notes its calls and sees whether there are two of it; every package has the same content."""
    folder = tmp_path / "bin"
    folder.mkdir()
    with tarfile.open(folder / "tar", "w") as archive:
        member = tarfile.TarInfo(f".{KERNEL}")
        member.size = 6
        archive.addfile(member, io.BytesIO(b"kernel"))
    alone = ALONE.format(folder=folder)
    calls = tool(folder, "apt-get", f'{alone}; case "$*" in *download*) echo deb > one.deb;; esac', monkeypatch)
    tool(folder, "apt-cache", "echo linux-image-1; echo linux-image-2", monkeypatch)
    shows = f"case $1 in --fsys-tarfile) cat {folder}/tar;; --field) [ $3 = Version ] && echo 1.0;; "
    extracts = (
        "--extract) mkdir -p $3/usr/src/linux-headers-1; echo x > $3/usr/src/linux-headers-1/Makefile;; esac; exit 0"
    )
    tool(folder, "dpkg-deb", shows + extracts, monkeypatch)
    return calls


def fetching(storage: Storage, name: str, say: Callable[[str], None] = lambda _text: None) -> Callable[[], Fetched]:
    return lambda: fetch(storage, name, "x86_64", [r"linux-image-(\d+)"], "/boot/vmlinuz-.*", say)


def downloads(calls: Path) -> int:
    return calls.read_text().count("download")


def test_a_package_is_fetched_once_and_read_afterwards(
    apt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage, said = Storage(tmp_path / "cache"), list[str]()
    first = fetching(storage, "one", said.append)()
    assert (first.package, first.version) == ("linux-image-2", "1.0")
    assert storage.get(first.files[KERNEL]) == b"kernel"
    assert list((tmp_path / "cache" / "tmp").iterdir()) == []
    no_writing(monkeypatch)
    assert fetching(storage, "one", said.append)() == first
    assert said == ["fetching the lists of packages", "fetching linux-image-2, once"]
    assert downloads(apt) == 1


def test_damaged_files_are_fetched_again_and_stay(apt: Path, tmp_path: Path) -> None:
    storage = Storage(tmp_path / "cache")
    first = fetching(storage, "one")()
    (tmp_path / "cache" / "blobs" / first.files[KERNEL]).write_bytes(b"")
    assert [fetching(storage, "one")() for _ in range(2)] == [first] * 2
    assert storage.get(first.files[KERNEL]) == b"kernel"
    assert downloads(apt) == 2


def test_who_waited_for_the_same_package_does_not_fetch_it(apt: Path, tmp_path: Path) -> None:
    storage = Storage(tmp_path / "cache")
    found = at_once(*[fetching(storage, "one")] * 3)
    assert found == [found[0]] * 3
    assert downloads(apt) == 1


def test_kernels_and_headers_are_fetched_one_after_the_other(
    apt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    storage = Storage(tmp_path / "cache")

    def headers() -> Path:
        return modules._headers(storage, "1", "x86_64", lambda _text: None)

    at_once(fetching(storage, "one"), headers, fetching(storage, "two"), headers)
    assert (headers() / "usr" / "src" / "linux-headers-1" / "Makefile").exists()
    assert not (apt.parent / "both").exists()
    assert downloads(apt) == 3


def test_an_apt_that_waits_on_a_full_disk_is_ended(apt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (apt.parent / "apt-get").write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(commands, "LOOK_S", 0.1)
    said, storage = list[str](), Storage(tmp_path / "cache")
    assert storage.full() is None
    monkeypatch.setattr("rtgauge.lab.storage.FULL_BYTES", 1 << 62)
    with pytest.raises(TargetError, match="cache cannot be written: the disk is full; XDG_CACHE_HOME=DIR names"):
        fetching(storage, "one", said.append)()
    assert said == ["fetching the lists of packages"]


def test_what_apt_says_last_is_the_reason(apt: Path, tmp_path: Path) -> None:
    (apt.parent / "apt-get").write_text("#!/bin/sh\necho W: something >&2; echo 'E: no such package' >&2; exit 100\n")
    with pytest.raises(TargetError, match=r"^apt-get -q download linux-image-2 failed: E: no such package$"):
        fetching(Storage(tmp_path / "cache"), "one")()
