"""What is told of boards without starting one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import TargetError
from rtgauge.lab import boards
from rtgauge.lab.freertos.tools import Compiler
from rtgauge.lab.storage import Storage
from rtgauge.lab.systems import lab
from rtgauge.trace.frames import encode_frame
from tests.lab.freertos.test_elf import image
from tests.lab.freertos.trees import engine_tree, kernel_tree


@pytest.fixture
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Storage:
    """Sources of the engine and of FreeRTOS, and a compiler."""
    from rtgauge.lab.freertos.kernel import kernel_of

    tree = engine_tree(tmp_path / "sources", *lab().systems["freertos"].boards)
    (tree / "engine" / "tests" / "cpu_p_rsp.c").write_text("double x;\n")
    own = kernel_tree(tmp_path / "kernel")
    monkeypatch.setattr(boards, "sources", lambda: tree)
    monkeypatch.setattr(boards, "is_there", lambda _storage: True)
    monkeypatch.setattr(boards, "compiler_of", lambda _name, _package: Compiler("cc", "cc 1.0"))
    monkeypatch.setattr(boards, "kernel_of", lambda storage, _own, say: kernel_of(storage, own, say))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Storage(tmp_path / "cache" / "rtgauge" / "lab")


def kept(storage: Storage, board: str, thread_bytes: int) -> None:
    """An image that was built for the board, and what it said of itself."""
    import cbor2

    threads = {"name": "threads", "kind": "number", "sweep": "2 10 1000", "legal": "2..1000", "what": "threads"}
    records = [
        {"r": "run-begin", "version": 1, "engine": "e 1", "port": "freertos", "build": {}, "sample_memory": 0},
        {"r": "system", "facts": {"os": "FreeRTOS", "thread_bytes": thread_bytes}},
        {"r": "descriptor", "id": "THR-P-SLS", "needs": [], "samples": [1, 1, 1], "params": [threads], "series": []},
        {"r": "run-end", "tests": 0, "why": None},
    ]
    listed = b"".join(encode_frame(n, cbor2.dumps(one)) for n, one in enumerate(records))
    recipe = boards.recipe_of(storage, lab().boards[board], lambda _text: None)
    storage.note("images", recipe.key("fifo"), {"sha256": storage.put(image(32))})
    storage.note("lists", hashlib.sha256(image(32)).hexdigest(), {"sha256": storage.put(listed)})


def test_a_board_without_an_image_says_how_to_get_one(storage: Storage) -> None:
    told = {one.board.name: one for one in boards.about_boards(storage)}
    assert told["q35"].why == ""
    assert told["mps2-an385"].why == "not built yet: the first run of lab:freertos@mps2-an385 does it"
    assert told["virt-a53"].systems == ("linux", "linux-voluntary", "linux-rt", "freertos")
    assert not (storage.root / "images").exists()


def test_sizes_and_what_has_no_room_are_told_of_an_image(storage: Storage) -> None:
    kept(storage, "mps2-an385", 4096)
    (fit,) = [one.fit for one in boards.about_boards(storage) if one.fit]
    assert fit.sizes["heap"] == 65536
    assert fit.lacking == (
        ("CPU-P-RSP", "it is not part of the image: the board's processor lacks what it needs"),
        ("THR-P-SLS threads=1000", "1000 threads of 4096 bytes do not fit into the heap of 65536"),
    )


def test_a_missing_compiler_is_a_reason_and_no_failure(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str, package: str) -> Compiler:
        raise TargetError(f"install {package}")

    monkeypatch.setattr(boards, "compiler_of", missing)
    told = {one.board.name: one.why for one in boards.about_boards(storage)}
    assert told["virt-rv64"] == "install gcc-riscv64-unknown-elf"


def test_the_command_shows_them(storage: Storage, capsys: pytest.CaptureFixture[str]) -> None:
    kept(storage, "mps2-an385", 4096)
    assert main(["list", "boards", "--json"]) == 0
    listed = {one["board"]: one for one in json.loads(capsys.readouterr().out)}
    assert listed["mps2-an385"]["ns_per_instruction"] == 128
    assert listed["mps2-an385"]["image"]["lacking"][0]["test"] == "CPU-P-RSP"
    assert listed["virt-a53"]["image"] is None
    assert main(["list", "boards"]) == 0
    out = capsys.readouterr().out
    assert "    not here: THR-P-SLS threads=1000: 1000 threads of 4096 bytes do not fit" in out
    assert "    image of FreeRTOS: not built yet" in out


def test_the_systems_of_the_lab_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "systems", "--json"]) == 0
    listed = [one for one in json.loads(capsys.readouterr().out) if one["address"] == "lab:freertos"]
    assert [one["boards"] for one in listed] == [["mps2-an385", "virt-a53", "virt-rv64"]]
    assert main(["list", "systems"]) == 0
    assert any(line.startswith("lab:freertos ") for line in capsys.readouterr().out.splitlines())
