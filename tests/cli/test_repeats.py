"""Repeated runs as a user meets them, on an engine that is a small Python program."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rtgauge import session
from rtgauge.cli import main
from rtgauge.cli._repeats import details, in_one_unit, show_repeats
from rtgauge.errors import TargetError
from rtgauge.results import complaint_about, schema
from tests.repeats.test_repeats import joined, run, series
from tests.targets.engines import make_engine

Ran = Callable[..., tuple[int, str, str]]
FEW = ("--tests", "THR-*", "--tests", "SEM-*", "--samples", "300")


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Ran:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return run


def manifests(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """In the order of the runs: folders of one second are not."""
    found = [json.loads((path / "manifest.json").read_text()) for path in (tmp_path / "store/runs").iterdir()]
    yield from sorted(found, key=lambda manifest: manifest["repeat"]["number"])


def complaint_of_series(content: object) -> str | None:
    validator = Draft202012Validator({"$ref": "#/$defs/run_to_run", "$defs": schema()["$defs"]})
    first = next(iter(validator.iter_errors(content)), None)  # type: ignore[arg-type]
    return None if first is None else str(first)


def test_repeats_share_a_series_and_end_with_what_they_say_together(ran: Ran, tmp_path: Path) -> None:
    code, out, err = ran("run", "local", *FEW, "--repeat", "3")
    assert code == 0
    (name,) = {manifest["series"] for manifest in manifests(tmp_path)}
    lines = out.splitlines()
    assert [Path(line).exists() for line in lines[:3]] == [True] * 3
    assert lines[4].startswith(f"run to run: 3 runs of {name}, ")
    assert lines[5].startswith("verdict: pass in all 3 runs: ")
    assert any(line.startswith("THR-P-SLS threads=10 ") for line in lines)
    assert lines[-2].startswith("0 of 3 medians differ")
    assert lines[-1] == "the status of each of 5 results is the same in all runs"
    assert "run 2 of 3" in err
    assert ran("verify", "last")[0] == 0


def test_one_run_has_no_series(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--tests", "SEM-*")
    (manifest,) = manifests(tmp_path)
    assert manifest["series"] is None
    assert "run to run" not in ran("show", "last")[1]
    assert "Run to run" not in ran("report", "last", "--format", "md")[1]


def test_json_of_repeats_fits_the_schema(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    told = json.loads(ran("run", "local", *FEW, "--repeat", "2", "--json", "-o", str(file))[1])
    assert told == json.loads(file.read_text())
    assert complaint_of_series(told["run_to_run"]) is None
    assert complaint_of_series({**told["run_to_run"], "runs": []}) is not None
    assert [complaint_about(content) for content in told["runs"]] == [None, None]
    shown = json.loads(ran("show", "last-series", "--json")[1])
    assert shown == told["run_to_run"]
    some = json.loads(ran("show", "last-series", "thr-*", "--json")[1])
    assert [one["id"] for one in some["results"]] == ["THR-P-SLS", "THR-P-SLS"]
    report = json.loads(ran("report", "last-series", "--format", "json")[1])
    assert report["run_to_run"] == shown
    assert complaint_about(report) is None


def test_json_of_several_targets_is_a_list(ran: Ran) -> None:
    told = json.loads(ran("run", "local", "local", "--tests", "SEM-*", "--repeat", "2", "--json")[1])
    assert [len(one["runs"]) for one in told] == [2, 2]
    assert len({one["run_to_run"]["series"] for one in told}) == 2


def test_runs_and_series_are_shown_side_by_side(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", *FEW, "--repeat", "2")
    first, second = (manifest["run"] for manifest in manifests(tmp_path))
    (name,) = {manifest["series"] for manifest in manifests(tmp_path)}
    outs = [ran("show", *words)[1] for words in ([name], ["last-series"], [first, second])]
    assert outs[0] == outs[1] == outs[2]
    assert outs[0].splitlines()[0].startswith(first)
    one = ran("show", second, "THR-*")[1]
    assert f"run 2 of 2: `rtgauge show {name}` shows them side by side" in one
    assert "medians of 2 runs" in one
    assert "###" in one
    both = ran("show", name, "THR-P-SLS")[1]
    assert "median by run: " in both
    assert "SEM-B-LCK" not in both
    code, _, err = ran("show", name, "ABC-*")
    assert code == 2
    assert "legal are CAL-P-TRC, THR-P-SLS, SEM-B-LCK" in err


def test_reports_of_repeats_have_a_section(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", *FEW, "--repeat", "2")
    last = list(manifests(tmp_path))[1]["run"]
    code, out, _ = ran("report", "last-series")
    assert (code, Path(out.strip())) == (0, tmp_path / "store/runs" / last / "report.html")
    assert 'id="run-to-run"' in Path(out.strip()).read_text()
    for words in (["last"], [manifest["run"] for manifest in manifests(tmp_path)]):
        assert "## Run to run" in ran("report", *words, "--format", "md")[1]


def test_runs_of_different_jobs_are_reported_one_by_one(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--tests", "SEM-*")
    ran("run", "local", "--tests", "THR-*", "--samples", "300")
    names = [manifest["run"] for manifest in manifests(tmp_path)]
    assert "Run to run" not in ran("report", *names, "--format", "md")[1]
    assert "not repeats of the same: what was asked" in ran("show", *names)[1]


def test_repeats_that_break_off_tell_what_there_is(ran: Ran, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real, calls = session.run, []

    def breaking(request: session.Request) -> session.Finished:
        calls.append(request)
        if len(calls) == 3:
            raise TargetError("the cable is out")
        return real(request)

    monkeypatch.setattr("rtgauge.session.run", breaking)
    code, out, err = ran("run", "local", *FEW, "--repeat", "5")
    assert code == 4
    assert "note: 2 of 5 runs are there; what is there counts" in out
    assert err.splitlines()[-1] == "rtgauge: error: the cable is out"
    assert len(list(manifests(tmp_path))) == 2
    calls[:] = calls[:1]
    code, out, err = ran("evaluate", *FEW, "--repeat", "3", "--json")
    assert code == 4
    assert (json.loads(out)["run_to_run"], len(json.loads(out)["runs"])) == (None, 1)
    calls[:] = calls[:2]
    code, out, err = ran("run", "local", *FEW, "--repeat", "2", "--json")
    assert (code, out) == (4, "")  # nothing there to tell


def test_a_user_who_stops_gets_what_there_is(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = session.run, []

    def stopped(request: session.Request) -> session.Finished:
        calls.append(request)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(request)

    monkeypatch.setattr("rtgauge.session.run", stopped)
    code, out, err = ran("run", "local", *FEW, "--repeat", "3", "--json")
    assert code == 130
    assert len(json.loads(out)["runs"]) == 1
    assert "one run has no spread between runs" in err


def test_evaluate_judges_all_runs(ran: Ran, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first run fails, the second passes: the engine is another one."""
    real, calls = session.run, []

    def changing(request: session.Request) -> session.Finished:
        from dataclasses import replace

        calls.append(request)
        return real(replace(request, deadline_ns=1000) if len(calls) == 1 else request)

    monkeypatch.setattr("rtgauge.session.run", changing)
    code, out, _ = ran("evaluate", "--tests", "TMR-*", "--deadline", "1ms", "--repeat", "2")
    assert code == 1
    first, _ = (manifest["run"] for manifest in manifests(tmp_path))
    assert out.splitlines()[-2].startswith("verdict: fail: in 1 of 2 runs (run 1): ")
    assert out.splitlines()[-1] == f"report: {tmp_path / 'store/runs' / first / 'report.html'}"
    assert "deadline of run 2 is not that of run 1" in out


@pytest.mark.parametrize("command", ["run local", "evaluate"])
def test_a_number_of_repeats_is_one(ran: Ran, command: str) -> None:
    assert "--repeat must be a whole number from 1 to 1000" in ran(*command.split(), "--repeat", "1001")[2]


# ---- what is printed ----


def test_a_disagreement_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    good = {"id": "SEM-B-LCK", "params": {}, "status": "pass", "checks": []}
    bad = {**good, "status": "fail", "reason": "does not hold: \x1b[31mred"}
    show_repeats(joined(run(1, good), run(2, bad), run(3, good)))
    out = capsys.readouterr().out
    assert "SEM-B-LCK: not the same in all runs: pass in runs 1, 3; fail in run 2 (does not hold: \ufffd[31mred)" in out
    assert "1 of 1 results are not the same in all runs" in out
    assert "\x1b" not in out


def test_runs_that_move_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    show_repeats(joined(run(1, series(1000.0)), run(2, series(1100.0)), run(3, series(1050.0))))
    out = capsys.readouterr().out.splitlines()
    row = next(line for line in out if line.startswith("THR-P-SLS"))
    assert "1.00 1.10 1.05 us" in row
    assert " ! " in row
    assert any(line.startswith("!: ") for line in out)


def test_many_runs_are_told_by_their_extremes(capsys: pytest.CaptureFixture[str]) -> None:
    repeats = joined(*(run(n, series(1000.0 + n)) for n in range(1, 8)))
    show_repeats(repeats)
    assert "1.001 .. 1.007 us" in capsys.readouterr().out
    lines = list(details(repeats.results[0]))
    assert lines[0] == "THR-P-SLS threads=2"
    assert lines[1] == "  median by run: 1.001 1.002 1.003 1.004 1.005 1.006 1.007 us"
    assert lines[-1] == "  largest of all runs: 1.06 us of 7000 samples in 7 s, 7 lost"


@pytest.mark.parametrize(
    ("values", "unit", "shown"),
    [
        ([1532.0, 1262.0], "ns", ["1.53 us", "1.26 us"]),
        ([20.0298507, 20.0298508], "ns", ["20.0 ns", "20.0 ns"]),
        ([0.0, 0.0], "ns", ["0 ns", "0 ns"]),
        ([154_260.0, 46_000.0], "ns", ["154 us", "46 us"]),
        ([-5.0, 2_000_000.0], "ns", ["-0.00 ms", "2.00 ms"]),
        ([4096.0, 8192.0], "B", ["4 KB", "8 KB"]),
        ([3.0, 4.0], "1", ["3", "4"]),
    ],
)
def test_figures_of_runs_share_their_unit(values: list[float], unit: str, shown: list[str]) -> None:
    assert in_one_unit(values, unit) == shown
