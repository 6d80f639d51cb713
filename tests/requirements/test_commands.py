"""Requirements as a user meets them, on an engine that is a small Python program."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli import main
from rtgauge.cli._requirements import gravest_of
from rtgauge.report import render, view_of
from rtgauge.requirements import read
from rtgauge.results import complaint_about
from rtgauge.store.readers import open_run
from rtgauge.store.verify import verify
from tests.targets.engines import make_engine

Ran = Callable[..., tuple[int, str, str]]
FEW = ("--tests", "THR-*", "--tests", "SEM-*", "--tests", "TMR-*", "--samples", "300")
MET = '[[require]]\ntest = "THR-P-SLS"\nparams = { threads = 2 }\nmax = "1s"\n'
BROKEN = '[[require]]\ntest = "THR-P-SLS"\nmedian = "1ns"\nname = "far too much"\nwhy = "nobody\'s need"\n'
OPEN = '[[require]]\ntest = "THR-P-SLS"\n"p99.99" = "1s"\n'
ABSENT = '[[require]]\ntest = "IRQ-P-LAT"\nmax = "1s"\n'
BEHAVES = '[[require]]\ntest = "SEM-B-*"\nholds = true\n'


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


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / f"limits-{len(list(tmp_path.iterdir()))}.toml"
        path.write_text(text)
        return str(path)

    return write


Write = Callable[[str], str]


def runs(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "store" / "runs").iterdir())


# ---- evaluate ----


@pytest.mark.parametrize(
    ("text", "code", "verdict"),
    [
        (MET + BEHAVES, 0, "pass"),
        (MET + BROKEN, 1, "fail"),
        (MET + OPEN + ABSENT, 3, "inconclusive"),
        (MET.replace('max = "1s"', "max = 5"), 3, "invalid"),
        (OPEN + BROKEN, 1, "fail"),
    ],
)
def test_evaluate_judges_by_a_file(ran: Ran, file: Write, tmp_path: Path, text: str, code: int, verdict: str) -> None:
    found, out, err = ran("evaluate", *FEW, "--require", file(text))
    assert (found, re.findall(r"^verdict: (\w+):", out, re.MULTILINE)) == (code, [verdict]), err
    (path,) = runs(tmp_path)
    stored = open_run(path)
    assert complaint_about(dict(stored.results)) is None
    assert len(stored.manifest["requirements"]) == len(stored.results["requirements"]) == text.count("[[require]]")
    assert verify(path).mismatches == ()
    assert ran("show", "last")[1].count("\n    ") >= text.count("[[require]]")


def test_file_and_deadline_together(ran: Ran, file: Write, tmp_path: Path) -> None:
    code, out, _ = ran("evaluate", *FEW, "--deadline", "1s", "--require", file(MET), "--require", file(BROKEN))
    assert code == 1
    assert re.findall(r"^(met|not met) +(.*)$", out, re.MULTILINE) == [
        ("met", "--deadline 1s"),
        ("met", "THR-P-SLS threads=2 max 1s"),
        ("not met", "far too much"),
    ]
    assert "    why: nobody's need" in out
    assert "no wake-up later than 1s in" in out
    (path,) = runs(tmp_path)
    for format in ("md", "html", "json"):
        text = str(render(view_of(open_run(path)), format))
        assert "far too much" in text
        assert "nobody" in text
    text = str(render(view_of(open_run(path)), "md"))
    assert "3 requirements: 2 met, 1 not met." in text
    assert "| --deadline 1s | met | TMR-P-CYC" in text


def test_without_a_requirement_there_is_no_section(ran: Ran, tmp_path: Path) -> None:
    assert ran("evaluate", *FEW)[0] == 0
    stored = open_run(runs(tmp_path)[0])
    assert "requirements" not in stored.results
    assert "## Requirements" not in str(render(view_of(stored), "md"))


def test_a_wrong_file_is_told_before_anything_is_measured(ran: Ran, file: Write, tmp_path: Path) -> None:
    code, out, err = ran("evaluate", *FEW, "--require", file(MET.replace("max", "maxx")))
    assert (code, out) == (2, "")
    assert "entry 1: unknown key 'maxx': legal are test, params" in err
    assert not (tmp_path / "store" / "runs").exists()


def test_run_only_measures(ran: Ran, file: Write) -> None:
    assert ran("run", "local", *FEW, "--require", file(BROKEN))[0] == 2


def test_of_repeats_the_gravest_counts(ran: Ran, file: Write) -> None:
    code, out, _ = ran("evaluate", *FEW, "--repeat", "2", "--require", file(MET + BROKEN))
    assert code == 1
    assert "not met       far too much: in all 2 runs; run 1" in out
    assert ran("show", "last-series", "--require", file(MET))[0] == 0
    code, out, _ = ran("show", "last-series", "--require", file(BROKEN), "--json")
    content = json.loads(out)
    assert (code, content["ruling"], len(content["runs"])) == (1, "not met", 2)


def test_the_gravest_of_each_requirement() -> None:
    one = [{"ruling": "met", "name": "a"}, {"ruling": "not met", "name": "b"}]
    two = [{"ruling": "invalid", "name": "a"}, {"ruling": "inconclusive", "name": "b"}]
    found = [(one["ruling"], one["runs"]) for one in gravest_of([one, two])]
    assert found == [("invalid", "in 1 of 2 runs; run 2"), ("not met", "in 1 of 2 runs; run 1")]


# ---- show ----


def test_show_judges_a_stored_run(ran: Ran, file: Write) -> None:
    ran("run", "local", *FEW)
    for text, code, ruling in (
        (MET, 0, "met"), (BROKEN, 1, "not met"), (OPEN, 3, "inconclusive"), (MET + ABSENT, 3, "invalid"),
    ):  # fmt: skip
        found, out, _ = ran("show", "last", "--require", file(text))
        assert (found, out.splitlines()[-1]) == (code, f"ruling: {ruling}")
        found, out, _ = ran("show", "last", "--require", file(text), "--json")
        assert (found, json.loads(out)["ruling"]) == (code, ruling)
    assert ran("show", "last", "--deadline", "1s")[0] == 0
    assert ran("show", "last", "--deadline", "1ns")[0] == 1
    assert ran("show", "last", "TMR-P-CYC", "--deadline", "1s")[0] == 2
    assert ran("show", "last", "--deadline", "100")[0] == 2


def test_an_imported_run_can_miss_and_is_never_met(ran: Ran, file: Write, tmp_path: Path) -> None:
    foreign = tmp_path / "cyclictest.txt"
    foreign.write_text("# Histogram\n000001 1000\n000002 5\n# Total: 000001005\n# Min Latencies: 00001\n"
                       "# Avg Latencies: 00001\n# Max Latencies: 00002\n# Histogram Overflows: 00000\n")  # fmt: skip
    assert ran("import", str(foreign))[0] == 0
    code, out, _ = ran("show", "last", "--deadline", "100us")
    assert code == 3
    assert "how many samples were lost is not known" in out
    assert ran("show", "last", "--deadline", "1us")[0] == 1
    assert ran("show", "last", "--require", file('[[require]]\ntest="TMR-P-CYC"\nload="none"\nmax="1s"'))[0] == 3


def test_a_maximum_stands_beside_its_exposure(ran: Ran) -> None:
    ran("run", "local", *FEW)
    _, out, _ = ran("show", "last", "THR-P-SLS")
    head = next(text for text in out.splitlines() if text.startswith("test "))
    assert head.split()[2:4] == ["n", "time"]
    assert "fewer than 3 in n lie above it" in out
    assert len(re.findall(r"^  max .* in 300 samples over .*: a share below 0.0099 lies above it", out, re.M)) == 2


def test_hostile_words_of_a_requirement_do_no_harm(ran: Ran, file: Write, tmp_path: Path) -> None:
    text = BROKEN.replace("far too much", "<script>\\u001b[2J\\u202e|`x`")
    _, out, _ = ran("evaluate", *FEW, "--require", file(text))
    assert "\x1b" not in out
    assert "\u202e" not in out
    page = str(render(view_of(open_run(runs(tmp_path)[0])), "html"))
    assert "<script>\ufffd" not in page
    assert "\x1b" not in page


# ---- what is stored ----


def test_a_changed_ruling_is_found(ran: Ran, file: Write, tmp_path: Path) -> None:
    ran("evaluate", *FEW, "--require", file(BROKEN))
    path = runs(tmp_path)[0] / "results.json"
    content: dict[str, Any] = json.loads(path.read_text())
    content["requirements"][0]["ruling"] = "met"
    path.chmod(0o644)
    path.write_text(json.dumps(content))
    assert any(
        'requirements[0].ruling is "met", computed is "not met"' in one for one in verify(path.parent).mismatches
    )


def test_the_file_of_the_documentation_is_one(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "requirements.md").read_text()
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "limits.toml"
    path.write_text(example)
    first, second, third, fourth = read(path)
    assert (first.name, first.load, first.miss_rate) == ("control loop", "heavy", 1e-9)
    assert [limit.figure for limit in second.limits] == ["median", "p99", "p99.9"]
    assert (third.params, third.limits[0].high) == ({"part": "bytes"}, 0.0)
    assert fourth.holds


@pytest.mark.parametrize("module", ["rtgauge.cli.evaluate", "rtgauge.session", "rtgauge.requirements"])
def test_nothing_slow_is_loaded_at_the_start(module: str) -> None:
    code = f"import sys, {module}; sys.exit(bool({{'scipy', 'rtgauge.extremes', 'pyarrow'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
