"""The port's use of ticks: what it takes of each, and that no tick at a bad moment makes a figure wrong.

Most cases run on this machine, with a kernel and a board made for them; the others on an emulated board.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rtgauge.lab.address import parse
from rtgauge.model import Job
from rtgauge.targets._images import FIRST
from rtgauge.targets._lab_board import BoardTarget
from tests.lab.freertos.images import COMPILERS, EMULATORS, ROOT, image, kernel_for, measured

CASES = Path(__file__).parent / "ticks"
PORT = ROOT / "engine" / "ports" / "freertos"
EXACT, ODD, TICKLESS = "configTICK_RATE_HZ=1000", "configTICK_RATE_HZ=300", "configUSE_TICKLESS_IDLE=1"
ENGINE, DRIFTS = "rtgauge-engine-freertos", "virt-rv64"
MOST_INSTRUCTIONS = 8  # of a tick's hook, with the kernel's call of it

Case = Callable[[str, str], "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """How a case ends in a program with this option; programs are built once."""
    compiler = shutil.which("cc") or pytest.skip("no compiler for this machine")
    kernel, folder = kernel_for("mps2-an385"), tmp_path_factory.mktemp("ticks")
    headers = [f"-I{CASES}", f"-I{PORT}", f"-I{ROOT / 'engine' / 'include'}"]
    headers += ["-isystem", str(kernel / "include"), "-isystem", str(kernel / "portable/ThirdParty/GCC/Posix")]
    sources = [str(PORT / "process.c"), str(PORT / "time.c"), str(CASES / "ticks.c")]

    def one(option: str, name: str) -> subprocess.CompletedProcess[str]:
        program = folder / option
        if not program.exists():
            words = [compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-D{option}", *headers, *sources]
            subprocess.run([*words, "-o", str(program)], check=True)
        return subprocess.run([str(program), name], capture_output=True, text=True, timeout=10, check=False)

    return one


@pytest.mark.parametrize("option", [EXACT, ODD, TICKLESS])
@pytest.mark.parametrize(
    "name",
    [
        "watchdog_comes_after_ticks_without_a_hook",
        "watchdog_waits_and_is_fed",
        "time_limit_is_not_moved_by_the_watchdog",
        "clock_does_not_wrap",
        "sleep_is_no_tick_late",
        "no_tick_makes_a_sleep_late",
        "no_tick_is_lost_by_a_look_at_the_wrong_moment",
    ],
)
def test_whatever_the_ticks_are(case: Case, option: str, name: str) -> None:
    ended = case(option, name)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize("name", ["hook_is_quiet", "no_tick_makes_a_timer_late"])
def test_where_one_tick_tells_of_all_others(case: Case, name: str) -> None:
    ended = case(EXACT, name)
    assert ended.returncode == 0, ended.stdout


def instructions_of_the_hook(board: str, program: Path) -> int:
    """On its way through a tick at which nothing is due: the kernel's call, and all up to its return."""
    tool = COMPILERS[board].removesuffix("gcc") + "objdump"
    words = [tool, "-d", "--no-show-raw-insn", "--disassemble=vApplicationTickHook", str(program)]
    listing = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^ +[0-9a-f]+:\t(\S+)", listing, re.MULTILINE)
    assert "ret" in names, listing
    return 1 + names.index("ret") + 1


def test_waking_up_is_no_tick_late_where_ticks_drift(tmp_path: Path) -> None:
    """300 ticks a second are 3333300 ns apart on this board."""
    program = image(tmp_path / "build", DRIFTS, kernel_for(DRIFTS), ODD, "tmr_p_cyc", ENGINE)
    assert instructions_of_the_hook(DRIFTS, program) <= MOST_INSTRUCTIONS
    job = Job("TMR-P-CYC", 400, {"interval": 10_000_000, "threads": 1, "priospread": "off", "policy": "fifo"})
    (test,) = measured(tmp_path, DRIFTS, program, job).tests
    late = np.asarray(test.series[0].ticks, dtype=np.int64)
    assert len(late) == 400
    assert int(late.min()) >= 0
    assert int(late.max()) < 1_000_000_000 // 300 + 200_000


@pytest.mark.slow
def test_whether_ticks_drift_is_known_from_the_rate_of_the_counter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick is 33333 of this counter, 10 ns less than a millisecond, and a whole millisecond by the lab's counter."""
    board = "virt-a53"
    kernel_for(board)
    program = tmp_path / "image"
    program.write_bytes(BoardTarget(parse(f"freertos@{board}"))._image(FIRST).content)
    emulator = EMULATORS[board].replace("cntfrq=1000000000", "cntfrq=33333333")
    monkeypatch.setitem(EMULATORS, board, emulator)
    job = Job("TMR-P-CYC", 100, {"interval": 2_000_000, "threads": 1, "priospread": "off", "policy": "fifo"})
    trace = measured(tmp_path, board, program, job)
    (test,) = trace.tests
    assert trace.facts["counter_hz"] == 33_333_333
    late = np.asarray(test.series[0].ticks, dtype=np.int64)
    assert len(late) == 100
    assert late.max() - late.min() < 500_000  # what wakes up a tick late is a millisecond later
