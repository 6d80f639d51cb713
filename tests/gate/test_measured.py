"""Stored runs as one side of the gate."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rtgauge.errors import StoreError
from rtgauge.gate import judge
from rtgauge.gate.identity import differences, first_difference, identity_of, subject_of
from rtgauge.gate.measured import UnlikeError, measured
from rtgauge.gate.reading import parse
from rtgauge.gate.text import write
from rtgauge.gate.values import Line, Side
from rtgauge.store.manifest import seal
from tests.findings.results import behaviour, timed

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "runs"
Made = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """Folders of runs in real time, with these results."""

    def make(number: int, *results: Mapping[str, Any], **about: Any) -> Path:
        folder = tmp_path / "store" / "runs" / f"20261122-10111{number}-local-00000{number}"
        folder.mkdir(parents=True)
        content = {"schema": 1, "run": folder.name, "target": "local", "created": f"2026-11-22T10:11:1{number}Z"}
        spec = {"level": 79, "cpu": 1, "accumulate": False, "blame": False, "break_on_ns": 0}
        manifest = {"schema": 1, "state": "complete", "host": "bench", "engine": {"sha256": "cd" * 32}, "spec": spec}
        facts = {"release": "6.1", "cpus": 2, **about.pop("facts", {})}
        content |= {"system": {"facts": facts, "clock": {"name": about.pop("clock", "tsc")}}, "spec": spec}
        content |= {"results": [{"environment": {"load": "none"}, **one} for one in results]}
        (folder / "results.json").write_text(json.dumps(content))
        (folder / "manifest.json").write_bytes(seal({**content, **manifest, "results": None, **about}))
        return folder

    return make


@pytest.fixture(autouse=True)
def _any_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made results have what the gate reads, and no more."""
    monkeypatch.setattr("rtgauge.results.complaint_about", lambda _content: None)


def only(side: Side, id_: str = "THR-P-SLS") -> Line:
    (line,) = (line for key, line in side.lines.items() if key.id == id_)
    return line


def test_a_run_in_virtual_time_has_exact_paths() -> None:
    side = measured("golden", [GOLDEN / "schema-1-complete"])
    assert (side.virtual, side.runs, side.replicas) == (True, 1, 1)
    paths = {key.id: [path.value for path in line.paths] for key, line in side.lines.items() if line.paths}
    assert paths["THR-P-SLS"] == [800.0]
    assert judge(side, side).ruling() == "pass"
    assert judge(side, parse(write(side), "b")).ruling() == "pass"


def test_instructions_where_the_manifest_says_what_one_takes(tmp_path: Path) -> None:
    def copy(name: str, **virtual: object) -> Side:
        folder = tmp_path / name
        shutil.copytree(GOLDEN / "schema-1-complete", folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        about = {"ns_per_instruction": 2, "qemu": "aa" * 32, "machine": "q35", "engine": "ee" * 32, **virtual}
        (folder / "manifest.json").write_bytes(seal({**manifest, "virtual": about}))
        return measured(name, [folder])

    base = copy("a", kernel="11" * 32)
    assert (only(base).unit, only(base).paths[0].value, only(base).medians) == ("instr", 400.0, (400.0,))
    assert (base.identity["QEMU"], base.identity["ns per instruction"]) == ("aa" * 32, "2")
    assert base.subject["kernel"] == "11" * 32
    outcome = judge(copy("b", kernel="22" * 32), base)
    assert outcome.ruling() == "pass"
    assert outcome.differs == ("kernel: 111111111111 -> 222222222222",)
    others = (
        ("qemu", "bb"),
        ("machine", "virt"),
        ("engine", "ff" * 32),
        ("init", "x"),
        ("programs", "hackbench 12"),
        (
            "emulator_files",
            "pvh.bin:12",
        ),
    )
    for name, value in others:
        assert judge(copy(name, kernel="11" * 32, **{name: value}), base).ruling() == "incomparable"
    assert only(copy("c", ns_per_instruction="many")).unit == "ns"


def lab(**virtual: object) -> dict[str, object]:
    """A manifest as the virtual lab writes it."""
    line = "qemu -M q35 -rtc base=2020-01-01T{}:00:00,clock=vm -kernel <kernel> -append quiet rtgauge.replica={} {}"
    replica, append = virtual.pop("replica", 0), virtual.pop("append", "")
    about = {
        "machine": line.format(replica, replica, append),
        "command_line": f"quiet rtgauge.replica={replica} {append}",
    }
    return {"virtual": {"ns_per_instruction": 2, **about, "replica": replica, "configuration": f"{virtual}", **virtual}}


def test_replicas_are_of_one_system_and_a_boot_option_is_another_on_the_same_machine() -> None:
    first, second, booted = lab(), lab(replica=7), lab(append="threadirqs")
    assert identity_of({}, first) == identity_of({}, second) == identity_of({}, booted)
    assert subject_of({}, first) == subject_of({}, second) == {"command line": "quiet"}
    assert subject_of({}, booted) == {"command line": "quiet threadirqs"}
    told = [{"system": {"facts": {"kernel_command_line": f"quiet rtgauge.replica={n}"}}} for n in (1, 2)]
    assert subject_of(told[0], first) == subject_of(told[1], second) == {"kernel command line": "quiet"}
    assert identity_of({}, first)["machine"] == "qemu -M q35 -rtc base=,clock=vm -kernel <kernel>"


def test_of_long_lines_the_words_that_differ_are_told() -> None:
    base = {"command line": " ".join(f"option{i}" for i in range(20))}
    run = {"command line": base["command line"].replace("option7", "other") + " last"}
    assert differences(run, base) == ("command line: -option7 +other +last",)
    assert first_difference(run, base) == "command line differs: -option7 +other +last"


def test_a_run_whose_writer_was_killed_is_read_from_its_trace() -> None:
    side = measured("killed", [GOLDEN / "schema-1-killed"])
    assert any(line.paths and line.paths[0].value is not None for line in side.lines.values())
    assert any("incomplete" in note for note in side.notes)


def test_samples_that_cannot_be_read_are_said_in_one_line(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN / "schema-1-complete", tmp_path / "run")
    (tmp_path / "run" / "samples.parquet").write_bytes(b"PAR1 not")
    with pytest.raises(StoreError, match="so no path is known"):
        measured("run", [tmp_path / "run"])


def test_repeats_are_one_side_with_a_figure_of_each_run(made: Made) -> None:
    folders = [made(i, timed("THR-P-SLS", median=1000.0 + i, max=2000.0 + i)) for i in range(5)]
    side = measured("series", folders)
    line = only(side)
    assert line.medians == (1000.0, 1001.0, 1002.0, 1003.0, 1004.0)
    assert (line.tail, line.tails, line.maximum, line.n) == ("p99.9", (1900.0,) * 5, 2004.0, 1000)
    assert side.identity["host"] == "bench"
    assert judge(side, side).ruling() == "pass"


def test_runs_of_two_systems_or_engines_are_no_repeats(made: Made) -> None:
    one = made(1, timed("THR-P-SLS"))
    for number, about, told in (
        (2, {"engine": {"sha256": "ee" * 32}}, "engine differs: cdcdcdcdcdcd in the base, eeeeeeeeeeee in the run"),
        (3, {"facts": {"release": "6.2"}}, "release differs: 6.1 in the base, 6.2 in the run"),
    ):
        with pytest.raises(UnlikeError, match=told):
            measured("runs", [one, made(number, timed("THR-P-SLS"), **about)])


def test_a_failure_in_one_of_the_runs_counts_and_so_does_what_was_shown(made: Made) -> None:
    def side(*statuses: str) -> Line:
        folders = [made(i, behaviour("THR-B-RR", status)) for i, status in enumerate(statuses)]
        made_side = measured("runs", folders)
        for folder in folders:
            shutil.rmtree(folder)
        return only(made_side, "THR-B-RR")

    assert side("pass", "fail", "pass").status == "fail"
    assert side("invalid", "pass").status == "pass"
    assert side("not-supported", "invalid").status == "invalid"


def test_skipped_activations_and_lost_samples_count(made: Made) -> None:
    synthetic = {"median": 5000.0, "max": 9e6, "percentiles": {"50": 5000.0, "99.9": 8e6}}
    line = only(measured("run", [made(1, timed("THR-P-SLS", synthetic=synthetic, lost=250))]))
    assert (line.medians, line.tails, line.maximum, line.lost) == ((5000.0,), (8e6,), 9e6, 0.2)


def test_percentiles_that_not_all_runs_have_are_no_tail(made: Made) -> None:
    few = timed("THR-P-SLS", percentiles={"50": 1000.0, "99": 1500.0})
    line = only(measured("runs", [made(1, timed("THR-P-SLS")), made(2, few)]))
    assert (line.tail, line.tails, len(line.medians)) == ("", (), 2)


def test_results_that_are_alike_are_told_apart(made: Made) -> None:
    side = measured("run", [made(1, timed("THR-P-SLS"), timed("THR-P-SLS", median=5.0))])
    assert [(key.place, line.medians) for key, line in side.lines.items()] == [(0, (1000.0,)), (1, (5.0,))]
    assert parse(write(side), "b").lines.keys() == side.lines.keys()


def test_hostile_and_empty_runs_break_nothing(made: Made) -> None:
    names = timed("X\x1b[2J\u202e", {"a b": "c @ d : e", "": "", "part": "\n"}, median=1e29, max=-1e29)
    empty = {"id": "E", "status": "ok"}
    unknown = timed("FOREIGN", imported=True, lost=None, n=None, exposure_s=None)
    side = measured("run", [made(1, names, empty, unknown, behaviour("B-B-B", "odd"))])
    again = parse(write(side), "b")
    assert len(again.lines) == 4
    judge(side, again)
    assert measured("run", [made(2)]).lines == {}
    assert identity_of({}, {}) == {"time": "real"}
    assert subject_of({"system": [1]}, {"virtual": "x"}) == {}


def test_a_virtual_side_of_identical_runs_is_one_run() -> None:
    side = measured("golden", [GOLDEN / "schema-1-complete"] * 2)
    assert (side.runs, side.varied, side.replicas) == (2, False, 1)
    assert replace(side, varied=True).replicas == 2
