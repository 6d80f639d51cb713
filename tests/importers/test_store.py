"""An imported run is a run: listed, shown, reported, compared with its file."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.results import from_json
from rtgauge.store.folder import HASHED_IMPORT, IMPORTED, MANIFEST, RESULTS
from rtgauge.store.readers import open_run

FILES = Path(__file__).parent / "files"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def run_of(store: Path) -> Path:
    (path,) = (store / "runs").iterdir()
    return path


def imports(name: str) -> None:
    assert main(["import", str(FILES / name)]) == 0


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.iterdir()))
def test_every_command_reads_it(name: str, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imports(name)
    path = run_of(store)
    assert main(["verify", "last"]) == 0
    assert main(["show", "last"]) == 0
    assert main(["show", "last", "*-P-*"]) == 0
    assert main(["list", "runs"]) == 0
    for format in ("html", "md", "json"):
        assert main(["report", "last", "--format", format, "-o", str(store / f"report.{format}")]) == 0
    out, err = capsys.readouterr()
    assert "import:" in out
    assert "None" not in out
    assert "None" not in (store / "report.md").read_text()
    assert "defect" not in err
    assert from_json((path / RESULTS).read_bytes())["run"] == path.name


def test_the_folder_keeps_the_file_and_its_hash(store: Path) -> None:
    imports("cyclictest-histogram.json")
    path = run_of(store)
    data = (FILES / "cyclictest-histogram.json").read_bytes()
    assert (path / IMPORTED).read_bytes() == data
    manifest = json.loads((path / MANIFEST).read_bytes())
    assert set(manifest["files"]) == set(HASHED_IMPORT)
    assert manifest["files"][IMPORTED]["sha256"] == hashlib.sha256(data).hexdigest()
    assert manifest["imported"] == {"format": "cyclictest-json", "file": "cyclictest-histogram.json"}
    assert manifest["state"] == "complete"


def test_json_is_what_is_stored(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(FILES / "cyclictest-h.txt"), "--unit", "ns", "--tag", "mine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((run_of(store) / RESULTS).read_bytes())
    assert json.loads((run_of(store) / MANIFEST).read_bytes())["tag"] == "mine"
    assert main(["verify", "last"]) == 0  # computed again with the same unit


def test_verify_computes_from_the_file(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imports("cyclictest-histogram.json")
    path = run_of(store) / IMPORTED
    text = path.read_text()
    os.chmod(path, 0o644)  # noqa: PTH101
    path.write_text(text.replace('"max": 103', '"max": 104'))
    assert main(["verify", "last"]) == 1
    out = capsys.readouterr().out
    assert f"{IMPORTED}: its SHA-256 is not that of the manifest" in out
    assert "max is 103000.0, computed is 104000.0" in out
    path.write_text("nothing")
    assert main(["verify", "last"]) == 4
    assert "imported.txt is damaged" in capsys.readouterr().err


def test_lost_results_are_computed_again(store: Path) -> None:
    imports("jitterdebugger.json")
    path = run_of(store)
    before = json.loads((path / RESULTS).read_bytes())
    (path / RESULTS).unlink()
    run = open_run(path)
    assert run.results == before
    assert any("computed again from the imported file" in problem for problem in run.problems)


@pytest.mark.usefixtures("store")
def test_show_and_report_do_not_make_unknown_into_zero(capsys: pytest.CaptureFixture[str]) -> None:
    imports("cyclictest-histogram.json")
    capsys.readouterr()
    assert main(["show", "last", "TMR-P-CYC"]) == 0
    shown = capsys.readouterr().out
    assert "unknown" in shown
    assert "bins: 1 us wide with 299 samples; beyond: 1, which the file counts in no bin" in shown
    assert main(["report", "last", "--format", "md"]) == 0
    report = capsys.readouterr().out
    assert "lost samples: unknown" in report
    assert "No latency was measured" not in report
    assert "no sample was lost" not in report
    assert "none found" not in report
    assert "No rule found" not in report
    assert "The imported file does not tell of its clock." in report


@pytest.mark.usefixtures("store")
def test_it_can_be_neither_exported_nor_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    imports("cyclictest-histogram.json")
    for format in ("csv", "perfetto"):
        assert main(["export", "last", "--format", format]) == 2
        assert "was imported: it holds no samples" in capsys.readouterr().err
    assert main(["run", "replay:last"]) != 0
    assert "Traceback" not in capsys.readouterr().err


def test_two_imports_beside_each_other(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imports("cyclictest-histogram.json")
    imports("cyclictest-histogram.json")
    runs = sorted(path.name for path in (store / "runs").iterdir())
    assert main(["show", *runs]) == 0
    out = capsys.readouterr().out
    assert "19.0 19.0 us" in out
    assert "a time that is not known under observation" in out
    assert main(["report", runs[0], runs[1], "--format", "json", "-o", str(store / "reports")]) == 0
    assert from_json((store / f"reports/{runs[0]}.json").read_bytes())["run_to_run"]["exposure_s"] is None
