"""FreeRTOS on emulated boards: the same bytes in each run, and what is said of options that do not work."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import EXIT_TARGET, EXIT_USAGE, TargetError
from rtgauge.lab.address import parse
from rtgauge.lab.freertos.crate import tree_of_crate
from rtgauge.lab.freertos.tools import compiler_of
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.model import Job, RunSpec
from rtgauge.targets import _parts, open_target
from rtgauge.targets.base import Stop
from rtgauge.trace.reader import read_trace
from tests.lab.test_runs import busy_host

JOBS = (
    Job("CAL-P-TRC", 50),
    Job("THR-P-SLS", 50, {"threads": 2}),
    Job("MUT-P-ARN", 50, {"kind": "mutex", "protocol": "inherit", "batch": 1}),
    Job("MEM-P-FTP", 8, {"part": "static"}),
    Job("SEM-B-LCK", 10, {"kind": "counting", "name": "unnamed"}),
    Job("THR-B-RR", 6),
)
BOARDS = ("mps2-an385", "virt-a53", "virt-rv64")


@pytest.fixture
def board(request: pytest.FixtureRequest) -> str:
    """The name of a board for which images can be built and run here."""
    found = parse(f"freertos@{request.param}").board
    if not shutil.which(found.program):
        pytest.skip(f"no emulator here: apt-get install {found.package}")
    try:
        compiler_of(found.compiler, found.compiler_package)
        tree_of_crate(Storage(cache_root()), lambda _text: None)
    except TargetError as error:
        pytest.skip(f"no image: {error}")
    return str(request.param)


def traced(address: str, jobs: tuple[Job, ...] = JOBS) -> bytes:
    """The trace of a run that came to its end."""
    target, got = open_target(address), bytearray()
    target.describe()
    spec = RunSpec(jobs=jobs, memory=1 << 20, time_ms=1_000_000)
    ending = target.run(spec, [60.0] * len(jobs), lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths, ending.notes) == (None, (), ())
    return bytes(got)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS, indirect=True)
def test_a_run_is_the_same_to_the_byte_on_an_idle_and_on_a_busy_host(board: str) -> None:
    idle = traced(f"lab:freertos@{board}")
    with busy_host():
        assert traced(f"lab:freertos@{board}") == idle
    trace = read_trace(idle)
    assert (trace.problems, trace.complete) == ((), True)
    assert [(test.descriptor.id, test.outcome, test.image) for test in trace.tests] == [
        *((job.id, "done", "fifo") for job in JOBS[:-1]),
        ("THR-B-RR", "done", "rr"),
    ]
    ns = parse(f"freertos@{board}").board.ns_per_instruction
    assert {name: trace.facts.get(name) for name in ("os", "board", "time", "ns_per_instruction")} == {
        "os": "FreeRTOS",
        "board": board,
        "time": "virtual",
        "ns_per_instruction": ns,
    }
    evidence = {(test.descriptor.id, line.name): line.value for test in trace.tests for line in test.evidence}
    assert evidence["SEM-B-LCK", "largest_count"] == 2**32 - 1  # of the kernel, or of the engine: see the next
    assert ("semaphore_count" in trace.facts) == (board != "mps2-an385")
    static = next(test for test in trace.tests if test.descriptor.id == "MEM-P-FTP").series[0].ticks[0]
    assert 0.9 * static < int(evidence["MEM-P-FTP", "of_which_zero"]) < static
    assert trace.clock is not None
    switches = next(test for test in trace.tests if test.descriptor.id == "THR-P-SLS").series[0]
    tick_ns = round(trace.clock.ns_per_tick)
    counted = switches.ticks * tick_ns / ns  # instructions, to a tick where that is not a part of one
    assert (abs(counted - counted.round()) <= (tick_ns / ns if ns % tick_ns else 0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("board", ["mps2-an385"], indirect=True)
def test_a_replica_differs_and_is_the_same_to_itself(board: str) -> None:
    one, again, plain = (traced(f"lab:freertos@{board}{more}") for more in ("?replica=1", "?replica=1", ""))
    assert one == again != plain


@pytest.mark.slow
@pytest.mark.parametrize("board", ["mps2-an385"], indirect=True)
def test_each_result_names_its_image_and_the_manifest_both(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = ["--tests", "THR-B-RR", "--tests", "SEM-B-LCK"]
    assert main(["run", f"lab:freertos@{board}", *tests, "--profile", "quick", "--store", str(tmp_path), "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {(one["id"], one["environment"]["image"]) for one in results} == {("SEM-B-LCK", "fifo"), ("THR-B-RR", "rr")}
    assert {one["status"] for one in results if "B" in one["id"]} >= {"pass"}
    (manifest,) = tmp_path.glob("runs/*/manifest.json")
    virtual = json.loads(manifest.read_text())["virtual"]
    assert virtual["kernel_from"] == "FreeRTOS V11.2.0, crate freertos-next 0.12.0"
    assert virtual["image_fifo"] != virtual["image_rr"]
    assert main(["verify", "last", "--store", str(tmp_path)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("board", ["mps2-an385"], indirect=True)
@pytest.mark.parametrize(
    ("image", "policy", "why"),
    [
        ("fifo", "rr", "built without time slicing, which round robin needs: configUSE_TIME_SLICING=0, and 1 makes it"),
        ("rr", "fifo", "which FIFO forbids: configUSE_TIME_SLICING=1, and 0 makes it"),
        ("fifo", "deadline", "by priorities only, not by deadlines"),
    ],
)
def test_an_image_says_which_option_makes_a_policy_that_it_lacks(
    board: str, image: str, policy: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_parts, "image_for", lambda _job, _descriptor: image)  # as firmware that has this one only
    cyclic: dict[str, str | int] = {"threads": 1, "priospread": "off", "interval": 1_000_000, "policy": policy}
    slices = (Job("THR-B-RR", 6),) if policy == "rr" else ()
    tests = read_trace(traced(f"lab:freertos@{board}", (Job("TMR-P-CYC", 10, cyclic), *slices))).tests
    assert {(test.outcome, test.image) for test in tests} == {("not-supported", image)}
    assert all(test.reason is not None and why in test.reason for test in tests)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["mps2-an385"], indirect=True)
def test_a_tree_of_the_users_makes_the_same_image_from_the_same_sources(board: str, tmp_path: Path) -> None:
    root, _ = tree_of_crate(Storage(cache_root()), lambda _text: None)
    shutil.copytree(root, tmp_path / "mine")
    own = open_target(f"lab:freertos@{board}?kernel={tmp_path / 'mine'}").describe().virtual
    official = open_target(f"lab:freertos@{board}").describe().virtual
    assert own is not None
    assert official is not None
    assert {name for name in own if own[name] != official[name]} == {"kernel_from", "configuration"}


@pytest.mark.slow
@pytest.mark.parametrize("board", ["mps2-an385"], indirect=True)
@pytest.mark.parametrize(
    ("config", "code", "what"),
    [
        ("configTICK_RATE=1000", EXIT_USAGE, "did you mean configTICK_RATE_HZ? legal are "),
        ("configMAX_PRIORITIES=(", EXIT_TARGET, "the image for mps2-an385 cannot be built: "),
        ("configTOTAL_HEAP_SIZE=3000", EXIT_TARGET, "the image for mps2-an385 could not go on ("),
    ],
)
def test_options_that_do_not_work_are_told_in_a_line(
    board: str, config: str, code: int, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"lab:freertos@{board}?config={config}"
    assert main(["run", address, "--tests", "CAL-P-TRC", "--store", str(tmp_path)]) == code
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("rtgauge: error: ")]
    assert len(said) == 1
    assert what in said[0]


def test_a_folder_without_freertos_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("qemu-system-arm", "arm-none-eabi-gcc", "cmake", "ninja"):
        if not shutil.which(name):
            pytest.skip(f"no {name} here")
    (tmp_path / "empty").mkdir()
    words = ["run", "lab:freertos", "--freertos-kernel", str(tmp_path / "empty"), "--store", str(tmp_path / "store")]
    assert main(words) == EXIT_TARGET
    assert "is no tree of FreeRTOS: tasks.c is missing" in capsys.readouterr().err
