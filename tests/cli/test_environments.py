"""Several environments in one command, on an engine that is a small Python program."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli import main
from rtgauge.cli._reserved import reserved_lines
from tests.targets.engines import make_engine

FEW = ("--tests", "THR-*", "--samples", "300")
TOLD: dict[str, Any] = {
    "cpu": 1,
    "others": "0",
    "how": "affinity of each task",
    "moved": {"tasks": 3, "kernel_threads": 2, "interrupts": ["9 acpi"], "settings": []},
    "left": [{"what": "tasks", "names": [f"kworker/1:{n}" for n in range(9)], "count": 9, "why": "bound to it"}],
    "seen": {
        "seconds": 2.0,
        "tasks": [{"name": "kworker/1:0", "times": 4, "ns": 52000, "bound": True, "id": 7}],
        "interrupts": [{"name": "Local timer interrupts", "line": "LOC", "count": 8}],
        "softirqs": [],
    },
    "not_put_back": ["x"],
}


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))


def test_every_combination_is_a_run_and_a_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("run", "local", *FEW, "--cpus", "one", "--cpus", "all", "--repeat", "2", "--json")
    assert main(words) == 0
    caught = capsys.readouterr()
    told = json.loads(caught.out)
    side = told["side_by_side"]
    assert [column["environment"]["cpus"] for column in side["columns"]] == ["one", "all"]
    assert [len(column["runs"]) for column in side["columns"]] == [2, 2]
    assert [len(one["runs"]) for one in told["environments"]] == [2, 2]
    said = [line for line in caught.err.splitlines() if "run " in line and "cpus" in line]
    assert [line.rpartition("rtgauge: ")[2] for line in said] == [
        "run 1 of 2, cpus one",
        "run 1 of 2, cpus all",
        "run 2 of 2, cpus one",
        "run 2 of 2, cpus all",
    ]
    runs = sorted(path.name for path in (tmp_path / "store/runs").iterdir())
    assert main(("show", *runs, "--json")) == 0
    assert json.loads(capsys.readouterr().out) == side
    assert main(("show", *runs)) == 0
    assert "cpus=all" in capsys.readouterr().out
    two = [column["runs"][0] for column in side["columns"]]  # names of one second are in no order
    assert main(("report", *two, "--format", "md", "-o", str(tmp_path / "reports"))) == 0
    assert "## Side by side" in (tmp_path / "reports" / f"{two[0]}.md").read_text()


def test_evaluate_judges_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("evaluate", "--cpus", "one", "--cpus", "all")) == 2
    assert "evaluate judges one environment" in capsys.readouterr().err


def test_only_this_machine_can_be_reserved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("run", "fake", "--cpus", "reserved")) == 2
    assert "target fake is not on it" in capsys.readouterr().err


def test_suites_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("list", "suites", "--json")) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)] == ["posix-2000"]
    assert main(("list", "suites")) == 0
    assert "real-time signals: SIG-P-LAT peers=thread,process" in capsys.readouterr().out


def test_a_reserved_cpu_in_words() -> None:
    lines = list(reserved_lines(TOLD))
    assert lines[0].startswith("CPU 1 was reserved (affinity of each task): moved to CPU 0 were 3 tasks, 2 kernel")
    assert lines[1].endswith("kworker/1:5, and 3 more): bound to it")
    assert lines[2] == "  ran there in 2.0 s beside the test: kworker/1:0 4 times, 52 us"
    assert lines[3:] == [
        "  interrupts there: Local timer interrupts 8",
        "  softirqs there: none",
        "  NOT PUT BACK: x",
    ]
    assert list(reserved_lines(None)) == []
