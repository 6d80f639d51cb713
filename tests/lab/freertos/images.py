"""Images of the engine with FreeRTOS, built here as a user would, and run in the emulator without the host's help."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.freertos.kernel import kernel_of
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.model import Job, RunSpec, TestTrace, Trace
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request

ROOT = Path(__file__).parents[3]
COMPILERS = {
    "mps2-an385": "arm-none-eabi-gcc",
    "virt-a53": "aarch64-linux-gnu-gcc",
    "virt-rv64": "riscv64-unknown-elf-gcc",
}
NS = {"mps2-an385": 128, "virt-a53": 2, "virt-rv64": 16}  # of an instruction
EMULATORS = {
    "mps2-an385": "qemu-system-arm -M mps2-an385 -icount shift=7,sleep=off",
    "virt-a53": "qemu-system-aarch64 -M virt,dtb-randomness=off,gic-version=3 -machine virtualization=on"
    " -cpu cortex-a53,cntfrq=1000000000 -m 1024 -icount shift=1,sleep=off",
    "virt-rv64": "qemu-system-riscv64 -M virt -bios none -m 256 -icount shift=4,sleep=off",
}
ALL = (
    "-display none -serial none -monitor none -nodefaults -no-user-config -semihosting-config enable=on,target=native"
    " -rtc base=2020-01-01,clock=vm -seed 1 -kernel"
)
BUILD_S = 240.0
RUN_S = 120.0


def kernel_for(board: str) -> Path:
    """The kernel's sources; the test is skipped where the board's images cannot be built or run."""
    for program in (COMPILERS[board], EMULATORS[board].split()[0], "cmake", "ninja"):
        if not shutil.which(program):
            pytest.skip(f"{program} is missing")
    try:
        return kernel_of(Storage(cache_root()), None, lambda _text: None).root
    except TargetError as error:
        pytest.skip(f"no sources of FreeRTOS: {error}")


def built(folder: Path, source: Path, board: str, target: str, *settings: str) -> Path:
    """Configures and builds `target`; returns the folder of the build."""
    toolchain = ROOT / "engine" / "boards" / board / "toolchain.cmake"
    setting = [f"-D{text}" for text in (*settings, f"RTG_BOARD_NS_PER_INSTRUCTION={NS[board]}")]
    configure = ["cmake", "-S", str(source), "-B", str(folder), "-G", "Ninja", "--toolchain", str(toolchain), *setting]
    for step in (configure, ["cmake", "--build", str(folder), "--target", target]):
        done = subprocess.run(step, capture_output=True, text=True, timeout=BUILD_S, check=False)
        assert done.returncode == 0, f"{' '.join(step)}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return folder


def image(folder: Path, board: str, kernel: Path, config: str, tests: str, target: str, source: Path = ROOT) -> Path:
    """An image of the engine, with these options of FreeRTOS and only these tests."""
    settings = (
        *("RTG_PORTS=freertos", f"RTG_BOARD={board}", f"RTG_FREERTOS_KERNEL={kernel}", "RTG_WERROR=ON"),
        *(f"RTG_FREERTOS_CONFIG={config}", f"RTG_TESTS={tests}", "RTG_SELFTEST=ON"),
    )
    engine = built(folder, source, board, target, *settings) / "engine"
    return engine / ("selftest" if target.startswith("selftest") else ".") / target


@dataclass(frozen=True)
class Ended:
    status: int
    console: str
    trace: bytes


def run(folder: Path, board: str, program: Path, request: bytes) -> Ended:
    """Runs an image in a folder of its own below this one."""
    place = folder / "run"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    (place / "request").write_bytes(request)
    command = [*EMULATORS[board].split(), *ALL.split(), str(program)]
    done = subprocess.run(command, cwd=place, capture_output=True, timeout=RUN_S, check=False)
    texts = [(place / name).read_bytes() if (place / name).exists() else b"" for name in ("console", "trace")]
    return Ended(done.returncode, texts[0].decode("utf-8", "replace"), texts[1])


def measured(folder: Path, board: str, program: Path, *jobs: Job) -> Trace:
    spec = RunSpec(jobs=jobs, memory=1 << 20, time_ms=100_000)
    ended = run(folder, board, program, encode_request(spec))
    assert ended.status == 0, ended.console
    return read_trace(ended.trace)


def held(test: TestTrace) -> dict[str, bool]:
    """Its properties and controls by name: whether each was seen."""
    return {check.name: check.holds for check in test.checks if check.role != "report"}
