"""The gate before a kernel, on real guests: one instruction more is seen and named, what has nothing to do with a path
does not fire it, and what makes a path longer is caught."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.gate import judge
from rtgauge.gate.measured import measured
from rtgauge.gate.values import Outcome
from rtgauge.gate.words import name_of
from tests.lab.variants import built

SYSTEM = "linux-rt"
GUESTS = 2  # at a time
LIMIT_S = 300.0
TESTS = ("THR-P-SLS", "IRQ-P-DLT", "IRQ-P-LAT", "IRQ-P-TLT")
PARAMS = ("source=hpet", "threads=2", "waiters=1")
WHOLE = ("source=hpet", "waiters=1", "from=thread")  # of IRQ-P-TLT: with the handler within
DLT, LAT = "IRQ-P-DLT level=primary source=hpet", "IRQ-P-LAT from=thread level=primary source=hpet"
TLT = "IRQ-P-TLT from=handler level=primary source=hpet waiters=1"
TLT_WHOLE = TLT.replace("from=handler", "from=thread")
SLS = "THR-P-SLS threads=2"
PATHS = 6  # results of the base, all of which are judged

UNRELATED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "replica 1": ((), "replica=1"),
    "replica 2": ((), "replica=2"),
    "replica 17": ((), "replica=17"),
    "link order 1": (("order1",), ""),
    "link order 2": (("order2",), ""),
    "link order 3": (("order3",), ""),
    "link order 1 in a replica": (("order1",), "replica=5"),
    "boot message": (("message",), "append=loglevel=7"),
    "code that nobody calls": (("padding",), ""),
    "unrelated module": (("unrelated",), ""),
    "unrelated module behind another order": (("order2", "unrelated"), ""),
    "word for nobody": ((), "append=hello=world"),
    "another seed": ((), "append=seed=2"),
    "a third seed": ((), "append=seed=3&replica=3"),
    "long word": ((), f"append=word={'x' * 900}"),
    "less memory": ((), "append=mem=900M"),
    "another place of the kernel": ((), "append=nokaslr"),
    "other sizes of tables": ((), "append=log_buf_len=4M dhash_entries=4096 uhash_entries=512"),
    "words of a real system": ((), "append=ro root=/dev/sda1 panic=5"),
    "all of it": (("unrelated", "order3"), "append=seed=77 mem=768M loglevel=7&replica=9"),
}


@dataclass(frozen=True)
class Bench:
    """Guests and gates between them. Runs are kept: what was asked for once is not measured again."""

    folder: Path
    modules: Mapping[str, Path]

    def address(self, modules: tuple[str, ...] = (), more: str = "") -> str:
        words = [f"module={','.join(str(self.modules[name]) for name in modules)}"] if modules else []
        return f"lab:{SYSTEM}?{'&'.join([*words, *([more] if more else [])])}".rstrip("?")

    def run(
        self, address: str, tests: tuple[str, ...] = TESTS, params: tuple[str, ...] = PARAMS, samples: int = 100
    ) -> str:
        """The folder of a run."""
        words = [f"--tests={one}" for one in tests] + [f"--param={one}" for one in params]
        done = rtgauge(self.folder, "run", address, *words, f"--samples={samples}", "--no-live")
        assert done.returncode == 0, f"{address}: {done.stderr[-2000:]}"
        return done.stdout.splitlines()[-1]

    def gate(self, run: str, base: str) -> Gate:
        return Gate(judge(*(measured(one, [Path(one)]) for one in (run, base))))


@dataclass(frozen=True)
class Gate:
    said: Outcome

    @property
    def worse(self) -> dict[str, float | None]:
        """By how many instructions which paths are longer."""
        assert all((one.unit, one.what) == ("instr", "path") for one in self.said.failed), self.said.failed
        return {name_of(one.key): one.difference for one in self.said.failed}

    @property
    def equal(self) -> int:
        return len(self.said.of("equal"))


def rtgauge(store: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from rtgauge.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *words, "--store", str(store)],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no emulator here: apt-get install qemu-system-x86")
    try:
        modules = built(SYSTEM, tmp_path_factory.mktemp("modules"))
    except TargetError as error:
        pytest.skip(f"no kernel, or no modules for it: {error}")
    return Bench(tmp_path_factory.mktemp("store"), modules)


@pytest.fixture(scope="module")
def base(bench: Bench) -> str:
    return bench.run(bench.address())


@pytest.mark.slow
def test_twenty_unrelated_changes_fire_nothing(bench: Bench, base: str) -> None:
    assert len(UNRELATED) == 20
    with ThreadPoolExecutor(GUESTS) as guests:
        runs = dict(
            zip(UNRELATED, guests.map(lambda one: bench.run(bench.address(*one)), UNRELATED.values()), strict=True)
        )
    found = {name: bench.gate(run, base) for name, run in runs.items()}
    assert {name: one.worse for name, one in found.items() if one.said.ruling() != "pass"} == {}
    assert {name: one.equal for name, one in found.items() if one.equal != PATHS} == {}


@pytest.mark.slow
def test_one_instruction_is_named_where_it_is_measured_and_nowhere_else(bench: Bench, base: str) -> None:
    """Before the handler's first stamp it belongs to the way in, behind its last to the way out."""
    with ThreadPoolExecutor(GUESTS) as guests:
        before, within, after = guests.map(lambda one: bench.run(bench.address((one,))), ("before", "within", "after"))
    assert bench.gate(before, base).worse == {LAT: 1}
    told = rtgauge(bench.folder, "gate", before, "--against", base)
    assert told.returncode == 1
    assert re.search(r"^IRQ-P-LAT from=thread .* instr +\+1 slower +limit \+0$", told.stdout, re.MULTILINE)
    assert bench.gate(within, base).worse == {}
    assert bench.gate(after, base).worse == {DLT: 1, TLT: 1}


@pytest.mark.slow
def test_one_instruction_within_the_handler_is_seen_from_outside_of_it(bench: Bench) -> None:
    def run(modules: tuple[str, ...]) -> str:
        return bench.run(bench.address(modules), ("IRQ-P-DLT", "IRQ-P-TLT"), WHOLE, 1000)

    with ThreadPoolExecutor(GUESTS) as guests:
        plain, within = guests.map(run, ((), ("within",)))
    assert bench.gate(within, plain).worse == {TLT_WHOLE: 1}


@pytest.mark.slow
def test_a_boot_option_and_a_module_that_lengthen_paths_are_caught(bench: Bench, base: str) -> None:
    with ThreadPoolExecutor(GUESTS) as guests:
        module, option = guests.map(
            lambda one: bench.run(bench.address(*one)), ((("longer",), ""), ((), "append=audit=1"))
        )
    longer = bench.gate(module, base).worse
    assert longer == {SLS: longer[SLS], TLT: longer[SLS]}, "both have one switch of threads, the others have none"
    assert set(bench.gate(option, base).worse) >= {SLS, TLT}


@pytest.mark.slow
def test_a_module_that_the_kernel_does_not_take_ends_the_run_with_its_words(bench: Bench) -> None:
    """Also one that takes the place of rtgauge's own, without which a guest would go on."""
    address = bench.address(("order1",)).replace(SYSTEM, "linux-none")
    done = rtgauge(bench.folder, "run", address, "--tests=CAL-P-TRC", "--no-live")
    assert done.returncode == 4
    assert "the kernel does not take the module rtgauge_irq.ko: Exec format error" in done.stderr
