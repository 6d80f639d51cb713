"""Boards on serial lines: the engine itself, on the fake system, at the other end of a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.model import Job, RunSpec
from rtgauge.targets import _line, _link, open_target, serial
from rtgauge.targets._link import Hello
from rtgauge.targets.base import Ending, Stop
from rtgauge.targets.serial import SerialTarget
from rtgauge.trace.events import BlockRead, Event, TestBegun
from rtgauge.trace.reader import read_trace
from tests.targets.serial_board import Faults, Relay, board, connected

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/tests/link"
NAME = "rtgauge-engine-link"
TESTS = "cal_p_trc;thr_p_sls;tmr_p_cyc;sem_b_lck"
CYCLES = {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}
JOBS = (
    Job("CAL-P-TRC", 500),
    Job("THR-P-SLS", 500, {"threads": 2}),
    Job("TMR-P-CYC", 500, CYCLES),
    Job("SEM-B-LCK", 10, {"kind": "counting", "name": "unnamed"}),
)
SPEC = RunSpec(jobs=JOBS, memory=1 << 20)
NAMES = [job.id for job in JOBS]


@pytest.fixture(scope="session")
def program() -> Path:
    """The board."""
    if shutil.which("cmake") is None or shutil.which("ninja") is None:
        pytest.skip("the board is built with cmake and ninja")
    options = ("-DRTG_WERROR=ON", "-DRTG_PORTS=fake", "-DRTG_SELFTEST=ON", f"-DRTG_TESTS={TESTS}")
    build = ["cmake", "--build", BUILD, "--target", NAME]
    for command in (["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *options], build):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return BUILD / "engine/selftest" / NAME


@pytest.fixture(scope="session")
def expected(program: Path) -> bytes:
    """The trace of a board on a line without a fault: on the fake system it is the same each time."""
    with board(program) as relay:
        ending, trace = run(relay)
    assert (ending.deaths, ending.why, ending.signal) == ((), None, None)
    whole = read_trace(trace)
    assert (outcomes(trace), whole.complete, whole.problems) == ([(name, "done") for name in NAMES], True, ())
    return trace


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "BACK_S", 0.3)
    monkeypatch.setattr(serial, "LINGER_S", 0.1)


def target(relay: Relay, baud: int = 115200) -> SerialTarget:
    opened = open_target(f"serial:{relay.path}@{baud}")
    assert isinstance(opened, SerialTarget)
    return opened


Take = Callable[[bytes, Sequence[Event]], None]


def run(
    relay: Relay,
    spec: RunSpec = SPEC,
    limit: float = 30.0,
    stop: Stop | None = None,
    also: Take | None = None,
    baud: int = 115200,
) -> tuple[Ending, bytes]:
    """A run without a description before it: what it tells is told of enough by other tests."""
    got, one = bytearray(), target(relay, baud)
    one.seen.hello = Hello(32768, 0, "")

    def take(chunk: bytes, events: Sequence[Event]) -> None:
        got.extend(chunk)
        if also is not None:
            also(chunk, events)

    with one.reserved():
        ending = one.run(spec, [limit] * len(spec.jobs), take, stop or Stop())
    return ending, bytes(got)


def outcomes(trace: bytes) -> list[tuple[str, str | None]]:
    return [(test.descriptor.id, test.outcome) for test in read_trace(trace).tests]


# ---- a line as it should be, and as it is ---------------------------------------------------------------------------


def test_a_board_describes_itself_and_runs_again_and_again(program: Path, expected: bytes) -> None:
    with board(program) as relay:
        one, got = target(relay), bytearray()
        described = one.describe()
        assert sorted(d.id for d in described.descriptors) == sorted(NAMES)
        assert described.engine.startswith("rtgauge-engine")
        assert described.loads
        assert one.seen.hello == Hello(32768, 0, "fake board")
        for _ in range(2):
            got.clear()
            with one.reserved():
                ending = one.run(SPEC, [30.0] * len(JOBS), lambda chunk, _: got.extend(chunk), Stop())
            assert (ending.deaths, ending.why, ending.signal) == ((), None, None)
            assert bytes(got) == expected
            (note,) = ending.notes
            assert note.startswith(f"the serial line carried {len(expected)} bytes of the trace")
            assert " 0 of them again; damaged arrived 0 here and 0 there; 0 came twice" in note


@pytest.mark.parametrize(
    ("faults", "seed"),
    [
        (Faults(drop=500), 1),
        (Faults(flip=1000), 2),
        (Faults(noise=1000), 3),
        (Faults(twice=1000), 4),
        (Faults(drop=300, flip=300, noise=300, twice=300, late_s=0.005), 5),
        (Faults(drop=700, flip=700, noise=700, twice=700), 6),
    ],
)
def test_noise_changes_no_byte_of_the_trace(program: Path, expected: bytes, faults: Faults, seed: int) -> None:
    with board(program, faults, seed) as relay:
        ending, trace = run(relay)
    assert (ending.deaths, ending.why) == ((), None)
    assert trace == expected
    assert "damaged arrived 0 here and 0 there; 0 came twice" not in ending.notes[-1]


def test_the_line_carries_little_beside_the_trace(program: Path) -> None:
    """How much of a line's rate is reached in time is a test of engine/selftest/link_cases.c, where time is virtual."""
    with board(program) as relay:
        _, trace = run(relay, RunSpec(jobs=(Job("CAL-P-TRC", 10_000),), memory=1 << 22))
    assert len(trace) > 100_000
    assert len(relay.to_host) < 1.07 * len(trace)
    assert len(relay.to_board) < 0.1 * len(trace)


# ---- boards that go wrong -------------------------------------------------------------------------------------------


def test_a_boot_loader_is_waited_for_in_silence(program: Path, expected: bytes) -> None:
    text = "\\x1b[2J\r\nU-Boot 2023.04\r\nHit any key to stop autoboot: 3\b2\b1\r\n" * 20
    with board(program, RTG_BOARD_BOOT=text, RTG_BOARD_BOOT_MS=3000) as relay:
        seen: list[bytes] = []
        threading.Timer(2.5, lambda: seen.append(bytes(relay.to_board))).start()
        ending, trace = run(relay)
    assert seen == [b""]
    assert (ending.deaths, ending.why, trace) == ((), None, expected)


def test_a_reset_in_the_middle_costs_the_job_that_ran(program: Path, expected: bytes) -> None:
    with board(program, Faults(drop=200), RTG_BOARD_RESET_AT=len(expected) // 2, RTG_BOARD_BOOT="boot\r\n") as relay:
        ending, trace = run(relay)
    (death,) = ending.deaths
    assert death.id in NAMES
    assert death.reason == f"the engine was lost: its board started again during {death.id}"
    assert ending.why is None
    assert outcomes(trace) == [(name, None if name == death.id else "done") for name in NAMES]
    problems = read_trace(trace).problems
    assert any("did not reach its end" in problem for problem in problems)


def test_a_fault_is_told_in_the_boards_words(program: Path, expected: bytes) -> None:
    with board(program, RTG_BOARD_FAULT_AT=len(expected) // 2) as relay:
        ending, trace = run(relay)
    (death,) = ending.deaths
    assert death.reason == f"the engine ended with status 87 during {death.id}"
    assert "the board said: rtgauge: hard fault: pc 0x08001234" in ending.notes
    assert outcomes(trace) == [(name, None if name == death.id else "done") for name in NAMES]


def test_a_board_that_hangs_ends_the_run(program: Path, expected: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "ANSWER_S", 3.0)  # a board says hello each second
    monkeypatch.setattr(serial, "GRACE_S", 0.3)
    monkeypatch.setattr("rtgauge.targets._follow.DRAIN_S", 0.5)
    with board(program, RTG_BOARD_HANG_AT=len(expected) // 2) as relay:
        ending, trace = run(relay, limit=3.0, baud=4_000_000)
    (death,) = ending.deaths
    assert "gave no end within" in death.reason
    assert ending.why is not None
    assert "gave no answer" in ending.why
    assert outcomes(trace)[0] == (NAMES[0], "done")


def test_a_cable_that_is_pulled_ends_the_run_and_keeps_what_came(program: Path) -> None:
    with board(program, RTG_BOARD_BYTE_NS=20_000) as relay:
        pulling: list[threading.Thread] = []

        def pull(_chunk: bytes, events: Sequence[Event]) -> None:
            if not pulling and any(isinstance(event, TestBegun) and event.job == 2 for event in events):
                pulling.append(threading.Thread(target=relay.pull))
                pulling[0].start()

        ending, trace = run(relay, also=pull)
        pulling[0].join()
    (death,) = ending.deaths
    assert death.reason == f"the engine was lost: {relay.path} is gone during TMR-P-CYC"
    assert ending.why is not None
    assert ending.why.startswith(f"the engine cannot be reached: there is no {relay.path}; ")
    assert ending.why.endswith(" before a test began: 1 of 4 tests is left out")
    assert outcomes(trace) == [(NAMES[0], "done"), (NAMES[1], "done"), (NAMES[2], None)]


def test_a_board_that_is_at_another_hosts_run_is_made_free(program: Path, expected: bytes) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("the host is gone")

    with board(program) as relay:
        with pytest.raises(RuntimeError, match="the host is gone"):
            run(relay, also=crash)
        ending, trace = run(relay)
    assert (ending.deaths, ending.why) == ((), None)
    assert trace == expected


def test_a_stop_ends_the_test_under_way(program: Path) -> None:
    asked: list[float] = []

    def ask(_chunk: bytes, events: Sequence[Event]) -> None:
        if not asked and any(isinstance(event, BlockRead) for event in events):
            asked.append(time.monotonic())

    spec = RunSpec(jobs=(Job("TMR-P-CYC", 100_000, CYCLES), JOBS[0]), memory=1 << 16)
    with board(program, RTG_BOARD_BYTE_NS=10_000) as relay:
        ending, trace = run(relay, spec, stop=Stop(lambda: 2 if asked else None), also=ask)
    assert time.monotonic() - asked[0] < 10
    assert (ending.signal, ending.deaths, ending.why) == (2, (), None)
    (test,) = read_trace(trace).tests
    assert test.stopped
    assert 0 < len(test.series[0].ticks) < 100_000


def test_a_long_request_goes_in_parts(program: Path, expected: bytes) -> None:
    with board(program) as relay:
        got, one = bytearray(), target(relay)
        one.seen.hello = Hello(400, 2, "")
        with one.reserved():
            ending = one.run(SPEC, [30.0] * len(JOBS), lambda chunk, _: got.extend(chunk), Stop())
    assert (ending.deaths, ending.why) == ((), None)
    trace = read_trace(bytes(got))
    assert (outcomes(bytes(got)), trace.complete, trace.problems) == ([(n, "done") for n in NAMES], True, ())
    assert len(got) > len(expected)  # each part has a beginning of its own


def test_a_request_that_the_board_has_no_room_for_is_refused() -> None:
    one = SerialTarget("/dev/none", 9600)
    one.seen.hello = Hello(256, 0, "")
    with pytest.raises(UsageError, match=r"the request for [A-Z-]* takes more than the 256 bytes of the board"):
        one.run(SPEC, [1.0] * len(JOBS), lambda *_: None, Stop())


# ---- lines without a board ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("writes", "said"),
    [
        ("", "nothing came at all"),
        ("while true: print('login: ', flush=True); time.sleep(0.1)", "it wrote 'login: login: "),
        ("while true: os.write(1, os.urandom(50)); time.sleep(0.1)", "that make no sense; is the baud rate right?"),
    ],
)
def test_what_comes_instead_of_a_hello_is_told(writes: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "ANSWER_S", 1.0)
    monkeypatch.setattr(_link, "QUIET_S", 0.5)
    code = f"import os, time\ntrue = True\n{writes or 'time.sleep(60)'}\n"
    with connected([sys.executable, "-c", code], Faults(), 1, {}) as relay, pytest.raises(TargetError) as caught:
        target(relay).describe()
    assert str(caught.value).startswith(f"the engine gave no answer on serial:{relay.path}@115200 within 1 s: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.fixture
def line() -> Iterator[str]:
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(slave)
    os.close(master)


def test_a_line_that_another_program_has_open_is_not_touched(line: str) -> None:
    code = f"import time\nfile = open({line!r}, 'rb', buffering=0)\nprint(flush=True)\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(TargetError, match=rf"{line} is in use by .*\(process {other.pid}\)"):
            open_target(f"serial:{line}").describe()
        other.kill()


def test_a_line_of_another_run_is_busy(line: str) -> None:
    with _line.held(line), pytest.raises(TargetError, match="is in use by another program"), _line.held(line):
        pass
    file = os.open(line, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(file, fcntl.LOCK_EX)
    with pytest.raises(TargetError, match="is in use"), _line.held(line):
        pass
    os.close(file)
    with _line.held(line):
        pass


def test_a_terminal_programs_lock_is_respected(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_line, "_LOCKS", (tmp_path,))
    lock = tmp_path / f"LCK..{Path(line).name}"
    lock.write_text(f"{os.getppid():10d}\n")
    with pytest.raises(TargetError, match=rf"process {os.getppid()}\)"), _line.held(line):
        pass
    lock.write_text("999999999\n")  # nobody any more
    with _line.held(line):
        pass


def test_what_is_wrong_with_a_device_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TargetError, match=r"there is no /dev/ttyNONE7; serial lines here: "):
        open_target("serial:/dev/ttyNONE7@9600").describe()
    with pytest.raises(TargetError, match="is not a serial line"):
        open_target("serial:/dev/null").describe()
    with pytest.raises(TargetError, match="is not a serial line"):
        open_target(f"serial:{tmp_path}").describe()

    def forbidden(path: str, _flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(_line.os, "open", forbidden)
    with pytest.raises(TargetError, match=r"^no permission for /dev/null"):
        open_target("serial:/dev/null").describe()


@pytest.mark.parametrize("rest", ["", "@115200", "/dev/ttyS0@", "/dev/ttyS0@fast", "/dev/ttyS0@-1", "/dev/ttyS0@10"])
def test_wrong_addresses_are_refused(rest: str) -> None:
    with pytest.raises(UsageError, match=r"target serial needs a device|the baud rate of target serial is a number"):
        open_target(f"serial:{rest}")


def test_addresses() -> None:
    assert open_target("serial:/dev/ttyS0").name == "serial:/dev/ttyS0@115200"
    assert open_target("serial:/dev/a@b@9600").name == "serial:/dev/a@b@9600"
