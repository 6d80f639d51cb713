"""Every operation of port.h has a conformance check, and the checks catch a port that breaks the contract."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SELFTEST = ROOT / "engine/selftest"
BUILDS = ROOT / "build/tests"

# Checked from outside the process, by conformance_program.sh or by the program's own start.
PROGRAM = {"rtg_port_init", "rtg_port_read", "rtg_port_write", "rtg_port_exit"}


def operations() -> set[str]:
    """What port.h declares, without its comments."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "engine/include/rtgauge/port.h").read_text(), flags=re.S)
    functions = set(re.findall(r"^[a-z][\w *]*?\b(rtg_\w+)\(", text, re.M))
    pointers = set(re.findall(r"^extern .*\(\*const (rtg_\w+)\)\(", text, re.M))
    return functions | pointers


def checked() -> dict[str, list[Path]]:
    """Operation -> the files whose tables say that they check it."""
    found: dict[str, list[Path]] = {}
    for path in sorted(SELFTEST.glob("conformance_*.c")):
        for names in re.findall(r'^\s*\{"((?:rtg_\w+ ?)+)",', path.read_text(), re.M):
            for name in names.split():
                found.setdefault(name, []).append(path)
    return found


def test_every_operation_of_the_contract_has_a_check() -> None:
    assert len(operations()) > 55
    assert operations() - PROGRAM == set(checked())


def test_a_check_calls_what_it_says_that_it_checks() -> None:
    for name, paths in checked().items():
        for path in paths:
            assert re.search(rf"\b{name}\(", path.read_text()), f"{path.name} does not call {name}"
    program = "".join((SELFTEST / f"conformance_{part}.c").read_text() for part in ("main", "program"))
    for name in PROGRAM:
        assert f"{name}(" in program


def program(build: str, port: str) -> Path:
    path = BUILDS / build / f"engine/selftest/selftest-conformance-{port}"
    if not path.exists():
        pytest.skip(f"{path.relative_to(ROOT)} was not built: `make test` does")
    return path


# Fault of the simulated OS that breaks the contract -> the file whose check must say so.
BROKEN = {
    "create-lower-runs": "thread",
    "create-higher-waits": "thread",
    "create-to-head": "thread",
    "yield-nothing": "thread",
    "yield-to-lower": "thread",
    "slices-never-end": "thread",
    "policy-replaced": "level",
    "runs-elsewhere": "level",
    "level-call-nothing": "level",
    "sem-no-reschedule": "sem",
    "sem-loses-release": "sem",
    "sem-no-limit": "sem",
    "sem-value-wrong": "sem",
    "waiters-fifo": "sem",
    "timeout-early": "sem",
    "mutex-no-inheritance": "mutex",
    "mutex-not-restored": "mutex",
    "mutex-no-ceiling": "mutex",
    "mutex-not-exclusive": "mutex",
    "messages-fifo": "messages",
    "queue-full-loses": "messages",
    "queue-empty-returns": "messages",
    "flush-nothing": "files",
    "forget-nothing": "files",
    "timer-early": "time",
    "timer-twice": "time",
    "sleep-early": "time",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_port_that_breaks_the_contract_is_caught(fault: str) -> None:
    environment = {**os.environ, "RTGAUGE_FAULT": fault, "ASAN_OPTIONS": "use_sigaltstack=0"}
    done = subprocess.run(
        program("sanitized", "fake"), env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1, done.stdout
    assert f"conformance_{BROKEN[fault]}.c:" in done.stdout


def test_a_port_without_anything_is_told_so_and_does_not_fail() -> None:
    done = subprocess.run(program("template", "template"), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout
    said = re.findall(r"rtg_\w+", "".join(re.findall(r"^skipped: .*", done.stdout, re.M)))
    assert {"rtg_port_init", "rtg_thread_create", "rtg_sem_create", "rtg_mutex_create", "rtg_timer_create"} < set(said)
    assert "failed" not in done.stdout.replace(", 0 failed", "")
