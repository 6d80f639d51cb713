"""Opinions from a questionnaire file, and the template of one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rtgauge._toml import read_toml
from rtgauge.errors import UsageError
from rtgauge.ratings import names, rules
from rtgauge.ratings.model import Category, Missing

SCHEMA = 1
LARGEST = 256 << 10  # bytes of a file
TEXT_MOST = 500  # characters of a text
WITH_CHECKLIST = "tools"
ANSWERS = ("yes", "no", "not applicable")
_SCHEMA, _SYSTEM, _CHECKLIST, _SCORE, _WHY = "schema", "system", "checklist", "score", "why"
_TEXTS = (_SYSTEM, "by", "date")

QUESTIONS = {
    "installation": "How long from the media to a first program that runs on the target, and how much had to be known?",
    "internet support": "Are patches, drivers, examples and answers to be found, current and without obstacles?",
    "tools": "Do the tools on the checklist work for real-time programs, and together?",
    "documentation": "Is it complete, correct and easy to search, system calls and their timing included?",
    "support": "Are questions answered soon and to the point; is there a channel for urgent ones?",
    "development methodology": "Do host, target, simulator and version control suit the way in which teams work?",
    "price": "What do licences, run-time copies, source and support cost for what is given?",
}


@cache
def template() -> str:
    """A questionnaire to fill in. The categories and the checklist are those of the published tables."""
    text = files("rtgauge.ratings").joinpath("questionnaire.toml").read_text("utf-8")
    return text + "".join(_of_category(name) for name in names.opinions())


def _of_category(name: str) -> str:
    lines = ["", f"[{_key(name)}]", f"# {QUESTIONS[name]}", "# score =", '# why = ""']
    if name == WITH_CHECKLIST:
        lines += [
            "# Without a score the checklist gives it:",
            f"# {rules.CHECKLIST_RULE}",
            f"# Answers: {', '.join(ANSWERS)}.",
        ]
        for group, features in names.checklist().items():
            lines += ["", f"[{_key(name)}.{_CHECKLIST}.{_key(group)}]"]
            lines += [f'# {_key(feature)} = "yes"' for feature in features]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    """As TOML wants it."""
    return name if name.isalnum() and name.isascii() else f'"{name}"'


def read_opinions(path: Path | str) -> Mapping[str, Any]:
    """What `rate` takes as opinions: {"system", "by", "date", and each category's "score", "why", "checklist"}, what
    was not answered left out. UsageError names the file and the key that is wrong, and what is legal."""
    path = Path(path)
    content = read_toml(path, "a questionnaire", LARGEST)
    try:
        return _checked(content)
    except _WrongError as wrong:
        raise UsageError(f"{path}: {wrong}") from None


class _WrongError(Exception):
    """One phrase that names the key."""


def _checked(content: Mapping[str, Any]) -> dict[str, Any]:
    _legal("", content, (_SCHEMA, *_TEXTS, *names.opinions()))
    if type(content.get(_SCHEMA)) is not int or content[_SCHEMA] != SCHEMA:
        raise _WrongError(f"schema must be {SCHEMA}, got {_shown(content.get(_SCHEMA))}")
    made: dict[str, Any] = {name: text for name in _TEXTS if (text := _text(name, content.get(name, "")))}
    for name in names.opinions():
        if name in content:
            answer = _category(name, content[name])
            if answer:
                made[name] = answer
    return made


def _category(name: str, given: Any) -> dict[str, Any]:
    _map(name, given)
    _legal(f"{name}.", given, (_SCORE, _WHY, *((_CHECKLIST,) if name == WITH_CHECKLIST else ())))
    made: dict[str, Any] = {}
    if _SCORE in given:
        made[_SCORE] = _score(f"{name}.{_SCORE}", given[_SCORE])
    if why := _text(f"{name}.{_WHY}", given.get(_WHY, "")):
        made[_WHY] = why
    if _SCORE in made and _WHY not in made:
        raise _WrongError(f"{name}.{_WHY} is missing: a score needs one line that says what it rests on")
    if _CHECKLIST in given:
        answers = _answers(f"{name}.{_CHECKLIST}", given[_CHECKLIST])
        if answers:
            made[_CHECKLIST] = answers
    if _SCORE not in made and _CHECKLIST not in made and _WHY in made:
        raise _WrongError(f"{name}.{_SCORE} is missing: a reason without a score rates nothing")
    return made


def _answers(where: str, given: Any) -> dict[str, dict[str, str]]:
    _map(where, given)
    _legal(f"{where}.", given, tuple(names.checklist()))
    made: dict[str, dict[str, str]] = {}
    for group, features in names.checklist().items():
        answers = given.get(group, {})
        _map(f"{where}.{group}", answers)
        _legal(f"{where}.{group}.", answers, features)
        for feature, answer in answers.items():
            if not isinstance(answer, str) or answer not in ANSWERS:
                legal = ", ".join(ANSWERS)
                raise _WrongError(f"{where}.{group}.{feature} must be one of {legal}, got {_shown(answer)}")
        if answers:
            made[group] = dict(answers)
    return made


def _score(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 10 or value * 2 % 1:
        raise _WrongError(f"{where} must be a number from 0 to 10 in halves, got {_shown(value)}")
    return float(value)


def _text(where: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"{where} must be a text, got {_shown(value)}")
    if len(value) > TEXT_MOST:
        raise _WrongError(f"{where} has {len(value)} characters, at most {TEXT_MOST} are read")
    return " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())


def _map(where: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise _WrongError(f"{where} must be a table, got {_shown(value)}")


def _legal(where: str, given: Mapping[str, Any], legal: tuple[str, ...]) -> None:
    for name in given:
        if name not in legal:
            raise _WrongError(f"unknown key {where}{_shown(name)}: legal are {', '.join(legal)}")


def _shown(value: object) -> str:
    """A value in a message: short, without what could move a cursor."""
    if isinstance(value, int) and abs(value) > 1 << 63:
        return "a huge number"
    text = ascii(value) if isinstance(value, (str, int, float)) else type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."


# ---- as categories --------------------------------------------------------------------------------------------------


def categories(opinions: Mapping[str, Any]) -> tuple[Category, ...]:
    """Every category that asks for an opinion, rated or not."""
    who = ", ".join(str(opinions[name]) for name in ("by", "date") if opinions.get(name))
    return tuple(_rated(name, opinions.get(name) or {}, who) for name in names.opinions())


def _rated(name: str, given: Mapping[str, Any], who: str) -> Category:
    checked, of, listed = _share(given.get(_CHECKLIST) or {})
    score, why = given.get(_SCORE), str(given.get(_WHY) or "")
    if score is not None:
        return Category(name, float(score), "opinion", f"{why}{f' ({listed})' if of else ''}", source=who)
    if of:
        found = rules.score_of_share(checked, of)
        told = f"{listed}{f'; {why}' if why else ''}"
        return Category(name, found, "opinion", told, rules.CHECKLIST_RULE, source=who)
    missing = Missing("an opinion: fill in the questionnaire and give it with --opinions", "rtgauge list questionnaire")
    return Category(name, None, "opinion", "not rated", missing=(missing,))


def _share(checklist: Mapping[str, Mapping[str, str]]) -> tuple[int, int, str]:
    """Number of yes, number of yes and no, and both in words."""
    answers = [answer for group in checklist.values() for answer in group.values()]
    yes, of = answers.count("yes"), answers.count("yes") + answers.count("no")
    every = sum(len(features) for features in names.checklist().values())
    return yes, of, f"{yes} of {of} on the checklist, {every - len(answers)} not answered"
