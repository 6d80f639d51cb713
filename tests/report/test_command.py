"""`rtgauge report`: formats by name and by the end of a file's name, what it is given beside the run, and refusals."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli import main
from rtgauge.cli import report as command
from rtgauge.errors import UsageError
from rtgauge.ratings import read_opinions
from rtgauge.report import format_names, format_of, is_binary, suffix_of
from rtgauge.store.compute import compute
from rtgauge.store.folder import RESULTS, RunFolder
from rtgauge.store.readers import load_trace
from tests.report.junit import complaints
from tests.support.example import example_spec, example_trace

Ran = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)
    return stored(tmp_path)


def stored(tmp_path: Path) -> Path:
    about = {"spec": example_spec().as_dict(), "profile": "quick", "command": ["rtgauge", "evaluate"]}
    folder = RunFolder(tmp_path / "store", "local", about)
    folder.write_trace(example_trace())
    folder.end_trace()
    folder.write_json(RESULTS, compute(load_trace(folder.path), example_spec(), folder.manifest).content)
    folder.finish("complete")
    return folder.path


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Ran:
    def call(*words: str | Path) -> tuple[int, str, str]:
        code = main(("report", *map(str, words)))
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return call


# ---- which format ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "format"),
    [
        ("a.html", "html"),
        ("a.b/c.PDF", "pdf"),
        ("a.md", "md"),
        ("a.json", "json"),
        ("junit.xml", "junit"),
        ("a", None),
        ("a.d/b", None),
        (".xml", None),
    ],
)
def test_the_end_of_a_name_says_the_format(file: str, format: str | None) -> None:
    assert format_of(file) == format


def test_an_end_that_says_no_format_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(UsageError, match=r"ends in \.docx \(\.html, \.json, \.xml, \.md, \.pdf\)"):
        format_of("report.docx")


def test_which_formats_are_text() -> None:
    assert [name for name in format_names() if is_binary(name)] == ["pdf"]
    assert [suffix_of(name) for name in format_names()] == ["html", "json", "xml", "md", "pdf"]


def test_a_file_is_written_in_the_format_of_its_name(ran: Ran, run: Path, tmp_path: Path) -> None:
    for name, begin in (
        ("r.xml", "<?xml"),
        ("r.json", "{"),
        ("r.md", "# "),
        ("r.HTML", "<!DOCTYPE"),
        ("r", "<!DOCTYPE"),
    ):
        file = tmp_path / name
        assert ran(run, "-o", file) == (0, f"{file}\n", "")
        assert file.read_text("utf-8").lstrip().startswith(begin)


def test_a_named_format_comes_before_the_name_of_the_file(ran: Ran, run: Path, tmp_path: Path) -> None:
    assert ran(run, "--format", "md", "-o", tmp_path / "r.txt")[0] == 0
    assert (tmp_path / "r.txt").read_text("utf-8").startswith("# ")
    code, _, err = ran(run, "-o", tmp_path / "s.txt")
    assert code == 2
    assert "no format of a report ends in .txt" in err
    assert not (tmp_path / "s.txt").exists()


def test_without_either_it_is_html_beside_the_run(ran: Ran, run: Path) -> None:
    assert ran(run) == (0, f"{run / 'report.html'}\n", "")


def test_junit_of_a_stored_run_is_whole(ran: Ran, run: Path) -> None:
    code, out, _ = ran(run, "--format", "junit")
    assert code == 0
    assert list(complaints(out)) == []
    assert 'message="THR-P-NEW has no end"' in out  # this run is not whole


# ---- where to --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", [[], ["-o", "-"]])
def test_a_terminal_is_spared_what_is_no_text(
    ran: Ran, run: Path, output: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def worked(*_: Any, **__: Any) -> None:
        raise AssertionError("the report was made all the same")

    monkeypatch.setattr(command, "_chosen", lambda *_: {run: None})
    monkeypatch.setattr("rtgauge.cli._report.write_report", worked)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, out, err = ran(run, "--format", "pdf", *output)
    assert (code, out) == (2, "")
    assert err == "rtgauge: error: pdf is no text for a terminal: name a file, -o report.pdf\n"


@pytest.mark.parametrize("format", ["html", "json", "junit", "pdf"])
def test_several_reports_that_cannot_follow_each_other_need_a_folder(format: str) -> None:
    with pytest.raises(UsageError, match=f"several runs give a {format} report each: name a folder"):
        command._check("-", format, several=True)
    command._check("out.d", format, several=True)


def test_several_reports_as_text_follow_each_other(ran: Ran, run: Path, tmp_path: Path) -> None:
    code, out, _ = ran(run, stored(tmp_path), "--format", "md")
    assert code == 0
    assert out.count("## History") == 2


def test_several_reports_are_named_by_their_runs(ran: Ran, run: Path, tmp_path: Path) -> None:
    other = stored(tmp_path)
    assert ran(run, other, "--format", "junit", "-o", tmp_path / "out.d")[0] == 0
    assert sorted(file.name for file in (tmp_path / "out.d").iterdir()) == sorted(f"{p.name}.xml" for p in (run, other))


# ---- what else -------------------------------------------------------------------------------------------------------


def test_comments_of_the_vendor_are_shown(ran: Ran, run: Path, tmp_path: Path) -> None:
    (tmp_path / "v.md").write_text("We are *surprised*.\n\nReally.")
    code, out, _ = ran(run, "--format", "md", "--vendor", tmp_path / "v.md")
    assert code == 0
    assert "## Comments of the vendor" in out
    assert "We are \\*surprised\\*." in out
    assert "Comments of the vendor" not in ran(run, "--format", "md")[1]


@pytest.mark.parametrize("option", ["--vendor", "--opinions"])
def test_a_file_that_is_not_there_is_said_in_one_line(ran: Ran, run: Path, tmp_path: Path, option: str) -> None:
    code, out, err = ran(run, option, tmp_path / "absent")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "absent" in err
    assert not (run / "report.html").exists()


def test_opinions_reach_the_report(ran: Ran, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "opinions.toml"
    file.write_text("")
    given: dict[str, Any] = {}
    monkeypatch.setattr("rtgauge.ratings.read_opinions", lambda path: {"from": str(path)})
    monkeypatch.setattr("rtgauge.cli._report.write_report", lambda *_, **named: given.update(named))
    assert ran(run, "--opinions", file)[0] == 0
    assert given["opinions"] == {"from": str(file)}
    assert callable(read_opinions)
