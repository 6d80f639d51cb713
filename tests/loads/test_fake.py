"""The loads of the engine in virtual time: exactly what they say."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path

import cbor2
import pytest

from rtgauge.model import LoadReport
from rtgauge.trace.frames import Frame, FrameSplitter
from rtgauge.trace.writer import encode_list_request, encode_request
from tests.loads.engines import listed, ran, reports, spec
from tests.test_docs import documented_records

PUBLISHED = {"cpu", "disk", "interrupt", "network", "syscall", "memory", "filesearch"}


def test_the_list_names_each_file(engine_fake: Path) -> None:
    files = {path.stem for path in (Path(__file__).parents[2] / "engine/loads").glob("*.c")}
    known = {load.name: load for load in listed(engine_fake).loads}
    assert set(known) == files >= PUBLISHED | {"bus", "messaging"}
    assert all(load.what and load.degree and load.unit for load in known.values())
    assert {name: load.wanted for name, load in known.items() if load.wanted} == {
        "cpu": 100_000_000,
        "disk": 100_000_000,
        "memory": 100_000_000,
        "syscall": 100_000_000,
        "interrupt": 1000,
        "network": 4000,
    }
    assert known["bus"].other_cpus
    assert not known["disk"].every_cpu


def done(load: LoadReport) -> float:
    return load.achieved * load.exposure_ns / 1e9


@pytest.mark.parametrize("name", ["cpu", "memory", "syscall"])
def test_bursts_are_10_ms_every_100_ms(engine_fake: Path, tmp_path: Path, name: str) -> None:
    load = reports(ran(engine_fake, spec(3000, name), tmp_path))[name]
    assert load.reached
    assert load.note is None
    assert load.args == "1 thread on CPU 0"
    bursts = done(load) / 10e6
    assert load.exposure_ns / 100e6 - 1 <= bursts <= load.exposure_ns / 100e6 + 1  # the test may end within one


def test_interrupts_come_once_in_a_ms(engine_fake: Path, tmp_path: Path) -> None:
    load = reports(ran(engine_fake, spec(2000, "interrupt"), tmp_path))["interrupt"]
    assert round(done(load)) in (load.exposure_ns // 1_000_000, load.exposure_ns // 1_000_000 - 1)
    assert load.reached


def test_messages_take_what_their_calls_take(engine_fake: Path, tmp_path: Path) -> None:
    """A message costs two acquisitions, two releases and three looks at the clock at least, and a switch at most."""
    load = reports(ran(engine_fake, spec(2000, "messaging"), tmp_path))["messaging"]
    assert 400 < 1e9 / load.achieved < 1500
    assert load.wanted == 0
    assert load.reached


def test_virtual_time_repeats_itself(engine_fake: Path, tmp_path: Path) -> None:
    wanted = spec(1000, "cpu", "memory", "interrupt", "messaging")
    first, second = (reports(ran(engine_fake, wanted, tmp_path)) for _ in range(2))
    assert {name: asdict(load) for name, load in first.items()} == {name: asdict(load) for name, load in second.items()}
    assert len(first) == 4


def test_a_load_changes_nothing_of_a_real_time_test_here(engine_fake: Path, tmp_path: Path) -> None:
    """The simulated system pre-empts at once: what the load adds is a switch, the same each time."""
    idle, busy = (
        ran(engine_fake, spec(500, *loads), tmp_path).tests[0].series[0].ticks for loads in ((), ("messaging",))
    )
    assert len(set(idle)) <= len(set(busy))
    assert int(busy.max()) - int(idle.min()) < 10_000  # ns


def test_a_test_shorter_than_a_burst_proves_nothing(engine_fake: Path, tmp_path: Path) -> None:
    load = reports(ran(engine_fake, spec(5, "cpu"), tmp_path))["cpu"]
    assert (load.reached, load.note) == (False, "the test was too short to tell")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nosuch", "load nosuch: this engine has no such load"),
        ("disk", "load disk: preparing its work: this system has no such thing"),
        ("bus", "load bus: no CPU is left for it beside the one under test"),
    ],
)
def test_a_load_that_cannot_be_is_refused(engine_fake: Path, tmp_path: Path, name: str, why: str) -> None:
    trace = ran(engine_fake, spec(10, name), tmp_path)
    assert trace.why == why
    assert trace.tests == ()


def test_reserved_leaves_no_cpu_where_there_is_one(engine_fake: Path, tmp_path: Path) -> None:
    trace = ran(engine_fake, spec(10, "cpu", cpus="reserved"), tmp_path)
    assert trace.why == "load cpu: no CPU is left for it beside the one under test"


def test_without_loads_nothing_is_said(engine_fake: Path, tmp_path: Path) -> None:
    assert reports(ran(engine_fake, spec(10), tmp_path)) == {}


def test_the_example_of_adding_a_load_builds_and_loads(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    text = (root / "docs/adding-a-load.md").read_text()
    code, name = re.search(r"```c\n(.*?)```", text, re.S), re.search(r"`engine/loads/(\w+)\.c`", text)
    assert code is not None
    assert name is not None
    for part in ("engine", "cmake"):
        shutil.copytree(root / part, tmp_path / part)
    shutil.copytree(root / "src/rtgauge/reference", tmp_path / "src/rtgauge/reference")
    shutil.copy(root / "CMakeLists.txt", tmp_path)
    (tmp_path / f"engine/loads/{name[1]}.c").write_text(code[1])
    options = ["-DRTG_PORTS=fake", "-DRTG_TESTS=tmr_p_cyc", f"-DRTG_LOADS={name[1]}", "-DRTG_WERROR=ON"]
    for command in (["cmake", "-S", ".", "-B", "b", "-G", "Ninja", *options], ["cmake", "--build", "b"]):
        made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stdout[-2000:] + made.stderr[-2000:]
    engine = tmp_path / "b/engine/rtgauge-engine-fake"
    assert [load.name for load in listed(engine).loads] == [name[1]]
    load = reports(ran(engine, spec(100, name[1]), tmp_path))[name[1]]
    assert load.achieved == pytest.approx(
        1e9 / 330, rel=0.1
    )  # costs.h: 300 ns each, and the test's and the ticks' time


def test_the_records_are_documented(engine_fake: Path, tmp_path: Path) -> None:
    documented, seen = documented_records(), dict[str, set[str]]()
    for request in (encode_list_request(), encode_request(spec(10, "cpu"))):
        done = subprocess.run([engine_fake], input=request, capture_output=True, cwd=tmp_path, check=True)
        for frame in FrameSplitter().feed(done.stdout):
            assert isinstance(frame, Frame)
            record = cbor2.loads(frame.payload)
            seen.setdefault(record["r"], set()).update(set(record) - {"r"})
    for kind in ("load-descriptor", "load"):
        assert seen[kind] == documented[kind]
