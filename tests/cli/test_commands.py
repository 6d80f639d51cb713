"""The commands as a user types them, on engines that are small Python programs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli import main
from rtgauge.cli.evaluate import exit_code
from rtgauge.cli.show import histogram
from rtgauge.errors import StoreError
from rtgauge.results import complaint_about
from tests.targets.engines import make_engine

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))


@pytest.fixture
def ran(capsys: Capture) -> Callable[..., tuple[int, str, str]]:
    """Runs a command; its code, standard output and standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return run


Ran = Callable[..., tuple[int, str, str]]


def folders(tmp_path: Path) -> list[Path]:
    runs = tmp_path / "store" / "runs"
    return sorted(runs.iterdir()) if runs.exists() else []


# ---- list ----


def test_list_tests(ran: Ran) -> None:
    code, out, _ = ran("list", "tests", "--json")
    assert code == 0
    tests = {test["id"]: test for test in json.loads(out)}
    assert list(tests) == ["CAL-P-TRC", "THR-P-SLS", "SEM-B-LCK", "TMR-P-CYC"]
    assert tests["THR-P-SLS"]["question"].endswith("?")
    assert tests["THR-P-SLS"]["unit"] == "ns"
    assert tests["SEM-B-LCK"]["unit"] is None
    assert tests["THR-P-SLS"]["params"][0]["legal"] == "2..1000"
    code, out, _ = ran("list", "tests")
    assert "threads = 2, 10  (legal: 2..1000)" in out


def test_list_targets(ran: Ran) -> None:
    code, out, _ = ran("list", "targets", "--json")
    assert code == 0
    assert [kind["kind"] for kind in json.loads(out)] == ["fake", "lab", "local", "posix", "replay", "serial"]
    assert "replay:last" in ran("list", "targets")[1]


def test_list_runs(ran: Ran, tmp_path: Path) -> None:
    assert ran("list", "runs") == (0, f"no runs in {tmp_path / 'store'}\n", "")
    assert ran("list", "runs", "--json")[1] == "[]\n"
    ran("run", "local", "--tests", "SEM-*", "--tag", "a\x1b[31mtag")
    _, out, _ = ran("list", "runs")
    assert folders(tmp_path)[0].name in out
    assert "a\ufffd[31mtag" in out
    assert json.loads(ran("list", "runs", "--json")[1])[0]["state"] == "complete"


def test_list_of_something_else_names_the_legal_ones(ran: Ran) -> None:
    code, _, err = ran("list", "moons")
    assert code == 2
    assert "tests, loads, targets, runs" in err


# ---- run ----


def test_run_prints_the_folder(ran: Ran, tmp_path: Path) -> None:
    code, out, err = ran("run", "local", "--tests", "thr-*", "--samples", "300")
    assert code == 0
    assert out == f"{folders(tmp_path)[0]}\n"
    assert "[1/3] CAL-P-TRC: done, worst 22 ns" in err


def test_run_json_is_the_content_of_results(ran: Ran, tmp_path: Path) -> None:
    code, out, _ = ran("run", "local", "--tests", "THR-*", "--samples", "300", "--json", "-o", str(tmp_path / "r.json"))
    assert code == 0
    assert json.loads(out) == json.loads((folders(tmp_path)[0] / "results.json").read_text())
    assert json.loads((tmp_path / "r.json").read_text()) == json.loads(out)


def test_repeat_makes_whole_runs(ran: Ran, tmp_path: Path) -> None:
    code, out, _ = ran("run", "local", "--tests", "SEM-*", "--repeat", "3", "--json")
    assert code == 0
    assert len({content["run"] for content in json.loads(out)["runs"]}) == 3
    numbers = [json.loads((path / "manifest.json").read_text())["repeat"] for path in folders(tmp_path)]
    assert sorted(n["number"] for n in numbers) == [1, 2, 3]
    assert {n["of"] for n in numbers} == {3}


def test_options_reach_the_engine(ran: Ran, tmp_path: Path) -> None:
    words = ["--tests", "TMR-*", "--interval", "2ms", "--priority", "50", "--cache", "dirty", "--samples", "40"]
    assert ran("run", "local", *words)[0] == 0
    spec = json.loads((folders(tmp_path)[0] / "manifest.json").read_text())["spec"]
    assert spec["jobs"][1] == {"id": "TMR-P-CYC", "samples": 40, "params": {"interval": 2_000_000}}
    manifest = json.loads((folders(tmp_path)[0] / "manifest.json").read_text())
    assert manifest["command"] == ["rtgauge", "run", "local", *words]
    assert (spec["level"], spec["cache"], spec["environment"]["cache"]) == (49, "dirty", "dirty")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "lokal"], "did you mean local? legal are fake, lab, local, posix, replay, serial"),
        (["run", "local", "--tests", "ABC-*"], "legal are CAL-P-TRC, THR-P-SLS, SEM-B-LCK, TMR-P-CYC"),
        (["run", "local", "--param", "thread=2"], "legal are interval, kind, threads"),
        (["run", "local", "--param", "threads=1"], "not within 2 to 1000"),
        (["run", "local", "--param", "threads"], "NAME=VALUE"),
        (["run", "local", "--param", "kind=red"], "legal are counting, binary"),
        (["run", "local", "--profile", "hasty"], "legal are quick, standard, full"),
        (["run", "local", "--cache", "warm"], "legal are hot, dirty"),
        (["run", "local", "--priority", "99"], "from 1 to 98"),
        (["run", "local", "--priority", "0"], "from 1 to 98"),
        (["run", "local", "--priority", "high"], "from 1 to 98"),
        (["run", "local", "--interval", "1000"], "--interval '1000' has no unit"),
        (["run", "local", "--interval", "1parsec"], "unknown unit"),
        (["run", "local", "--duration", "10"], "no unit"),
        (["run", "local", "--deadline", "100"], "--deadline '100' has no unit"),
        (["run", "local", "--samples", "4294967295"], "from 1 to 1000000000"),
        (
            ["run", "local", "--tests", "TMR-P-CYC", "--interval", "1s", "--samples", "1000000000"],
            "are free: take fewer samples",
        ),
        (["run", "local", "-o", "/"], "-o / is a directory: name a file"),
        (["evaluate", "local", "-o", "/no/such/x.html"], "there is no directory /no/such"),
        (["report", "last", "-o", "/"], "-o / is a directory: name a file"),
        (["--store", "/x", "list", "runs"], "the command comes before its options"),
        (["show", "x" * 5000], "..."),
        (["show", "/" + "x" * 5000], "no run folder"),
        (["show", "~nobody-at-all/run"], "the home directory"),
        (["list", "runs", "--store", "~nobody-at-all"], "the home directory"),
        (["run", "local", "--deadline", "0us"], "above zero"),
        (["run", "local", "--samples", "0"], "from 1 to"),
        (["run", "local", "--samples", "1e6"], "from 1 to"),
        (["run", "local", "--samples", "5", "--duration", "1m"], "give one of them"),
        (["run", "local", "--repeat", "0"], "from 1 to 1000"),
        (["run", "local", "--cpu", "-1"], "from 0 to"),
        (["run", "local", "--cpu", "4095"], "legal are"),
        (["run", "local", "--tag", "x" * 201], "longer than 200"),
        (["run", "fake", "--tune"], "rtgauge"),
        (["show", "last"], "there is no run"),
        (["report", "nothing"], "no run"),
        (["verify", "20"], "no run"),
    ],
)
def test_wrong_usage_is_one_line_that_names_the_way_out(
    ran: Ran, tmp_path: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rtgauge.targets.fake.find_engine", lambda *_: tmp_path / "engine" / "engine")
    code, out, err = ran(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert folders(tmp_path) == []


def test_an_engine_that_dies_is_4_and_says_where(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine", dies="TMR-P-CYC")))
    code, _, err = ran("run", "local", "--samples", "300")
    assert code == 4
    assert "rtgauge: the engine was killed by signal 9 during TMR-P-CYC" in err
    assert "invalid: the engine was killed by signal 9 during TMR-P-CYC" in ran("show", "last")[1]


def test_what_a_hostile_engine_says_stays_text(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine", start="refuse")))
    shown = [*ran("run", "local", "--samples", "300"), *ran("show", "last"), *ran("report", "last", "--format", "md")]
    assert any("the request makes no sense" in str(text) for text in shown)
    assert not any("\x1b" in str(text) for text in shown)


# ---- evaluate ----


def test_evaluate_ends_with_verdict_and_report(ran: Ran, tmp_path: Path) -> None:
    code, out, _ = ran("evaluate", "--tests", "TMR-*", "--deadline", "100us")
    lines = out.splitlines()
    (folder,) = folders(tmp_path)
    assert lines[-2].startswith("verdict: ")
    assert lines[-1] == f"report: {folder / 'report.html'}"
    assert (folder / "report.html").read_text().lstrip().lower().startswith("<!doctype html")
    content = json.loads((folder / "results.json").read_text())
    assert code == exit_code(content["verdict"]["ruling"])
    assert content["profile"] == "quick"
    assert content["audit"]
    assert ran("verify", "last")[0] == 0


def test_a_missed_deadline_is_1(ran: Ran) -> None:
    code, out, err = ran("evaluate", "--tests", "TMR-*", "--deadline", "1us", "--json")
    content = json.loads(out)
    assert complaint_about(content) is None
    assert content["verdict"]["ruling"] == "fail"
    assert err.splitlines()[-1].endswith("report.html")
    assert code == 1


def test_a_report_that_cannot_be_written_does_not_hide_the_verdict(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("cannot write report.html: the disk is full")

    monkeypatch.setattr("rtgauge.cli._report.write_report", refuse)
    code, out, err = ran("evaluate", "--tests", "TMR-*", "--deadline", "100us")
    assert code == 4
    assert out.splitlines()[-2].startswith("verdict: pass")
    assert out.splitlines()[-1] == "report: none: cannot write report.html: the disk is full"
    assert err.splitlines()[-1] == "rtgauge: error: cannot write report.html: the disk is full"


def test_results_are_said_before_a_file_fails(ran: Ran) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    code, out, _ = ran("run", "local", "--tests", "SEM-*", "--json", "-o", "/dev/full")
    assert code == 4
    assert [one["id"] for one in json.loads(out)["results"]] == ["SEM-B-LCK", "SEM-B-LCK"]


def test_a_report_never_follows_a_link_out_of_the_run(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--tests", "SEM-*")
    (target := tmp_path / "pipe").touch()
    target.unlink()
    os.mkfifo(target)  # to write to it would wait for ever
    report = folders(tmp_path)[0] / "report.html"
    report.symlink_to(target)
    assert ran("report", "last")[0] == 0
    assert report.is_file()
    assert not report.is_symlink()


def test_a_store_that_is_a_file_is_one_line(ran: Ran, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for words in (["list", "runs"], ["show", "last"], ["run", "local", "--tests", "SEM-*"]):
        code, out, err = ran(*words, "--store", str(tmp_path / "file"))
        assert (code, out) == (4, "")
        assert "defect" not in err
        assert err.splitlines()[-1].startswith("rtgauge: error: cannot ")


@pytest.mark.parametrize(("ruling", "code"), [("pass", 0), ("fail", 1), ("inconclusive", 3), ("invalid", 3), ("", 3)])
def test_rulings_have_their_codes(ruling: str, code: int) -> None:
    assert exit_code(ruling) == code


# ---- show ----


def test_show_lists_results_in_their_order(ran: Ran) -> None:
    ran("run", "local", "--samples", "300", "--tag", "mine")
    code, out, err = ran("show", "last")
    assert (code, err) == (0, "")
    rows = [line.split("  ")[0] for line in out.splitlines()]
    found = [row for row in rows if row[:4] in ("CAL-", "THR-", "SEM-", "TMR-")]
    assert found == [
        "CAL-P-TRC",
        "THR-P-SLS threads=2",
        "THR-P-SLS threads=10",
        "SEM-B-LCK kind=counting",
        "SEM-B-LCK kind=binary",
        "TMR-P-CYC interval=1ms",
    ]
    head = next(line for line in out.splitlines() if line.startswith("test"))
    assert head.split() == [
        "test", "status", "n", "time", "min", "avg", "max", "median", "p99", "p99.9", "first", "lost",
    ]  # fmt: skip
    assert "mine" in out


def test_show_of_a_test_has_checks_and_histogram(ran: Ran) -> None:
    ran("run", "local", "--samples", "300")
    _, out, _ = ran("show", "last", "sem-b-lck")
    assert "holds        it blocks at zero" in out
    assert "control ok   it never blocks" in out
    _, out, _ = ran("show", "last", "THR-*")
    assert "###" in out
    assert out.count("worst  1:") == 2
    assert json.loads(ran("show", "last", "THR-*", "--json")[1])["results"][0]["n"] == 300


def test_show_of_a_test_that_was_not_run_names_those_that_were(ran: Ran) -> None:
    ran("run", "local", "--tests", "SEM-*")
    code, _, err = ran("show", "last", "THR-P-SLS")
    assert code == 2
    assert "legal are SEM-B-LCK" in err


def bars(rows: list[str]) -> list[int]:
    return [int(row.split("#")[0].split()[-1]) for row in rows]


@pytest.mark.parametrize(
    "bins",
    [
        [[5.0, 6.0, 7]],
        [[float(i), float(i + 1), i + 1] for i in range(500)],
        [[1.0, 2.0, 1_000_000], [55_000_000.0, 55_000_001.0, 1]],
        [[-20.0, -19.0, 3], [0.0, 1.0, 5], [900.0, 901.0, 1]],
        [[0.0, 0.0, 4]],
    ],
)
def test_a_histogram_shows_every_sample(bins: list[list[float]]) -> None:
    rows = list(histogram({"unit": "ns", "histogram": bins}))
    assert sum(bars(rows)) == sum(int(count) for _, _, count in bins)
    assert len(rows) <= 24
    assert all("#" in row for row, count in zip(rows, bars(rows), strict=True) if count)


def test_a_result_without_samples_has_no_histogram() -> None:
    assert list(histogram({"unit": "ns", "histogram": []})) == []
    assert list(histogram({})) == []


# ---- report and verify ----


@pytest.mark.parametrize("format", ["html", "md", "json"])
def test_report_in_each_format(ran: Ran, tmp_path: Path, format: str) -> None:
    ran("run", "local", "--samples", "300")
    code, out, _ = ran("report", "last", "--format", format, "-o", str(tmp_path / "out"))
    assert (code, out) == (0, f"{tmp_path / 'out'}\n")
    assert "THR-P-SLS" in (tmp_path / "out").read_text()
    assert ran("verify", "last")[0] == 0


def test_report_without_a_file(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--tests", "SEM-*")
    assert ran("report", "last")[1] == f"{folders(tmp_path)[0] / 'report.html'}\n"
    assert "SEM-B-LCK" in ran("report", "last", "--format", "md")[1]


def test_report_of_several_runs_fills_a_folder(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--tests", "SEM-*", "--repeat", "2")
    names = [path.name for path in folders(tmp_path)]
    assert ran("report", *names, "-o", str(tmp_path / "out"))[0] == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(f"{name}.html" for name in names)


def test_report_refuses_an_unknown_format_and_a_file_of_the_run(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--tests", "SEM-*")
    code, _, err = ran("report", "last", "--format", "docx")
    assert code == 2
    assert "html, json, junit, md, pdf" in err
    before = (folders(tmp_path)[0] / "trace.cbor").read_bytes()
    assert ran("report", "last", "-o", str(folders(tmp_path)[0] / "trace.cbor"))[0] == 2
    assert (folders(tmp_path)[0] / "trace.cbor").read_bytes() == before


def test_report_to_a_full_device(ran: Ran) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    ran("run", "local", "--tests", "SEM-*")
    code, _, err = ran("report", "last", "-o", "/dev/full")
    assert code == 4
    assert err == "rtgauge: error: cannot write /dev/full: the disk is full\n"


def test_verify_names_what_differs(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--samples", "300")
    code, out, _ = ran("verify", "last")
    assert code == 0
    assert out.endswith("6 results, 10900 samples, 4 files: equal\n")
    file = folders(tmp_path)[0] / "results.json"
    content: dict[str, Any] = json.loads(file.read_text())
    content["results"][1]["avg"] *= 2
    file.unlink()
    file.write_text(json.dumps(content))
    code, out, _ = ran("verify", "last")
    assert code == 1
    assert "differs: results.json: its SHA-256 is not that of the manifest" in out
    assert "differs: results.json: results[THR-P-SLS threads=2].avg is" in out
    found = json.loads(ran("verify", "last", "--json")[1])
    assert found["equal"] is False
    assert len(found["mismatches"]) == 2


def test_verify_of_what_cannot_be_read_is_4(ran: Ran, tmp_path: Path) -> None:
    ran("run", "local", "--tests", "SEM-*")
    (folders(tmp_path)[0] / "trace.cbor").unlink()
    assert ran("verify", "last")[0] == 4
    (folders(tmp_path)[0] / "manifest.json").unlink()
    code, _, err = ran("verify", str(folders(tmp_path)[0]))
    assert code == 4
    assert "is no run folder" in err
