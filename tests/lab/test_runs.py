"""Real kernels in the lab: the same bytes in each run, whatever else the host does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.address import parse
from rtgauge.lab.kernels import kernel_of
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.model import Job, RunSpec
from rtgauge.targets import open_target
from rtgauge.targets.base import Stop
from rtgauge.trace.reader import read_trace

SPEC = RunSpec(
    jobs=(
        Job("CAL-P-TRC", 100),
        Job("THR-P-SLS", 100, {"threads": 2}),
        Job("TMR-P-CYC", 100, {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}),
    ),
    memory=1 << 20,
    time_ms=100_000,
)
LIMITS = (60.0, 60.0, 60.0)


@pytest.fixture
def system(request: pytest.FixtureRequest) -> str:
    """The name of a system that can be run here."""
    address = parse(request.param)
    if not shutil.which(address.board.program):
        pytest.skip(f"no emulator here: apt-get install {address.board.package}")
    try:
        kernel_of(Storage(cache_root()), address, lambda _text: None)
    except TargetError as error:
        pytest.skip(f"no kernel: {error}")
    return str(request.param)


def traced(system: str) -> bytes:
    target, got = open_target(f"lab:{system}"), bytearray()
    target.describe()
    ending = target.run(SPEC, LIMITS, lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths) == (None, ())
    return bytes(got)


@contextmanager
def busy_host() -> Iterator[None]:
    """Others that take every processor while the block runs."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.wait()


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-rt"], indirect=True)
def test_a_run_is_the_same_to_the_byte_on_an_idle_and_on_a_busy_host(system: str) -> None:
    idle = traced(system)
    with busy_host():
        assert traced(system) == idle
    trace = read_trace(idle)
    assert (trace.problems, trace.complete) == ((), True)
    assert [test.outcome for test in trace.tests] == ["done"] * 3
    assert trace.clock is not None
    assert trace.clock.name == "x86-tsc"
    assert trace.facts["time"] == "virtual"
    assert trace.facts["ns_per_instruction"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-none?replica=1"], indirect=True)
def test_a_replica_differs_and_is_the_same_to_itself(system: str) -> None:
    assert traced(system) != traced("linux-none")


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-none"], indirect=True)
def test_what_virtual_time_cannot_know_is_refused(system: str) -> None:
    target, got = open_target(f"lab:{system}"), bytearray()
    spec = RunSpec(jobs=(Job("CAL-P-CPU", 10, {"result": "cached", "run": "first"}),), time_ms=100_000, memory=1 << 20)
    target.run(spec, (60.0,), lambda chunk, _events: got.extend(chunk), Stop())
    (test,) = read_trace(bytes(got)).tests
    assert (test.outcome, test.reason) == (
        "not-supported",
        "time is virtual here: it counts instructions, and caches take none",
    )


def test_the_manifest_says_what_the_figures_depend_on(tmp_path: Path) -> None:
    from tests.lab.kernels import STOPS, elf

    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no QEMU here: apt-get install qemu-system-x86")
    kernels = [tmp_path / name for name in "ab"]
    kernels[0].write_bytes(elf(STOPS))
    kernels[1].write_bytes(elf(STOPS + b"\x90"))
    one, same, other, replica = (
        open_target(f"lab:linux@q35?kernel={path}{more}").describe().virtual
        for path, more in ((kernels[0], ""), (kernels[0], ""), (kernels[1], ""), (kernels[0], "&replica=1"))
    )
    assert one is not None
    assert other is not None
    assert replica is not None
    assert one == same
    assert {name for name in one if one[name] != other[name]} == {"kernel", "kernel_from", "configuration"}
    assert {name for name in one if one[name] != replica[name]} == {
        "machine",
        "command_line",
        "replica",
        "configuration",
    }
