"""Targets that are measured for a comparison, as a user meets them, on an engine that is a small Python program."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rtgauge import session
from rtgauge.cli import main
from rtgauge.cli._measured_now import is_target
from rtgauge.errors import TargetError
from tests.targets.engines import make_engine

Ran = Callable[..., tuple[int, str, str]]
FEW = ("--tests", "THR-P-SLS", "--samples", "300")


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Ran:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(("compare", *words))
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return run


def stored(tmp_path: Path) -> list[dict[str, Any]]:
    found = (tmp_path / "store/runs").glob("*/manifest.json")
    return sorted((json.loads(path.read_text()) for path in found), key=lambda one: str(one["created"]))


def test_a_target_is_measured_kept_and_compared(ran: Ran, tmp_path: Path) -> None:
    code, out, err = ran("local", "reference:qnx-6.5", *FEW, "--deadline", "1s", "--json")
    assert code == 0
    (kept,) = stored(tmp_path)
    assert (kept["state"], kept["profile"], kept["deadline_ns"]) == ("complete", "quick", 10**9)
    assert kept["command"] == ["rtgauge", "compare", "local", "reference:qnx-6.5", *FEW, "--deadline", "1s", "--json"]
    assert kept["audit"]  # the configuration stands beside the figures
    made = json.loads(out)
    assert [one["name"] for one in made["systems"]] == [kept["run"], "reference:qnx-6.5@atom-z530"]
    assert made["systems"][0]["requirements"][0]["limit"] == "deadline 1 s"
    assert {"local was measured:", str(tmp_path / "store" / "runs" / kept["run"])} <= {
        word for line in err.splitlines() for word in (line[9:28], line.rpartition(" ")[2])
    }
    assert "THR-P-SLS" in err  # the progress of the run


def test_options_hold_for_all_targets_and_repeats_are_one_column(ran: Ran, tmp_path: Path) -> None:
    code, out, err = ran("local", "local", *FEW, "--repeat", "2", "--json")
    assert code == 0
    made = json.loads(out)
    assert [(one["kind"], one["runs"]) for one in made["systems"]] == [("series", 2)] * 2
    assert len(stored(tmp_path)) == 4
    assert err.count("was measured") == 4
    assert {one["basis"] for one in made["differences"]} == {"2 against 2 runs"}


def test_requirements_are_judged_and_concluded(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "require.toml"
    file.write_text('[[require]]\nname = "switch"\ntest = "THR-P-SLS"\nmax = "1s"\n')
    code, out, _ = ran("local", "reference:qnx-6.5", *FEW, "--require", str(file), "--json")
    assert code == 0
    made = json.loads(out)
    assert [one["limit"] for one in made["systems"][0]["requirements"]] == ["switch"]
    assert made["conclusion"][0]["text"].startswith("Switch: ")


def test_last_is_what_was_last_before(ran: Ran, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "local", *FEW]) == 0
    capsys.readouterr()
    (before,) = stored(tmp_path)
    code, out, _ = ran("local", "last", *FEW, "--json")
    assert code == 0
    assert [one["name"] for one in json.loads(out)["systems"]] == [stored(tmp_path)[1]["run"], before["run"]]


def test_one_that_breaks_ends_with_4_and_what_was_measured_is_kept(
    ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, calls = session.run, []

    def once(request: session.Request) -> session.Finished:
        calls.append(request)
        if len(calls) > 1:
            raise TargetError("nobody answers")
        return whole(request)

    monkeypatch.setattr(session, "run", once)
    code, out, err = ran("local", "local", "reference:qnx-6.5", *FEW)
    assert code == 4
    assert "== Key tests" in out  # with what there is
    assert "local was not measured" in err
    assert err.rstrip().endswith("error: nobody answers")
    assert [one["state"] for one in stored(tmp_path)] == ["complete"]


def test_a_target_that_is_not_there(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTGAUGE_ENGINE", str(tmp_path / "nothing"))
    code, out, err = ran("local", "reference:qnx-6.5", *FEW)
    assert (code, out, err.count("\n")) == (4, "", 1)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (
            ("reference:qnx-6.5", "reference:ce7", "--samples", "5"),
            2,
            "--samples says how to measure, and none of these",
        ),
        (("reference:qnx-6.5", "reference:ce7", "--tune"), 2, "--tune says how to measure"),
        (("reference:qnx-6.5", "reference:ce7", "--no-live"), 2, "--no-live says how to measure"),
        (("local", "reference:qnx-6.5", "--samples", "none"), 2, "--samples must be a whole number"),
        (("local", "reference:qnx-6.5", "--load", "none", "--load", "heavy"), 2, "compare measures in one environment"),
        (("local", "reference:qnx-6.6"), 2, "unknown reference system 'qnx-6.6'"),
        (("local", "no-such-run"), 2, "no run 'no-such-run'"),
        (("local:x", "reference:qnx-6.5"), 2, "target local takes no address"),
        (("local", "reference:qnx-6.5", "--parity", "nothing.toml"), 2, "cannot read nothing.toml"),
        (("local",), 3, "nothing to compare: local is alone"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_measured(
    ran: Ran, tmp_path: Path, words: tuple[str, ...], code: int, told: str
) -> None:
    found, out, err = ran(*words)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert told in err
    assert stored(tmp_path) == []


def test_a_run_folder_with_the_name_of_a_target_is_written_as_a_path(
    ran: Ran, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert is_target("local")
    assert is_target("replay:last")
    assert not is_target("./local")
    assert not is_target("reference:qnx-6.5")
    assert main(["run", "local", *FEW]) == 0
    (run,) = (tmp_path / "store/runs").iterdir()
    run.rename(tmp_path / "local")
    capsys.readouterr()
    code, out, err = ran("./local", "reference:qnx-6.5", "--json")
    assert (code, "was measured" in err) == (0, False)
    assert len(json.loads(out)["systems"]) == 2


def test_a_parity_file_is_heeded(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "parity.toml"
    file.write_text('equal = ["OS"]\n')
    code, out, _ = ran("reference:qnx-6.5", "reference:ce7@atom-z530", "--parity", str(file), "--json")
    parity = json.loads(out)["parity"]
    assert (code, parity["rules"], [one["name"] for one in parity["drift"]]) == (0, str(file), ["OS"])
    file.write_text('equal = ["tik"]\n')
    code, out, err = ran("reference:qnx-6.5", "reference:ce7@atom-z530", "--parity", str(file))
    assert (code, out, "did you mean tick?" in err) == (2, "", True)
