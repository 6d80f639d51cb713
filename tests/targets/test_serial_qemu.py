"""A firmware for a real board, with FreeRTOS in it, at the other end of the emulator's serial line."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import TargetError
from rtgauge.lab.freertos.crate import tree_of_crate
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.model import Job, RunSpec
from rtgauge.store.readers import load_trace
from rtgauge.targets.base import Stop
from rtgauge.trace.events import Event, TestBegun
from rtgauge.trace.reader import read_trace
from tests.targets.serial_board import Faults, connected
from tests.targets.test_serial import outcomes, run

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/tests/serial-mps2"
TESTS = "cal_p_trc;thr_p_sls;sem_b_lck;irq_p_lat"
EMULATOR, COMPILER = "qemu-system-arm", "arm-none-eabi-gcc"
WORDS = (EMULATOR, "-M", "mps2-an385", "-display", "none", "-nodefaults", "-no-user-config", "-seed", "1")
# Each instruction takes 128 ns, and no second is shorter than ours: as a slow board.
PACE = ("-icount", "shift=7,align=on,sleep=on")
SPEC = RunSpec(
    jobs=(
        Job("CAL-P-TRC", 300),
        Job("THR-P-SLS", 300, {"threads": 2}),
        Job("THR-P-SLS", 300, {"threads": 10}),
        Job("SEM-B-LCK", 10, {"kind": "counting", "name": "unnamed"}),
        Job("IRQ-P-LAT", 50, {"source": "timer", "from": "due", "level": "primary"}),
    ),
    memory=1 << 20,
)
DONE = [(job.id, "done") for job in SPEC.jobs]


@pytest.fixture(scope="session")
def firmware() -> Path:
    for tool in ("cmake", "ninja", EMULATOR, COMPILER):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing")
    try:
        kernel, _ = tree_of_crate(Storage(cache_root()), print)
    except TargetError as error:
        pytest.skip(str(error))
    board = ROOT / "engine/boards/mps2-an385"
    options = ("-DRTG_PORTS=freertos", "-DRTG_BOARD=mps2-an385", f"-DRTG_FREERTOS_KERNEL={kernel}")
    options = (*options, "-DRTG_BOARD_CHANNEL=serial", f"-DRTG_TESTS={TESTS}", "-DRTG_LOADS=none")
    configure = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "--toolchain", board / "toolchain.cmake", *options]
    for command in (configure, ["cmake", "--build", BUILD]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return BUILD / "engine/rtgauge-engine-freertos"


@pytest.fixture
def line(firmware: Path) -> Iterator[str]:
    """The pseudo-terminal that the emulator has made of the board's line."""
    words = [*WORDS, *PACE, "-monitor", "none", "-serial", "pty", "-kernel", str(firmware)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"/dev/pts/[0-9]+", process.stdout.readline())
        assert found is not None
        yield found[0]
        process.kill()


def test_a_run_gives_what_the_lab_gives(line: str, tmp_path: Path) -> None:
    tests = ["--tests", "THR-P-SLS", "--tests", "SEM-B-LCK", "--tests", "IRQ-P-LAT"]
    options = ["--param", "threads=2", "--samples", "200", "--json"]
    found = {}
    for target in (f"serial:{line}@115200", "lab:freertos@mps2-an385"):
        store = tmp_path / target.partition(":")[0]
        assert main(["run", target, *tests, *options, "--store", str(store)]) == 0
        (folder,) = (store / "runs").iterdir()
        trace = load_trace(folder)
        assert trace.complete
        assert trace.problems == ()
        assert all(len(s.ticks) > 150 for t in trace.tests for s in t.series)  # the tick takes some interrupts away
        shortest = [int(min(s.ticks)) for t in trace.tests for s in t.series]
        results = [(t.descriptor.id, t.outcome, dict(t.params), [s.info.name for s in t.series]) for t in trace.tests]
        found[target] = results, shortest
        facts = {"time": trace.facts["time"], "ns": trace.facts.get("ns_per_instruction")}
        # Who builds a firmware for a line and does not say how time passes there has a board.
        assert facts == ({"time": "real", "ns": None} if "serial" in target else {"time": "virtual", "ns": 128})
    (by_line, line_ticks), (in_lab, lab_ticks) = found.values()
    assert by_line == in_lab
    # The same firmware but for its channel: the shortest paths have the same length, read by a clock of whole ticks.
    assert all(abs(one - other) <= 1 for one, other in zip(line_ticks, lab_ticks, strict=True))


def test_noise_changes_nothing(firmware: Path) -> None:
    words = [*WORDS, *PACE, "-monitor", "none", "-serial", "stdio", "-kernel", str(firmware)]
    with connected(words, Faults(drop=300, flip=300, noise=300, twice=300), 1, {}) as relay:
        ending, trace = run(relay, SPEC)
    assert (ending.deaths, ending.why) == ((), None)
    whole = read_trace(trace)
    assert (outcomes(trace), whole.complete, whole.problems) == (DONE, True, ())


def test_a_reset_in_the_middle_costs_one_test(firmware: Path, tmp_path: Path) -> None:
    monitor = tmp_path / "monitor"
    words = [*WORDS, *PACE, "-monitor", f"unix:{monitor},server,nowait", "-serial", "stdio", "-kernel", str(firmware)]
    resetting: list[threading.Thread] = []

    def reset() -> None:
        with socket.socket(socket.AF_UNIX) as to:
            to.connect(str(monitor))
            to.sendall(b"system_reset\n")
            time.sleep(0.2)

    def at_the_second(_chunk: bytes, events: Sequence[Event]) -> None:
        if not resetting and any(isinstance(event, TestBegun) and event.job == 1 for event in events):
            resetting.append(threading.Thread(target=reset))
            resetting[0].start()

    spec = RunSpec(jobs=(SPEC.jobs[0], Job("THR-P-SLS", 100_000, {"threads": 2}), *SPEC.jobs[2:]), memory=1 << 20)
    with connected(words, Faults(), 1, {}) as relay:
        ending, trace = run(relay, spec, also=at_the_second)
        resetting[0].join()
    (death,) = ending.deaths
    assert death.reason == "the engine was lost: its board started again during THR-P-SLS"
    assert ending.why is None
    assert outcomes(trace) == [DONE[0], ("THR-P-SLS", None), *DONE[2:]]


def test_an_early_end_is_heard(firmware: Path) -> None:
    words = [*WORDS, *PACE, "-monitor", "none", "-serial", "stdio", "-kernel", str(firmware)]
    asked: list[int] = []
    spec = RunSpec(jobs=(Job("THR-P-SLS", 1_000_000, {"threads": 2}),), memory=1 << 20)

    def ask(_chunk: bytes, events: Sequence[Event]) -> None:
        asked.extend(2 for event in events if isinstance(event, TestBegun))

    with connected(words, Faults(), 1, {}) as relay:
        ending, trace = run(relay, spec, stop=Stop(lambda: 2 if asked else None), also=ask)
    assert (ending.signal, ending.deaths) == (2, ())
    (test,) = read_trace(trace).tests
    assert test.stopped
