"""Files of a run: whole or not at all, nothing left behind, and never somebody else's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rtgauge.errors import StoreError
from rtgauge.store.compute import compute
from rtgauge.store.files import open_nameless, open_stored, read_stored, write_whole
from rtgauge.store.folder import RESERVED, RunFolder
from rtgauge.store.manifest import spec_from_json
from rtgauge.store.readers import open_run, read_manifest
from rtgauge.store.verify import verify
from rtgauge.trace import read_trace
from tests.targets.engines import ROOT

FILES = ("trace.cbor", "manifest.json", "results.json", "samples.parquet", "log.txt")


def needs_nameless_files(folder: Path) -> None:
    handle = open_nameless(folder)
    if handle is None:
        pytest.skip("needs a system with files without names")
    os.close(handle)


def test_a_process_killed_while_it_writes_leaves_no_file(tmp_path: Path) -> None:
    needs_nameless_files(tmp_path)
    code = "import sys, time\nfrom pathlib import Path\nfrom rtgauge.store.files import write_whole\n"
    code += "def fill(file):\n file.write(b'x' * 100000)\n file.flush()\n print('on it', flush=True)\n time.sleep(60)\n"
    code += "write_whole(Path(sys.argv[1]), fill)\n"
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "file")],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("nameless", [True, False])
def test_a_file_replaces_another_whole(tmp_path: Path, nameless: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not nameless:
        monkeypatch.setattr("rtgauge.store.files.open_nameless", lambda _: None)
    path = tmp_path / "file"
    for content in (b"one", b"two"):
        write_whole(path, lambda file, content=content: file.write(content))  # type: ignore[misc]
    with pytest.raises(ZeroDivisionError):
        write_whole(path, lambda file: file.write(b"three") // 0)
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_still_takes_the_last_manifest(tmp_path: Path) -> None:
    needs_nameless_files(tmp_path)

    class Full:
        closed = True

        def write(self, _: object) -> int:
            raise OSError(28, "full")

        def close(self) -> None:
            pass

    folder = RunFolder(tmp_path, "local", {})
    folder.write_trace(b"abc")
    assert folder._reserve is not None
    assert os.fstat(folder._reserve).st_blocks * 512 >= RESERVED
    folder._trace.close()
    folder._trace = Full()  # type: ignore[assignment]
    with pytest.raises(StoreError, match="the disk is full"):
        folder.write_trace(b"def")
    assert folder._reserve is None  # its room is there for the manifest now
    folder.finish("broken", why="the disk is full")
    assert read_manifest(folder.path)[0]["files"]["trace.cbor"]["bytes"] == 3


def test_only_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    assert read_stored(tmp_path / "file") == b"0123456789"
    assert read_stored(tmp_path / "file", 3) == b"0123"
    for name in ("link", "pipe"):
        began = time.monotonic()
        with pytest.raises(OSError, match=r".") as caught:
            open_stored(tmp_path / name)
        assert not isinstance(caught.value, FileNotFoundError)
        assert time.monotonic() - began < 10


def finished(store: Path) -> Path:
    folder = RunFolder(store, "local", {"spec": SPEC})
    folder.write_json("results.json", compute(read_trace(b""), spec_from_json(SPEC), folder.manifest).content)
    folder.write("samples.parquet", lambda file: file.write(b"x"))
    folder.finish("complete")
    return folder.path


SPEC = {"jobs": [], "level": 1, "cpu": -1, "memory": 1, "time_ms": 1, "cache": "hot", "environment": {}}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_link_or_a_pipe_in_the_place_of_a_file_is_told_not_followed(tmp_path: Path, name: str, kind: str) -> None:
    path = finished(tmp_path)
    (path / name).rename(tmp_path / "elsewhere")
    if kind == "link":
        (path / name).symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(path / name)
    try:
        told = " ".join(verify(path).mismatches)
    except StoreError as error:
        told = str(error)
    assert name in told
    assert ("symbolic link, which is not followed" if kind == "link" else "not a regular file") in told
    assert "Errno" not in told
    if name == "manifest.json":
        with pytest.raises(StoreError, match=r"manifest\.json"):
            open_run(path)
    else:
        assert any(name in problem for problem in open_run(path).problems)


SHAPES: list[tuple[str, object]] = [
    ("audit", True),
    ("audit", ["x"]),
    ("engine", "x"),
    ("files", []),
    ("files", {"trace.cbor": {"bytes": "x"}}),
    ("left_out", 3),
    ("deaths", {}),
    ("versions", {"engine": []}),
    ("descriptors", 5),
    ("command", "rtgauge"),
]


@pytest.mark.parametrize(("name", "value"), SHAPES)
def test_a_manifest_of_another_shape_is_damaged(tmp_path: Path, name: str, value: object) -> None:
    import json

    from rtgauge.store.manifest import seal

    path = finished(tmp_path)
    manifest = {**json.loads((path / "manifest.json").read_bytes()), name: value}
    (path / "manifest.json").chmod(0o644)
    (path / "manifest.json").write_bytes(seal(manifest))
    with pytest.raises(StoreError, match=f"manifest.json is damaged: {name} is not what it must be"):
        open_run(path)
