"""rtgauge gate as it is typed, on the simulated system: its faults change known paths by known costs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rtgauge.cli import main
from rtgauge.store.manifest import seal

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "runs" / "schema-1-complete"
TESTS = ("SEM-P-ARC", "SEM-P-ARN", "MUT-P-ARC", "THR-P-SLS", "THR-B-NEW", "TMR-P-CYC")
Ran = Callable[..., tuple[int, str, str]]
Measure = Callable[..., str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def measure(engine_fake: Path, store: Path) -> Measure:
    """Measures the simulated system, with a fault or none, and gives the run's id; the same one only once."""
    assert engine_fake.exists()
    known: dict[tuple[str, ...], str] = {}

    def run(fault: str = "", *words: str) -> str:
        if (fault, *words) not in known:
            with pytest.MonkeyPatch.context() as patch:
                if fault:
                    patch.setenv("RTGAUGE_FAULT", fault)
                else:
                    patch.delenv("RTGAUGE_FAULT", raising=False)
                names = (word for test in TESTS for word in ("--tests", test))
                before = {path.name for path in store.glob("runs/*")}
                main(["run", "fake", *(words or names), "--samples", "200", "--store", str(store)])
            known[(fault, *words)] = min({path.name for path in store.glob("runs/*")} - before)
        return known[(fault, *words)]

    return run


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], store: Path) -> Ran:
    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["gate", *words, "--store", str(store)])
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return run


@pytest.fixture
def base(measure: Measure, ran: Ran, tmp_path: Path) -> Path:
    file = tmp_path / "base.txt"
    code, out, err = ran(measure(), "--write", str(file))
    assert (code, err) == (0, "")
    assert out.splitlines()[1].startswith("note: 1 of 5 replicas: paths are judged against it, and no tails; ")
    return file


# ---- what is seen, and what is not ----------------------------------------------------------------------------------


def test_the_same_system_passes_against_a_run_and_a_file(ran: Ran, measure: Measure, base: Path) -> None:
    again = measure("", *(word for test in TESTS for word in ("--tests", test)))
    for against in (str(base), measure()):
        code, out, _ = ran(again, "--against", against)
        assert code == 0
        assert out.startswith("PASS  0 slower, 0 faster, ")


def test_a_cost_on_a_path_is_named_with_its_size_and_nothing_else_is(ran: Ran, measure: Measure, base: Path) -> None:
    """Each of 128 waiters queues behind those that wait: 1 ns for each, so 0 to 127."""
    code, out, _ = ran(measure("waiters-cost:1"), "--against", str(base))
    assert code == 1
    assert out.startswith("FAIL  2 slower, 0 faster, ")
    slower = [line.split() for line in out.splitlines() if " slower " in line]
    assert [line[0] for line in slower] == ["SEM-P-ARC"] * 2
    assert all("800 -> 863 ns" in " ".join(line) and "+63" in line for line in slower)
    assert "under test: fault: not told -> waiters-cost:1" in out


def test_a_late_timer_is_one_path_by_exactly_its_lateness(ran: Ran, measure: Measure, base: Path) -> None:
    code, out, _ = ran(measure("timer-late:3"), "--against", str(base), "--json")
    content = json.loads(out)
    changed = [one for one in content["results"] if one["verdict"] not in ("equal", "unjudged")]
    assert (code, content["exit_code"], content["ruling"]) == (1, 1, "fail")
    assert [(one["id"], one["what"], one["difference"]) for one in changed] == [("TMR-P-CYC", "path", 3000.0)]
    assert ran(measure("timer-late:3"), "--against", str(base), "--limit", "+3000")[0] == 0
    assert ran(measure("timer-late:3"), "--against", str(base), "--tests", "SEM-*")[0] == 0


def test_the_way_back_is_faster_and_passes(ran: Ran, measure: Measure) -> None:
    code, out, _ = ran(measure(), "--against", measure("timer-late:3"))
    assert code == 0
    assert "PASS  0 slower, 1 faster" in out
    assert "-3000 faster" in out


def test_a_behaviour_that_does_not_hold_any_more_fails(ran: Ran, measure: Measure, base: Path) -> None:
    code, out, _ = ran(measure("create-to-head"), "--against", str(base))
    assert code == 1
    assert "THR-B-NEW   pass -> fail: does not hold: equal" in out


def test_a_premise_that_broke_decides_nothing(ran: Ran, measure: Measure, base: Path) -> None:
    code, out, _ = ran(measure("runs-elsewhere"), "--against", str(base), "--tests", "THR-P-SLS")
    assert code == 3
    assert out.startswith("UNDECIDED  ")
    assert "ok -> invalid: a thread does not run on the CPU" in out


def test_a_missing_test_fails_and_a_new_one_is_named(ran: Ran, measure: Measure, base: Path) -> None:
    few = measure("", "--tests", "THR-P-SLS", "--tests", "CLK-P-GET")
    code, out, _ = ran(few, "--against", str(base))
    assert code == 1
    assert "MUT-P-ARC protocol=inherit release" in out
    assert "ok in the base, not in the run  " in out
    assert "CLK-P-GET path=syscall   ok   new" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--priority", "70"), "priority level differs: 79 in the base, 69 in the run"),
        (("--blame",), "kernel events recorded differs: no in the base, yes in the run"),
    ],
)
def test_another_configuration_is_incomparable(
    ran: Ran, measure: Measure, base: Path, words: tuple[str, ...], told: str
) -> None:
    code, out, _ = ran(measure("", "--tests", "THR-P-SLS", *words), "--against", str(base))
    assert code == 3
    assert out.startswith(f"INCOMPARABLE  {told}   base ")


def test_another_engine_is_incomparable_unless_the_user_lets_it_differ(ran: Ran, base: Path, measure: Measure) -> None:
    text = base.read_text()
    engine = next(line for line in text.splitlines() if "engine =" in line)
    base.write_text(text.replace(engine, f"must be equal: engine = {'0' * 64}"))
    code, out, _ = ran(measure(), "--against", str(base))
    assert (code, out.split("   ")[0]) == (
        3,
        f"INCOMPARABLE  engine differs: 000000000000 in the base, {engine[-64:-52]} in the run",
    )
    code, out, _ = ran(measure(), "--against", str(base), "--across", "engine")
    assert code == 0
    assert "(same configuration; engine differs)" in out


def test_identical_repeats_are_one_run(ran: Ran, measure: Measure, base: Path) -> None:
    """Nothing was varied between them, so they show no spread."""
    pair = measure("", *(word for test in TESTS for word in ("--tests", test)))
    code, out, _ = ran(measure(), pair, "--against", str(base))
    assert code == 0
    assert "one run in the base, one run here" in out


# ---- the baseline file ----------------------------------------------------------------------------------------------


def test_accepting_changes_the_line_that_changed(ran: Ran, measure: Measure, base: Path) -> None:
    before = base.read_text().splitlines()
    late = measure("timer-late:3")
    code, out, _ = ran(late, "--against", str(base), "--accept", "the timer waits for the bus")
    assert code == 0
    assert out.splitlines()[-1] == f"{base}: 1 lines changed, 0 added, 0 removed"
    after = base.read_text().splitlines()
    new = [line for line in after if line not in before]
    assert [line for line in new if line.startswith("TMR")] == [line for line in after if line.startswith("TMR")]
    assert any(line.endswith(" the timer waits for the bus (1 line)") for line in new)
    assert ran(late, "--against", str(base))[0] == 0
    assert ran(late, "--against", str(base), "--accept", "again")[1].splitlines()[-1].startswith("nothing to accept")
    assert base.read_text().splitlines() == after
    assert ran(measure(), "--against", str(base))[1].startswith("PASS  0 slower, 1 faster")


def test_a_baseline_of_some_tests(ran: Ran, measure: Measure, tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    assert ran(measure(), "--write", str(file), "--tests", "THR-*", "--limit", "+5", "--tail-limit", "none")[0] == 0
    text = file.read_text()
    assert "limit: +5\ntail-limit: none\n" in text
    assert {line.split()[0] for line in text.split("\n\n")[1].splitlines()} == {"THR-B-NEW", "THR-P-SLS"}
    assert ran(measure(), "--against", str(file))[0] == 0


def test_writing_is_deterministic_and_replaces_nothing(ran: Ran, measure: Measure, base: Path, tmp_path: Path) -> None:
    assert ran(measure(), "--write", str(tmp_path / "other.txt"))[0] == 0
    assert (tmp_path / "other.txt").read_text() == base.read_text()
    code, _, err = ran(measure(), "--write", str(base))
    assert code == 2
    assert f"change it with --against {base} --accept REASON" in err


# ---- formats and usage ----------------------------------------------------------------------------------------------


def test_formats(ran: Ran, measure: Measure, base: Path, tmp_path: Path) -> None:
    out = tmp_path / "gate.xml"
    late = measure("timer-late:3")
    assert ran(late, "--against", str(base), "--format", "junit", "-o", str(out))[:2] == (1, "")
    suite = ElementTree.parse(out).getroot()
    assert (suite.get("failures"), suite.get("errors")) == ("1", "0")
    text = tmp_path / "gate.txt"
    assert ran(late, "--against", str(base), "-o", str(text))[:2] == (1, "")
    assert text.read_text().startswith("FAIL  1 slower")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "give either --against RUN|FILE, to judge, or --write FILE"),
        (("--against", "BASE", "--write", "x"), "give either"),
        (("--write", "x", "--accept", "so"), "--write only makes a baseline"),
        (("--against", "BASE", "--accept", " "), "--accept needs a reason"),
        (("--against", "RUN", "--accept", "so"), "--accept changes a baseline file, and "),
        (("--against", "RUN"), "a run stands on both sides"),
        (("--against", "BASE", "--against", "RUN"), "--against takes one baseline file, or runs"),
        (("--against", "nothing"), "no run 'nothing'"),
        (("--against", "BASE", "--limit", "5ns"), "--limit '5ns' is no limit: write +5%"),
        (("--against", "BASE", "--confidence", "95"), "--confidence '95' is not a share from 0.5"),
        (("--against", "BASE", "--confidence", "nan"), "--confidence 'nan' is not a share"),
        (("--against", "BASE", "--across", "colour"), "--across 'colour': legal are time, engine, clock"),
        (("--against", "BASE", "--tests", "XYZ-*"), "no result of the base or the run matches XYZ-*"),
        (("--against", "BASE", "--format", "pdf"), "unknown format 'pdf'"),
        (("--against", "BASE", "--format", "junit", "--json"), "give one of them"),
        (("--against", "BASE", "-o", "/nowhere/x"), "there is no directory /nowhere"),
        (("--against", "/dev/null"), "line 1: no baseline"),
        (("--write", "x", "--tests", "XYZ-*"), "has no result that matches XYZ-*"),
    ],
)
def test_wrong_usage_is_one_line(ran: Ran, measure: Measure, base: Path, words: tuple[str, ...], told: str) -> None:
    named = {"BASE": str(base), "RUN": measure()}
    code, out, err = ran(measure(), *(named.get(word, word) for word in words))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err


def test_a_damaged_baseline_is_said_with_its_line(ran: Ran, measure: Measure, base: Path) -> None:
    rows = base.read_text().splitlines()
    row = next(i for i, line in enumerate(rows) if line.startswith("THR-P-SLS"))
    rows[row] = rows[row].replace("median=800", "median=nan")
    base.write_text("\n".join(rows))
    code, out, err = ran(measure(), "--against", str(base))
    assert (code, out) == (2, "")
    assert err == f"rtgauge: error: {base} line {row + 1}: 'nan' is no number, or out of range\n"


def test_runs_of_two_systems_on_one_side(ran: Ran, measure: Measure, base: Path) -> None:
    code, out, err = ran(measure(), measure("timer-late:3"), "--against", str(base))
    assert (code, out) == (3, "")
    assert "is no repeat of" in err
    assert "fault differs: not told in the base, timer-late:3 in the run" in err


def test_a_run_of_real_time_without_repeats_decides_nothing(ran: Ran, tmp_path: Path) -> None:
    def run(name: str) -> str:
        shutil.copytree(GOLDEN, tmp_path / name)
        content = json.loads((GOLDEN / "results.json").read_text())
        content["system"]["clock"]["name"] = "tsc"
        (tmp_path / name / "results.json").write_text(json.dumps(content))
        manifest = json.loads((GOLDEN / "manifest.json").read_text())
        del manifest["files"]["results.json"]
        (tmp_path / name / "manifest.json").write_bytes(seal(manifest))
        return str(tmp_path / name)

    code, out, _ = ran(run("a"), "--against", run("b"))
    assert code == 3
    assert out.startswith("UNDECIDED  0 slower")
    assert "one run in the base, one run here: an interval needs 5 each" in out
    assert "rtgauge run TARGET --repeat 5" in out


def test_bisect_answers_0_1_and_125(ran: Ran, measure: Measure, base: Path) -> None:
    def answer(*words: str) -> int:
        return ran(*words, "--bisect")[0]

    assert answer(measure(), "--against", str(base)) == 0
    assert answer(measure("timer-late:3"), "--against", str(base)) == 1
    assert answer(measure("runs-elsewhere"), "--against", str(base), "--tests", "THR-P-SLS") == 125
    assert answer(measure("", "--tests", "THR-P-SLS", "--priority", "70"), "--against", str(base)) == 125
    assert answer("nothing", "--against", str(base)) == 125
    assert answer(measure(), "--against", "/dev/null") == 125
    assert answer(measure(), "--against", str(base), "--accept", "so") == 125
