"""Loads as a user meets them, on the simulated system."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli import main
from rtgauge.results import complaint_about

Ran = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    """Runs a command; its code, standard output and standard error."""
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return run


CYCLIC = ("run", "fake", "--tests", "TMR-P-CYC", "--samples", "2000")


def measured(ran: Ran, *words: str) -> dict[str, Any]:
    code, out, err = ran(*CYCLIC, *words, "--json")
    assert code == 0, err
    content = json.loads(out)
    assert complaint_about(content) is None
    return {result["id"]: result for result in content["results"]}


def test_a_load_is_in_the_results(ran: Ran, tmp_path: Path) -> None:
    results = measured(ran, "--load", "cpu+memory")
    cyclic = results["TMR-P-CYC"]
    assert cyclic["environment"]["load"] == "cpu+memory"
    loads = {load["name"]: load for load in cyclic["loads"]}
    assert list(loads) == ["cpu", "memory"]
    assert loads["cpu"]["implementation"] == "engine"
    assert loads["cpu"]["wanted"] == 100_000_000
    assert 95_000_000 <= loads["cpu"]["achieved"] <= 110_000_000
    assert loads["memory"]["reached"] is True
    assert [load["name"] for load in results["CAL-P-TRC"]["loads"]] == ["cpu", "memory"]  # it is under load as well
    assert ran("verify", "last")[0] == 0
    overview = ran("show", "last")[1]
    wanted = r"CAL-P-TRC .*: load cpu: .* of 100 ms wanted, .*: not reached \(the test was too short to tell\)"
    assert re.search(wanted, overview)
    assert not re.search("TMR-P-CYC .*: load cpu: ", overview)
    assert "load memory: " in ran("show", "last", "TMR-P-CYC")[1]
    page = tmp_path / "report.md"
    assert ran("report", "last", "-o", str(page))[0] == 0
    assert "Loads beside the test" in page.read_text()
    assert "of 100 ms wanted" in page.read_text()


def test_without_a_load_nothing_is_said(ran: Ran) -> None:
    assert "loads" not in measured(ran)["TMR-P-CYC"]


def test_wrong_loads(ran: Ran, tmp_path: Path) -> None:
    code, _, err = ran(*CYCLIC, "--load", "cpy")
    assert code == 2
    assert "unknown load 'cpy': did you mean cpu? legal are bus, cpu, " in err
    assert ran(*CYCLIC, "--load", "hackbench")[0] == 2
    assert not (tmp_path / "store/runs").exists()
    code, _, err = ran(*CYCLIC, "--load", "heavy")
    assert code == 4
    assert "the engine refused to go on: load disk: preparing its work: this system has no such thing" in err


def test_the_list(ran: Ran) -> None:
    code, out, _ = ran("list", "loads", "--target", "fake", "--json")
    assert code == 0
    rows = {row["name"]: row for row in json.loads(out)}
    assert rows["heavy"]["of"] == ["cpu", "disk", "interrupt", "network", "syscall", "memory", "filesearch"]
    assert rows["cpu"]["degree"].startswith("10 ms of work every 100 ms")
    assert "hackbench" not in rows
    out = ran("list", "loads")[1]
    assert "hackbench  400 processes" in out
    assert "a program that runs on this machine" in out
