"""FreeRTOS's simulator on this machine: behaviour, and no times."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import TargetError, UsageError
from rtgauge.lab.freertos.build import Image
from rtgauge.lab.freertos.crate import tree_of_crate
from rtgauge.lab.freertos.kernel import kernel_of
from rtgauge.lab.freertos.tools import Compiler
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.model import Job, RunSpec
from rtgauge.targets import _images, posix
from rtgauge.targets.base import Stop
from rtgauge.trace.reader import read_trace
from tests.lab.freertos.trees import engine_tree, kernel_tree


@pytest.fixture
def simulator(tmp_path: Path, engine_fake: Path, monkeypatch: pytest.MonkeyPatch) -> posix.SimulatorTarget:
    """The fake engine as the image, and no build."""
    sources, own = engine_tree(tmp_path / "sources", "posix"), kernel_tree(tmp_path / "kernel")
    image = Image("fifo", engine_fake.read_bytes(), "0" * 64, {})
    monkeypatch.setattr(_images, "sources", lambda: sources)
    monkeypatch.setattr(_images, "compiler_of", lambda _name, _package: Compiler("cc", "cc 1.0"))
    monkeypatch.setattr(_images, "kernel_of", lambda storage, _own, say: kernel_of(storage, own, say))
    monkeypatch.setattr(_images, "image_of", lambda _storage, _recipe, _name, _say: image)
    return posix.SimulatorTarget(posix.parse_here("freertos"), Storage(tmp_path / "cache"))


def test_it_has_tests_of_behaviour_only(simulator: posix.SimulatorTarget) -> None:
    found = simulator.describe()
    assert {one.id for one in found.descriptors} >= {"SEM-B-LCK", "MUT-B-ARC", "THR-B-RR"}
    assert all("-B-" in one.id for one in found.descriptors)
    assert (found.virtual, simulator.exact, simulator.this_machine) == (None, False, False)


def test_an_image_is_a_program_of_this_machine(simulator: posix.SimulatorTarget) -> None:
    jobs, got = (Job("SEM-B-LCK", 1, {"kind": "counting", "name": "unnamed"}), Job("THR-B-RR", 6)), bytearray()
    ending = simulator.run(RunSpec(jobs=jobs), (20.0, 20.0), lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths) == (None, ())
    trace = read_trace(bytes(got))
    assert (trace.problems, [one.descriptor.id for one in trace.tests]) == ((), ["SEM-B-LCK", "THR-B-RR"])
    (program,) = (simulator.storage or Storage(cache_root())).folder("programs").iterdir()
    program.write_bytes(b"somebody else's")
    simulator._program(simulator._image("fifo"))
    assert program.read_bytes() == simulator._image("fifo").content


def test_a_program_that_cannot_be_kept_is_said_with_the_way_out(simulator: posix.SimulatorTarget) -> None:
    storage = simulator.storage or Storage(cache_root())
    storage.folder("programs").rmdir()
    (storage.root / "programs").write_text("somebody's file")
    with pytest.raises(TargetError, match="XDG_CACHE_HOME=DIR names another place"):
        simulator._program(simulator._image("fifo"))
    assert list((storage.root / "tmp").iterdir()) == []


@pytest.mark.parametrize("rest", ["", "linux", "freertos@virt-a53", "freertos?append=x"])
def test_another_address_is_refused(rest: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        posix.open_target(rest, tmp_path)


@pytest.mark.slow
def test_freertos_behaves_in_its_simulator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for program, package in (("cc", "gcc"), ("cmake", "cmake"), ("ninja", "ninja-build")):
        if not shutil.which(program):
            pytest.skip(f"no {program} here: apt-get install {package}")
    try:
        tree_of_crate(Storage(cache_root()), lambda _text: None)
    except TargetError as error:
        pytest.skip(f"no sources of FreeRTOS: {error}")
    words = ["run", "posix:freertos", "--tests", "SEM-B-*", "--profile", "quick", "--store", str(tmp_path), "--json"]
    assert main(words) == 0
    content = json.loads(capsys.readouterr().out)
    assert {one["status"] for one in content["results"]} == {"pass"}
    assert content["system"]["facts"]["os"] == "FreeRTOS"
    assert "simulator" in content["system"]["facts"]
