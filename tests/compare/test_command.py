"""rtgauge compare as it is typed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rtgauge.cli import main
from tests.targets.engines import make_engine

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "runs" / "schema-1-complete"
Ran = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Ran:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["compare", *words, "--store", str(tmp_path / "store")])
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return run


def test_a_stored_run_beside_a_published_system(ran: Ran) -> None:
    code, out, _ = ran(str(GOLDEN), "reference:qnx-6.5")
    assert code == 0
    assert "THR-P-SLS" in out
    assert "virtual" in out.split("== Configuration")[1]


def test_formats(ran: Ran, tmp_path: Path) -> None:
    things = (str(GOLDEN), "reference:qnx-6.5", "reference:ce7")
    _, text, _ = ran(*things)
    _, page, _ = ran(*things, "--format", "md")
    assert "## Key tests" in page
    assert "| 2.8" in page
    file = tmp_path / "c.html"
    assert ran(*things, "--format", "html", "-o", str(file))[:2] == (0, f"{file}\n")
    assert file.read_text("utf-8").count('class="timeline"') > 20
    assert ran(*things, "-o", str(tmp_path / "c.txt"))[0] == 0
    assert (tmp_path / "c.txt").read_text("utf-8") == text
    assert json.loads(ran(*things, "--json")[1])["schema"] == 2


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("reference:qnx-6.6", "reference:ce7"), 2, "did you mean qnx-6.5? legal are qnx-6.5@atom-z530, "),
        (("qnx-6.5", "reference:ce7"), 2, "a published system is written reference:qnx-6.5"),
        (("nothing", "reference:ce7"), 2, "no run 'nothing'"),
        (("last-series", "reference:ce7"), 2, "there is no series"),
        (("fake",), 3, "nothing to compare: fake is alone"),
        (("nothing",), 2, "no run 'nothing'"),
        (("reference:qnx-6.5", "reference:ce7", "--format", "pdf7"), 2, "unknown format 'pdf7'"),
        (("reference:qnx-6.5", "reference:ce7", "--format", "md", "--json"), 2, "give one of them"),
        (
            ("reference:qnx-6.5", "reference:ce7", "--unit", "instruction"),
            2,
            "did you mean instructions? legal are time",
        ),
        (("reference:qnx-6.5", "reference:ce7", "--unit", "instructions"), 2, "atom-z530 (not counted)"),
        (("reference:qnx-6.5", "fake", "--unit", "instructions"), 2, "needs systems in exact virtual time"),
        (("reference:qnx-6.5",), 3, "is alone"),
        (("reference:qnx-6.5", "reference:qnx-6.5@atom-z530"), 3, "is alone"),
        (("reference:qnx-6.5", "reference:linux-6.1.35-rt"), 3, "have no test in common"),
        (("reference:qnx-6.5", "reference:any"), 3, "reference:any@any has no results"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(ran: Ran, words: tuple[str, ...], code: int, told: str) -> None:
    found, out, err = ran(*words)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert told in err


def test_list_systems(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "systems", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert sum(one["figures"] + one["verdicts"] for one in listed if "figures" in one) == 852 + 84
    assert main(["list", "systems"]) == 0
    words = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["reference:vxworks-5.3.1@pentium-mmx-200", "2001", "257", "30"] in [line[:4] for line in words]


def test_series_of_repeats(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))
    store = tmp_path / "store"
    measure = ["run", "local", "--tests", "THR-P-SLS", "--repeat", "2", "--store", str(store), "--json"]
    assert main(measure) == 0
    first = next((store / "runs").iterdir())  # of the first series: both may begin within one second
    assert main(measure) == 0
    series = json.loads((first / "manifest.json").read_text("utf-8"))["series"]
    ran("last-series")  # takes what was printed so far
    code, out, _ = ran(series, "last-series", "--json")
    assert code == 0
    made = json.loads(out)
    assert [(one["kind"], one["runs"]) for one in made["systems"]] == [("series", 2), ("series", 2)]
    assert {one["basis"] for one in made["differences"]} == {"2 against 2 runs"}
    _, text, _ = ran("last-series", str(first))
    assert "1 against 2 runs: no interval without repeats of both" in text
