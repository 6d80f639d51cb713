"""The engine, the host or both are killed at any moment of a run: what was measured stays, and nothing else does."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.store.readers import open_run
from rtgauge.targets._lock import only_one
from tests.support.kills import WAIT_S, Hosts, build_shim, engines_of
from tests.support.kills_check import Results, after_the_next_run, complaints, figures, folders

SEED = 20260731
RANDOM_FAKE, RANDOM_LOCAL, STARTING = 70, 60, 10
JOBS = ("CAL-P-TRC", "THR-B-NEW", "THR-P-SLS", "SEM-B-*")
CHOICE = [word for test in JOBS for word in ("--tests", test)] + ["--param", "threads=2", "--param", "threads=10"]
FAKE = ("evaluate", "fake", "--samples", "100", *CHOICE)
LOCAL_JOBS = ("CAL-P-TRC", "THR-P-SLS", "SEM-P-NEW", "TMR-P-CYC")
LOCAL_PARAMS = ("threads=2", "kind=counting", "name=named", "scenario=used", "batch=1", "interval=1ms", "policy=fifo")
LATENCY = Path("/dev/cpu_dma_latency")
MADE: Counter[str] = Counter()  # kills, by who was hit and when


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_shim(tmp_path_factory.mktemp("kills"))


@contextlib.contextmanager
def hosts_in(folder: Path, shim: Path | None = None) -> Iterator[Hosts]:
    hosts = Hosts(folder, shim)
    try:
        yield hosts
    finally:
        hosts.close()


def reference(hosts: Hosts, *words: str) -> tuple[Results, float, int]:
    """What an undisturbed run says, how long it takes, and how many calls change a file of its store."""
    before, began = folders(hosts.store), time.monotonic()
    code, said = hosts.run(*words, "--store", str(hosts.store))
    took = time.monotonic() - began
    assert code == 0, said
    (folder,) = folders(hosts.store) - before
    return figures(open_run(folder).results), took, int(said.rpartition("calls ")[2])


# ---- at each call that changes a file -------------------------------------------------------------------------------


@pytest.mark.usefixtures("engine_fake")
@pytest.mark.parametrize("half", [False, True], ids=["before", "half-way"])
def test_killed_at_every_change_of_a_file(tmp_path: Path, shim: Path, half: bool) -> None:
    """Before each call, and within each write. The first run of a store, and one that finds others there."""
    with ThreadPoolExecutor(2) as pool:
        parts = [pool.submit(sweep, tmp_path / str(part), shim, half, part) for part in range(2)]
        found = [one for part in parts for one in part.result()]
    assert not found, "\n".join(found)
    assert made(f"host {'within' if half else 'before'} a call") >= 70


def made(what: str) -> int:
    """How many kills of one kind there were; the figure is also printed."""
    number = sum(count for name, count in MADE.items() if name.endswith(what))
    print(f"{number} kills: {what}")
    return number


def sweep(folder: Path, shim: Path, half: bool, part: int) -> list[str]:
    """Every second call, from `part` on."""
    found: list[str] = []
    with hosts_in(folder, shim) as hosts:
        words = (*FAKE, "--store", str(hosts.store))
        _, _, calls = reference(hosts, *FAKE)
        wanted, _, fewer = reference(hosts, *FAKE)
        assert min(calls, fewer) > 60
        for at in range(1 + part, fewer + 1, 2):
            before = folders(hosts.store)
            attempt = hosts.start(*words, at=at, half=half)
            status = hosts.wait()
            MADE[f"host {'within' if half else 'before'} a call"] += status == -signal.SIGKILL
            found += [f"call {at}: {one}" for one in complaints(hosts, before, attempt.said(), wanted)]
        found += after_the_next_run(hosts, *words)
    return found


# ---- at random moments ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Blow:
    """Who is hit, by what, and when (a share of an undisturbed run's time)."""

    victim: str
    signal: signal.Signals
    when: float

    def __str__(self) -> str:
        return f"{self.signal.name} to {self.victim} at {self.when:.3f}"


def blows(number: int, seed: int) -> list[Blow]:
    """The same ones each time, spread evenly over the run."""
    dice = random.Random(seed)
    signals = [signal.SIGKILL] * 5 + [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
    victims = ["host", "engine", "both", "group"]
    return [
        Blow(dice.choice(victims), dice.choice(signals), when)
        for when in dice.sample([(i + dice.random()) / number for i in range(number)], number)
    ]


def strike(blow: Blow, host: int) -> bool:
    """False when nobody was there any more, or not yet."""
    engines = engines_of(host) if blow.victim != "group" else []
    hit = False
    with contextlib.suppress(ProcessLookupError):
        if blow.victim == "group":
            os.killpg(host, blow.signal)
            hit = True
        for engine in engines if blow.victim in ("engine", "both") else ():
            os.kill(engine, blow.signal)
            hit = True
        if blow.victim in ("host", "both"):
            os.kill(host, blow.signal)
            hit = True
    return hit


def strike_engine(blow: Blow, host: int, life_s: float) -> bool:
    """The first engine only describes its tests and is hit now and then; the second one measures."""
    let_pass, until = set(), time.monotonic() + WAIT_S
    while time.monotonic() < until and Path(f"/proc/{host}").exists():
        engines = engines_of(host)
        if blow.when > 0.2 and not let_pass:
            let_pass.update(engines)
        elif set(engines) - let_pass:
            time.sleep(blow.when * life_s)
            return strike(blow, host)
        time.sleep(0.001)
    return False


def legal(blow: Blow) -> set[int]:
    """Exit statuses of the host: it was done, its engine broke, or it ended in order or by the signal."""
    return {0, 4} if blow.victim == "engine" else {0, 4, 128 + blow.signal, -blow.signal}


def struck(hosts: Hosts, blow: Blow, took: float, wanted: Results | None, *words: str) -> list[str]:
    """One run that is struck once; what is wrong afterwards. A blow that came too late, since the machine is less busy
    now than when the time was taken, is given again earlier."""
    found: list[str] = []
    for pace in (1.0, 0.6, 0.3):
        hit, wrong = struck_once(hosts, blow, took * pace, wanted, *words)
        found += wrong
        if hit:
            break
    return found


def struck_once(hosts: Hosts, blow: Blow, took: float, wanted: Results | None, *words: str) -> tuple[bool, list[str]]:
    before = folders(hosts.store)
    attempt = hosts.start(*words, "--store", str(hosts.store))
    if blow.victim == "engine":
        hit = strike_engine(blow, attempt.pid, took * (0.1 if "fake" in words else 0.5))
    else:
        time.sleep(blow.when * took)
        hit = strike(blow, attempt.pid)
    status = hosts.wait()
    MADE[f"{blow.victim} at a random moment of {words[0]}"] += hit
    found = list(complaints(hosts, before, attempt.said(), wanted))
    if status not in legal(blow):
        found.append(f"the host ended with {status}: {attempt.said()[-2000:]}")
    return hit, [f"{blow}: {one}" for one in found]


@pytest.mark.usefixtures("engine_fake")
def test_killed_at_random_moments(tmp_path: Path, shim: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        parts = [pool.submit(at_random, tmp_path / str(part), shim, SEED + part) for part in range(2)]
        found = [one for part in parts for one in part.result()]
    assert not found, "\n".join(found)
    assert made("random moment of evaluate") >= 0.5 * RANDOM_FAKE


def at_random(folder: Path, shim: Path, seed: int) -> list[str]:
    print(f"seed {seed}")
    with hosts_in(folder, shim) as hosts:
        reference(hosts, *FAKE)
        wanted, took, _ = min((reference(hosts, *FAKE) for _ in range(3)), key=lambda one: one[1])
        found = [one for blow in blows(RANDOM_FAKE // 2, seed) for one in struck(hosts, blow, took, wanted, *FAKE)]
        return found + after_the_next_run(hosts, *FAKE, "--store", str(hosts.store))


@pytest.mark.usefixtures("engine_fake")
def test_killed_while_it_starts(tmp_path: Path) -> None:
    """A program of its own each time, from its first instruction on."""
    dice, found = random.Random(SEED), []
    with hosts_in(tmp_path / "hosts") as hosts:
        words = (*FAKE, "--store", str(hosts.store))
        for _ in range(STARTING):
            before, output = folders(hosts.store), tmp_path / "output"
            with output.open("wb") as stream:
                command = [sys.executable, "-m", "rtgauge.cli", *words]
                host = subprocess.Popen(
                    command, env=hosts.environment, stdout=stream, stderr=stream, start_new_session=True
                )
                time.sleep(dice.uniform(0.0, 0.7))
                blow = Blow("host", dice.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]), 0.0)
                MADE["host while it starts"] += strike(blow, host.pid)
                host.wait()
            found += [f"{blow}: {one}" for one in complaints(hosts, before, output.read_text(), None)]
        found += after_the_next_run(hosts, *words)
    assert not found, "\n".join(found)
    assert made("while it starts") >= 0.6 * STARTING


# ---- on this machine ------------------------------------------------------------------------------------------------


@pytest.mark.realtime
@pytest.mark.usefixtures("engine_local")
def test_killed_on_this_machine(tmp_path: Path, shim: Path) -> None:
    """Real-time threads, the processor's latency setting, named semaphores: all of it goes with the process."""
    if not realtime_allowed():
        pytest.skip("needs permission for real-time scheduling")
    words = local_words()
    with machine_is_ours(), hosts_in(tmp_path / "hosts", shim) as hosts:
        setting = latency()
        reference(hosts, *words)
        _, took, _ = reference(hosts, *words)
        found = []
        for blow in blows(RANDOM_LOCAL, SEED):
            found += struck(hosts, blow, took, None, *words)
            found += [f"{blow}: {one}" for one in changed(setting)]
        found += [*after_the_next_run(hosts, *words, "--store", str(hosts.store)), *changed(setting)]
    assert not found, "\n".join(found)
    assert made("random moment of run") >= 0.6 * RANDOM_LOCAL


def realtime_allowed() -> bool:
    program = "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(2))"
    return subprocess.run([sys.executable, "-c", program], stderr=subprocess.DEVNULL, check=False).returncode == 0


def local_words() -> tuple[str, ...]:
    words = ["run", "local", "--samples", "60"]
    for test in LOCAL_JOBS:
        words += ["--tests", test]
    for param in LOCAL_PARAMS:
        words += ["--param", param]
    return (*words, "--tune") if os.access(LATENCY, os.R_OK | os.W_OK) else tuple(words)


@contextlib.contextmanager
def machine_is_ours(within_s: float = 300.0) -> Iterator[None]:
    """Keeps the user's runs away: no figure of ours counts, but theirs do."""
    until = time.monotonic() + within_s
    with contextlib.ExitStack() as stack:
        while True:
            try:
                stack.enter_context(only_one(Path(sys.executable)))
                break
            except TargetError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)
        yield


def latency() -> int | None:
    """The wake-up latency that the kernel keeps to now, in us; None where it does not tell."""
    try:
        with LATENCY.open("rb", buffering=0) as device:
            return int(struct.unpack("i", device.read(4))[0])
    except OSError:
        return None


def changed(before: int | None) -> Iterator[str]:
    until = time.monotonic() + 5.0  # another program may have asked for a moment
    while (now := latency()) != before and time.monotonic() < until:
        time.sleep(0.05)
    if now != before:
        yield f"{LATENCY} is {now}, it was {before}"
