"""A test that spins for ever at the highest level cannot hang the machine: shown by doing it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rtgauge.model import Job, RunSpec
from rtgauge.targets._engine import EngineTarget
from rtgauge.targets.base import Ending, Stop
from rtgauge.trace.reader import read_trace
from tests.support.kills import Guard, processes
from tests.targets.engines import ROOT
from tests.test_killed import machine_is_ours, realtime_allowed

pytestmark = pytest.mark.realtime
TESTS = "cal_p_trc;sem_b_lck;../selftest/spinner"
TIME_MS = 2500  # after which the engine ends itself
LEVEL = 97  # SCHED_FIFO 98: the highest that a test may have
THROTTLE = Path("/proc/sys/kernel/sched_rt_runtime_us")
PERIOD_S = 0.01  # of the heart-beat


@pytest.fixture(scope="module")
def spinner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An engine with a test that never ends."""
    if not realtime_allowed():
        pytest.skip("needs permission for real-time scheduling")
    if not (shutil.which("cmake") and shutil.which("ninja")):
        pytest.skip("needs cmake and ninja")
    build = tmp_path_factory.mktemp("spinner")
    options = ["-G", "Ninja", "-DRTG_PORTS=posix", f"-DRTG_TESTS={TESTS}"]
    for command in (["cmake", "-S", ROOT, "-B", build, *options], ["cmake", "--build", build]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "engine/rtgauge-engine"


@pytest.fixture(scope="module", autouse=True)
def _alone() -> Iterator[None]:
    with machine_is_ours():
        yield


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Guard]:
    """Should what is tested fail, something above it ends it: this machine is needed."""
    with Guard(12.0) as guard:
        monkeypatch.setenv(*guard.mark)
        yield guard
    assert not guard.had_to_act, "the machine would have hung"
    assert not [pid for pid in processes(guard.mark[1]) if pid != os.getpid()]


@dataclass
class Run:
    ending: Ending
    outcomes: list[tuple[str, str | None]]
    took_s: float


def spin(engine: Path, on: str, limit_s: float = 30.0, time_ms: int = TIME_MS) -> Run:
    """CAL-P-TRC, the spinner, SEM-B-LCK. `limit_s`: after which the host ends it."""
    jobs = (Job("CAL-P-TRC", 100), Job("NSE-S-SPN", 1, {"on": on}), lock_test())
    trace, began = bytearray(), time.monotonic()
    ending = EngineTarget("local", lambda: engine).run(
        RunSpec(jobs=jobs, level=LEVEL, time_ms=time_ms), [limit_s] * 3, lambda chunk, _: trace.extend(chunk), Stop()
    )
    outcomes = [(test.descriptor.id, test.outcome) for test in read_trace(bytes(trace)).tests]
    return Run(ending, outcomes, time.monotonic() - began)


def reasons(run: Run) -> list[str]:
    return [death.reason for death in run.ending.deaths]


def lock_test() -> Job:
    return Job("SEM-B-LCK", 1, {"kind": "counting", "name": "unnamed"})


WATCHDOG = "the engine was ended by its watchdog during NSE-S-SPN"
AROUND = [("CAL-P-TRC", "done"), ("NSE-S-SPN", None), ("SEM-B-LCK", "done")]


@contextlib.contextmanager
def heart(beats: list[float]) -> Iterator[None]:
    """An ordinary process that writes down when it runs."""
    program = f"import time\nwhile True:\n    print(time.monotonic(), flush=True)\n    time.sleep({PERIOD_S})\n"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()
        beats += [float(line) for line in process.stdout.read().splitlines()[:-1]]


@pytest.mark.parametrize("on", ["one", "all", "arming"])
def test_the_watchdog_ends_it_and_the_next_test_runs(spinner: Path, on: str) -> None:
    beats: list[float] = []
    began = time.monotonic()
    with heart(beats):
        run = spin(spinner, on)
    assert reasons(run) == [WATCHDOG], run
    assert run.ending.why is None
    assert run.outcomes == AROUND
    assert run.took_s < 9
    while_it_spins = [beat for beat in beats if began + 0.4 < beat < began + TIME_MS / 1000]
    assert while_it_spins, "nothing ordinary ran meanwhile"


def test_it_ends_in_its_time_with_its_status(spinner: Path) -> None:
    from rtgauge.trace.writer import encode_request

    jobs = (Job("NSE-S-SPN", 1, {"on": "all"}),)
    began = time.monotonic()
    done = subprocess.run(
        [spinner],
        input=encode_request(RunSpec(jobs=jobs, level=LEVEL, time_ms=700)),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 86
    assert 0.6 < time.monotonic() - began < 4


def test_the_host_ends_it_when_the_watchdog_has_time_left(spinner: Path) -> None:
    run = spin(spinner, "all", limit_s=0.5, time_ms=60_000)
    assert reasons(run) == ["the engine gave no end within 0 s and was stopped during NSE-S-SPN"], run
    assert run.outcomes == AROUND
    assert run.took_s < 10


def test_without_throttling_it_is_the_same(spinner: Path) -> None:
    """Nothing in the kernel limits real-time threads then, but ours do."""
    with unthrottled():
        run = spin(spinner, "all", time_ms=1000)
    assert reasons(run) == [WATCHDOG], run
    assert run.outcomes == AROUND
    assert run.took_s < 8


@contextlib.contextmanager
def unthrottled() -> Iterator[None]:
    try:
        before = THROTTLE.read_text()
        THROTTLE.write_text("-1")
    except OSError:
        pytest.skip("needs permission to change the real-time throttling of the kernel")
    try:
        yield
    finally:
        THROTTLE.write_text(before)


def test_it_goes_with_its_host(spinner: Path, watched: Guard) -> None:
    host = start_host(spinner)
    engine = wait_for_spinning(watched, host.pid)
    host.kill()
    host.wait(10)
    assert gone(engine, 8.0)


@pytest.mark.parametrize("stopped_s", [0.2, 3.0], ids=["for-a-moment", "beyond-its-time"])
def test_it_may_be_stopped_and_continued(spinner: Path, watched: Guard, stopped_s: float) -> None:
    runs: list[Run] = []
    thread = threading.Thread(target=lambda: runs.append(spin(spinner, "all")))
    thread.start()
    engine = wait_for_spinning(watched)
    os.kill(engine, signal.SIGSTOP)
    time.sleep(stopped_s)
    os.kill(engine, signal.SIGCONT)
    thread.join(15)
    (run,) = runs
    assert reasons(run) == [WATCHDOG], run
    assert run.outcomes == AROUND


def start_host(engine: Path) -> subprocess.Popen[bytes]:
    """A process of its own that has the engine spin for longer than the test waits."""
    program = (
        "import sys; from pathlib import Path; from tests.test_spinner import spin\n"
        "spin(Path(sys.argv[1]), 'all', 60.0, 9000)\n"
    )
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.Popen([sys.executable, "-c", program, engine], env={**os.environ, "PYTHONPATH": path})


def wait_for_spinning(guard: Guard, *others: int) -> int:
    """The engine, once it has been seen to use a CPU for a while."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        for pid in processes(guard.mark[1]):
            if pid not in others and spent_s(pid) > 0.15:
                return pid
        time.sleep(0.02)
    raise AssertionError("it does not spin")


def spent_s(pid: int) -> float:
    """CPU time of an engine."""
    with contextlib.suppress(OSError):
        name, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
        if "rtgauge-engine" in name:
            return sum(map(int, rest.split()[11:13])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def gone(pid: int, within_s: float) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False
