"""The questionnaire: what is read, what is refused, and what becomes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rtgauge._toml import read_toml
from rtgauge.cli import main
from rtgauge.errors import UsageError
from rtgauge.ratings import names, rate, read_opinions, template
from rtgauge.ratings.opinions import QUESTIONS
from rtgauge.reference import rows

WHOLE = """
schema = 1
system = "QNX 6.5"
by = "A. Tester"
date = "2026-01-31"
[documentation]
score = 7.5
why = "complete, but timing is missing"
[tools.checklist.compiler]
C = "yes"
"C++" = "yes"
Ada = "no"
assembler = "not applicable"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "opinions.toml"


def read(file: Path, text: str) -> object:
    file.write_text(text, "utf-8")
    return read_opinions(file)


def test_a_whole_one(file: Path) -> None:
    assert read(file, WHOLE) == {
        "system": "QNX 6.5",
        "by": "A. Tester",
        "date": "2026-01-31",
        "documentation": {"score": 7.5, "why": "complete, but timing is missing"},
        "tools": {"checklist": {"compiler": {"C": "yes", "C++": "yes", "Ada": "no", "assembler": "not applicable"}}},
    }


def test_opinions_become_categories_marked_as_opinion(file: Path) -> None:
    file.write_text(WHOLE, "utf-8")
    found = {one.name: one for one in rate({}, {}, read_opinions(file)).categories if one.opinion}
    assert list(found) == list(names.opinions())
    assert (found["documentation"].score, found["documentation"].source) == (7.5, "A. Tester, 2026-01-31")
    assert found["tools"].score == 6.6  # 2 of 3; what is not applicable is left out
    assert "2 of 3 on the checklist" in found["tools"].why
    assert found["price"].score is None
    assert found["price"].missing[0].command == "rtgauge list questionnaire"
    assert "QNX 6.5" in rate({}, {}, read_opinions(file)).notes[0]


def test_a_score_goes_before_the_checklist(file: Path) -> None:
    file.write_text(WHOLE + '[tools]\nscore = 4\nwhy = "they do not work together"\n', "utf-8")
    found = next(one for one in rate({}, {}, read_opinions(file)).categories if one.name == "tools")
    assert found.score == 4
    assert "2 of 3" in found.why


def test_the_template_is_empty_and_becomes_whole_when_uncommented(file: Path) -> None:
    assert read(file, template()) == {}
    filled = re.sub(r"^# (score =)$", r"\1 5", template(), flags=re.M)
    filled = re.sub(r'^# (why = )""$', r'\1"so"', filled, flags=re.M)
    filled = re.sub(r'^# (\S.* = "yes")$', r"\1", filled, flags=re.M)
    made = read(file, filled)
    assert isinstance(made, dict)
    assert list(made) == list(names.opinions())
    ticked = made["tools"]["checklist"]
    assert [(g, f) for g, group in ticked.items() for f in group] == [(r["group"], r["feature"]) for r in rows("tools")]


def test_every_published_category_is_measured_or_asked_for() -> None:
    published = {row["category"] for row in rows("ratings") if row["kind"] == "0-10"}
    halves = {half for name in published for half in name.split(" and ")}
    assert halves <= {*names.MEASURED, *names.opinions()}
    assert set(QUESTIONS) == set(names.opinions())
    assert not set(names.MEASURED) & set(names.opinions())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "schema must be 1, got None"),
        ("schema = 2", "schema must be 1, got 2"),
        ("schema = true", "schema must be 1"),
        ("schema = 1\nspeed = 3", "unknown key 'speed': legal are schema, system"),
        ("schema = 1\n[speed]", "unknown key 'speed'"),
        ("schema = 1\nsupport = 3", "support must be a table, got 3"),
        (
            "schema = 1\n[support]\nscore = 11\nwhy = 'x'",
            "support.score must be a number from 0 to 10 in halves, got 11",
        ),
        ("schema = 1\n[support]\nscore = 7.3\nwhy = 'x'", "in halves"),
        ("schema = 1\n[support]\nscore = nan\nwhy = 'x'", "in halves"),
        ("schema = 1\n[support]\nscore = inf\nwhy = 'x'", "in halves"),
        ("schema = 1\n[support]\nscore = true\nwhy = 'x'", "in halves"),
        ("schema = 1\n[support]\nscore = 99999999999999999999999\nwhy = 'x'", "a huge number"),
        ("schema = 1\n[support]\nscore = 5", "support.why is missing"),
        ("schema = 1\n[support]\nwhy = 'x'", "support.score is missing"),
        ("schema = 1\n[support]\nnote = 'x'", "unknown key support.'note': legal are score, why"),
        ("schema = 1\n[support.checklist.editor]", "unknown key support.'checklist'"),
        ("schema = 1\n[tools.checklist.oven]", "unknown key tools.checklist.'oven': legal are editor"),
        ("schema = 1\n[tools.checklist.compiler]\nCobol = 'yes'", "'Cobol': legal are C, C++"),
        ("schema = 1\n[tools.checklist.compiler]\nC = 'maybe'", "must be one of yes, no, not applicable, got 'maybe'"),
        ("schema = 1\n[tools.checklist.compiler]\nC = true", "must be one of yes"),
        ("schema = 1\nby = 5", "by must be a text"),
        (f"schema = 1\nby = '{'x' * 501}'", "501 characters"),
        ("schema = ", "is not TOML"),
        (f"a = {'[' * 5000}", "opinions.toml"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(file: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(file, text)
    assert str(file) in str(caught.value)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value).partition("is not TOML")[0]


def test_control_characters_do_not_come_through(file: Path) -> None:
    made = read(file, 'schema = 1\nby = "a\\u001b[31m\\u202eb\\n c"')
    assert made == {"by": "a [31m b c"}


def test_files_that_are_none(file: Path, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.toml", Path("a\0b")):
        with pytest.raises(UsageError):
            read_opinions(path)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="UTF-8"):
        read_opinions(file)
    file.write_bytes(b"#" * 101)
    with pytest.raises(UsageError, match="more than 100 bytes: it is not a list"):
        read_toml(file, "a list", 100)


def test_the_command_prints_the_template(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    assert main(["list", "questionnaire"]) == 0
    printed = capsys.readouterr().out
    assert printed == template()
    assert read(file, printed) == {}
