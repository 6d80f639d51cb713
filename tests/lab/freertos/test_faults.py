"""What the tests say of FreeRTOS as it is, and of images whose configuration breaks what the tests look for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rtgauge.model import Job, TestTrace
from tests.lab.freertos.images import ROOT, Ended, held, image, kernel_for, measured, run

BOARD = "mps2-an385"
TESTS = "mut_b_arc;thr_b_*;sem_b_*"
ENGINE = "rtgauge-engine-freertos"
SELFTEST = "selftest-conformance-freertos"
INVERSION = Job("MUT-B-ARC", 1, {"protocol": "inherit"})
LOCKING = Job("SEM-B-LCK", 1, {"kind": "counting", "name": "unnamed"})
ORDER = Job("SEM-B-REL", 1, {"kind": "counting", "name": "unnamed"})
CREATION, ROUND_ROBIN = Job("THR-B-NEW", 1), Job("THR-B-RR", 15)

Judge = Callable[[str, Job], TestTrace]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """What becomes of one job by an image with these options; images are built once."""
    kernel, folder = kernel_for(BOARD), tmp_path_factory.mktemp("images")
    built: dict[str, Path] = {}

    def one(config: str, job: Job) -> TestTrace:
        if config not in built:
            built[config] = image(folder / str(len(built)), BOARD, kernel, config, TESTS, ENGINE)
        (test,) = measured(folder, BOARD, built[config], job).tests
        return test

    return one


@pytest.mark.parametrize("job", [LOCKING, ORDER, CREATION], ids=lambda job: job.id)
def test_the_kernel_does_what_its_documents_say(judge: Judge, job: Job) -> None:
    test = judge("configUSE_TIME_SLICING=0", job)
    assert test.outcome == "done"
    assert len(test.checks) > 4
    assert [check.name for check in test.checks if check.role == "property" and not check.holds] == []
    assert [check.name for check in test.checks if check.role == "control" and check.holds] == []


def test_inheritance_is_there_and_simplified(judge: Judge) -> None:
    """A priority is inherited by the owner of the mutex only, not by whom that owner waits for; it is given back with
    the mutex, and when the wait for it times out."""
    test = held(judge("configUSE_TIME_SLICING=0", INVERSION))
    assert test["avoided"]
    assert test["restored"]
    assert test["timed"]
    assert test["time-out"]
    assert not test["chained"]
    assert not test["avoided-without"]
    assert not test["timed-without"]


def test_a_binary_semaphore_in_place_of_the_mutex_is_caught(judge: Judge) -> None:
    test = held(judge("configUSE_TIME_SLICING=0;RTG_FREERTOS_MUTEX_IS_SEMAPHORE=1", INVERSION))
    assert not test["avoided"]


def test_no_preemption_is_caught(judge: Judge) -> None:
    assert not held(judge("configUSE_PREEMPTION=0", CREATION))["higher"]
    assert not held(judge("configUSE_PREEMPTION=0", LOCKING))["reschedule"]


def test_round_robin_is_fair_and_told_from_fifo(judge: Judge) -> None:
    test = judge("configUSE_TIME_SLICING=1", ROUND_ROBIN)
    assert test.outcome == "done"
    assert held(test) == {
        "sliced": True,
        "in-turn": True,
        "fair": True,
        "first-slice": True,
        "sliced-with-lower": False,
    }


def test_an_image_without_slices_has_no_round_robin(judge: Judge) -> None:
    assert judge("configUSE_TIME_SLICING=0", ROUND_ROBIN).outcome == "not-supported"


def test_round_robin_without_slices_is_caught(judge: Judge) -> None:
    assert not held(judge("configUSE_TIME_SLICING=0;RTG_FREERTOS_SLICES=1", ROUND_ROBIN))["sliced"]


Checks = Callable[[str, bytes], Ended]


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Checks:
    """How the conformance checks end in an image with these options, asked by this request."""
    kernel, folder = kernel_for(BOARD), tmp_path_factory.mktemp("checks")
    built: dict[str, Path] = {}

    def one(config: str, request: bytes) -> Ended:
        if config not in built:
            built[config] = image(folder / str(len(built)), BOARD, kernel, config, "cal_p_trc", SELFTEST)
        return run(folder, BOARD, built[config], request)

    return one


CAREFUL = "configUSE_TIME_SLICING=0;configASSERT=1;configCHECK_FOR_STACK_OVERFLOW=2;RTG_FREERTOS_COUNT=1"


@pytest.mark.parametrize(
    ("config", "status"),
    [(CAREFUL, 0), ("configUSE_TIME_SLICING=1", 0), ("configUSE_TIME_SLICING=1;RTG_FREERTOS_SLICES=0", 1)],
)
def test_conformance_sees_whether_the_image_is_what_it_says(checks: Checks, config: str, status: int) -> None:
    ended = checks(config, b"")
    assert ended.status == status, ended.console
    assert ("failed:" in ended.console) == (status != 0)


@pytest.mark.parametrize(("mode", "status"), [("exit", 42), ("limits", 42), ("watchdog", 86), ("echo", 42)])
def test_an_image_ends_as_the_contract_says(checks: Checks, mode: str, status: int) -> None:
    ended = checks(CAREFUL, f"{mode}\nsome words\n".encode())
    assert ended.status == status
    assert ended.trace == (b"some words\n" if mode == "echo" else b"")


@pytest.mark.parametrize("board", ["virt-a53", "virt-rv64"])
def test_the_port_keeps_its_contract_on_other_processors(tmp_path: Path, board: str) -> None:
    program = image(tmp_path / "build", board, kernel_for(board), "configASSERT=1", "cal_p_trc", SELFTEST)
    ended = run(tmp_path, board, program, b"")
    assert ended.status == 0, ended.console
    assert " passed, 0 failed" in ended.console


def test_equal_sources_give_an_equal_image_wherever_they_are(tmp_path: Path) -> None:
    def made(name: str) -> bytes:
        root = tmp_path / name
        for part in ("engine", "cmake", "src/rtgauge/reference"):
            shutil.copytree(ROOT / part, root / part)
        shutil.copy(ROOT / "CMakeLists.txt", root)
        return image(root / "build", BOARD, kernel_for(BOARD), "configASSERT=1", "cal_p_trc", ENGINE, root).read_bytes()

    assert made("one") == made("another/place")
