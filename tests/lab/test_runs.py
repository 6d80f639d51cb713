"""Real kernels in the lab: the same bytes in each run, whatever else the host does."""

from __future__ import annotations

import os
import re
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
from rtgauge.lab.modules import NAME
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.model import Job, RunSpec
from rtgauge.plan import Wish, make_plan
from rtgauge.targets import open_target
from rtgauge.targets.base import Ending, Stop
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


def ran(system: str, spec: RunSpec, limit: float = 60.0) -> tuple[bytes, Ending]:
    """The trace of a run that came to its end, and the latter."""
    target, got = open_target(f"lab:{system}"), bytearray()
    target.describe()
    ending = target.run(spec, [limit] * len(spec.jobs), lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths) == (None, ())
    return bytes(got), ending


def traced(system: str) -> bytes:
    return ran(system, SPEC)[0]


def planned(system: str, *tests: str) -> RunSpec:
    """What the profile quick asks for, with fewer samples."""
    return make_plan(open_target(f"lab:{system}").describe().descriptors, Wish(tests, profile="quick", samples=20)).spec


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
@pytest.mark.parametrize("system", ["linux-rt"], indirect=True)
def test_a_program_as_a_load_is_the_same_in_each_run(system: str) -> None:
    cyclic: dict[str, str | int] = {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}
    spec = RunSpec(
        jobs=(Job("TMR-P-CYC", 1500, cyclic),),
        memory=1 << 20,
        time_ms=100_000,
        environment={"load": "hackbench", "cache": "hot", "cpus": "one"},
    )
    try:
        first, second = ran(system, spec), ran(system, spec)
    except TargetError as error:
        pytest.skip(f"no hackbench: {error}")
    assert first[0] == second[0]
    assert first[1].loads == second[1].loads
    (load,) = first[1].loads
    assert (load.name, load.reached, load.note) == ("hackbench", True, None)
    assert load.achieved > 1000
    about = open_target(f"lab:{system}").describe().virtual
    assert about is not None
    assert first[1].virtual is not None
    assert {name for name in about if about[name] != first[1].virtual[name]} == {"programs", "configuration"}
    assert re.fullmatch("hackbench [0-9a-f]{64}", str(first[1].virtual["programs"]))


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-rt", "linux-rt@virt-a53"], indirect=True)
def test_interrupts_have_a_source_of_their_own(system: str) -> None:
    target = open_target(f"lab:{system}")
    virtual = target.describe().virtual
    if virtual is None or virtual["module"] is None:
        pytest.skip("no kernel module: its headers or a compiler are missing")
    spec = planned(system, "IRQ-P-*", "IRQ-S-SUS")
    first, ending = ran(system, spec)
    assert ending.virtual is None, "the guest had fewer modules than it was to have"
    trace = read_trace(first)
    sources = {str(test.params["source"]) for test in trace.tests if test.descriptor.id.startswith("IRQ-")}
    assert sources == {"counter" if "virt" in system else "hpet"}
    assert {test.outcome for test in trace.tests} <= {"done", "not-supported"}
    done = {test.descriptor.id for test in trace.tests if test.outcome == "done"}
    assert {"IRQ-P-LAT", "IRQ-P-DLT", "IRQ-P-TLT", "IRQ-S-SUS"} <= done
    with busy_host():
        assert ran(system, spec)[0] == first


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-rt"], indirect=True)
def test_the_quick_suite_keeps_to_its_budget(system: str) -> None:
    """Of virtual time in which instructions are executed: exact, whatever this host is like."""
    plan = make_plan(open_target(f"lab:{system}").describe().descriptors, Wish(profile="quick"))
    got = bytearray()
    ending = open_target(f"lab:{system}").run(plan.spec, plan.limits, lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths) == (None, ())
    notes = "\n".join(ending.notes)
    (busy,) = re.findall(r"took ([0-9.]+) busy virtual s", notes)
    (boot,) = re.findall(r"began ([0-9.]+) virtual s", notes)
    assert 5 < float(busy) <= 10
    assert 1 < float(boot) < 3
    outcomes = {test.outcome for test in read_trace(bytes(got)).tests}
    assert outcomes <= {"done", "not-supported"}


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
    assert {name for name in one if one[name] != other[name]} == {
        "kernel",
        "kernel_booted",
        "kernel_from",
        "configuration",
    }
    assert {name for name in one if one[name] != replica[name]} == {
        "attached",
        "command_line",
        "replica",
        "configuration",
    }


def test_a_kernel_of_ones_own_with_ones_own_build_of_the_module_has_its_sources(tmp_path: Path) -> None:
    from tests.lab.kernels import STOPS, elf

    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no QEMU here: apt-get install qemu-system-x86")
    kernel, module = tmp_path / "kernel", tmp_path / NAME
    kernel.write_bytes(elf(STOPS))
    module.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\0\x3e\0" + bytes(100))
    swept = []
    for more in ("", f"&module={module}"):
        descriptors = open_target(f"lab:linux@q35?kernel={kernel}{more}").describe().descriptors
        (test,) = (one for one in descriptors if one.id == "IRQ-P-LAT")
        swept.append(next(info.sweep for info in test.params if info.name == "source"))
    assert swept[0] != "hpet"
    assert swept[1] == "hpet"
