"""The engine built for other processors and run under emulation: a big-endian one must tell the same as this one."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cbor2
import numpy as np
import pytest

from rtgauge.model import Job, RunSpec, Trace
from rtgauge.trace.frames import Frame, FrameSplitter
from rtgauge.trace.payload import decode_payload
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_list_request, encode_request

ROOT = Path(__file__).parent.parent
SECONDS = 120  # any one program
TRIES = 10  # an emulator that is held up makes a counter look unsteady, which the engine then refuses

BIG, LITTLE = {65, 66, 67}, {69, 70, 71}  # tags of typed arrays with 2, 4 and 8 bytes (RFC 8746); 64 has one byte

# Large stamps and all small numbers, two series, checks with texts, values that are no stamps, several blocks.
JOBS = (
    Job("CAL-P-TRC", 9000),
    Job("THR-P-SLS", 500, {"threads": 10}),
    Job("SEM-P-ARC", 512, {"kind": "counting", "name": "unnamed", "waiters": 128}),
    Job("SEM-B-REL", 1, {"kind": "counting", "name": "unnamed"}),
    Job("THR-B-RR", 20),
    Job("TMR-P-CYC", 200, {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}),
    Job("CLK-B-CFG", 1),
)


@dataclass(frozen=True)
class Machine:
    name: str  # as its compiler, its emulator and CMake call it
    packages: str
    clock: str = ""  # of its processor, as the trace calls it
    options: tuple[str, ...] = ()


S390X = Machine(
    "s390x",
    "gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user",
    options=("-DRTG_PORTS=fake", "-DRTG_SELFTEST=ON"),
)
POSIX = ("-DRTG_PORTS=posix", "-DRTG_TESTS=cal_p_trc")
ARM64 = Machine("aarch64", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user", "arm64-cntvct", POSIX)
RISCV = Machine("riscv64", "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user", "riscv-time", POSIX)


def build(machine: Machine) -> Path:
    """The folder of the engine's programs for that machine."""
    if not shutil.which(f"{machine.name}-linux-gnu-gcc") or not shutil.which(f"qemu-{machine.name}"):
        pytest.skip(f"no compiler or no emulator for {machine.name}: apt-get install {machine.packages}")
    return compiled(machine)


@cache
def compiled(machine: Machine) -> Path:
    folder = ROOT / "build/tests" / machine.name
    system = ("-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={machine.name}")
    compiler = f"-DCMAKE_C_COMPILER={machine.name}-linux-gnu-gcc"
    for command in (
        ("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DRTG_WERROR=ON", *system, compiler, *machine.options),
        ("cmake", "--build", folder),
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return folder / "engine"


def run(machine: Machine, program: Path, request: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = (f"qemu-{machine.name}", "-L", f"/usr/{machine.name}-linux-gnu", program)
    return subprocess.run(command, input=request, capture_output=True, check=False, timeout=SECONDS)


def answer(machine: Machine | None, program: Path, request: bytes) -> bytes:
    """The trace that the engine of that machine, or of this one, answers with."""
    done = run(machine, program, request) if machine else subprocess.run(program, input=request, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def plain(value: Any) -> Any:
    """What can be compared: all that a trace says, without who built the engine that wrote it."""
    if isinstance(value, Trace):
        value = dataclasses.replace(value, build={})
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def typed_tags(data: bytes) -> list[int]:
    """The tags of all typed arrays of the trace, in their order."""
    frames = list(FrameSplitter().feed(data))
    assert all(isinstance(frame, Frame) for frame in frames)
    return [tag for frame in frames if isinstance(frame, Frame) for tag in tags_in(decode_payload(frame.payload))]


def tags_in(value: Any) -> Iterator[int]:
    if isinstance(value, cbor2.CBORTag):
        yield value.tag
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from tags_in(item)


# ---- s390x: big-endian ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", ["core", "fake", "conformance-fake"])
def test_the_engines_own_tests_pass_on_a_big_endian_machine(group: str) -> None:
    done = run(S390X, build(S390X) / f"selftest/selftest-{group}")
    assert done.returncode == 0, done.stdout.decode()[-4000:] + done.stderr.decode()
    assert b" 0 failed" in done.stdout


def test_a_big_endian_engine_lists_the_same_tests(engine_fake: Path) -> None:
    there = read_trace(answer(S390X, build(S390X) / "rtgauge-engine-fake", encode_list_request()))
    here = read_trace(answer(None, engine_fake, encode_list_request()))
    assert len(there.descriptors) > 20
    assert plain(there) == plain(here)


def test_a_big_endian_engine_sends_the_same_values_in_its_own_order(engine_fake: Path) -> None:
    request = encode_request(RunSpec(jobs=JOBS))
    there = answer(S390X, build(S390X) / "rtgauge-engine-fake", request)
    here = answer(None, engine_fake, request)
    ours, theirs = read_trace(here), read_trace(there)
    assert (theirs.problems, theirs.complete) == ((), True)
    assert [test.outcome for test in theirs.tests] == ["done"] * len(JOBS)
    assert sum(len(series.ticks) for test in theirs.tests for series in test.series) > 10_000
    assert plain(theirs) == plain(ours)
    tags, our_tags = typed_tags(there), typed_tags(here)
    assert set(tags) <= BIG | {64}
    assert set(our_tags) <= LITTLE | {64}
    assert set(tags) & BIG
    assert our_tags == [tag + 4 if tag in BIG else tag for tag in tags]


# ---- clocks of other processors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", [ARM64, RISCV], ids=lambda machine: machine.name)
def test_the_clock_of_another_processor_measures(machine: Machine) -> None:
    program = build(machine) / "rtgauge-engine"
    listed = read_trace(answer(machine, program, encode_list_request()))
    assert [descriptor.id for descriptor in listed.descriptors] == ["CAL-P-TRC"]
    request = encode_request(RunSpec(jobs=(Job("CAL-P-TRC", 200),), cpu=min(os.sched_getaffinity(0))))
    for _ in range(TRIES):
        trace = read_trace(answer(machine, program, request))
        assert (trace.problems, trace.why, trace.complete) == ((), None, True)
        assert trace.clock is not None
        if trace.clock.name == machine.clock:
            break
    assert (trace.clock.name, trace.clock.rejected) == (machine.clock, ())
    assert trace.clock.rate_num / trace.clock.rate_den > 1e6  # per second
    (test,) = trace.tests
    (series,) = test.series
    assert (test.outcome, len(series.ticks), series.dropped) == ("done", 200, 0)
    assert np.all(np.diff(series.start.astype(np.int64)) >= 0)
    assert np.all(series.ticks >= 0)
    assert len(set(series.start.tolist())) > 10  # the counter counts
