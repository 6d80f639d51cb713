"""rtgauge audit on the command line."""

from __future__ import annotations

import argparse
import json

import pytest

import rtgauge.audit
from rtgauge.audit import Finding
from rtgauge.cli import audit
from rtgauge.errors import UsageError

FINDINGS = [
    Finding("one", "fail", "broken \x1b[31m[red]", "because", "do this", (("/proc/x", "7"),)),
    Finding("two", "ok", "fine", "because", ""),
]


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    audit.add_arguments(parser)
    return parser.parse_args(words)


def use(monkeypatch: pytest.MonkeyPatch, findings: list[Finding]) -> None:
    monkeypatch.setattr(rtgauge.audit, "run_audit", lambda: findings)


def test_a_failure_is_exit_code_1_and_json_is_the_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, FINDINGS)
    assert audit.run(parse("--json")) == 1
    assert [each["check"] for each in json.loads(capsys.readouterr().out)] == ["one", "two"]


def test_warnings_are_exit_code_0(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    use(monkeypatch, [Finding("one", "warn", "so", "because", "do this")])
    assert audit.run(parse("local")) == 0
    assert "do this" in capsys.readouterr().out


def test_text_has_why_and_fix_and_no_control_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, FINDINGS)
    audit.run(parse("--evidence"))
    text = capsys.readouterr().out
    assert "\x1b" not in text
    for part in (
        "[red]",
        "why: because",
        "fix: do this",
        "read: /proc/x: 7",
        "1 fail, 0 warn, 0 unknown, 1 ok",
        "never tunes",
    ):
        assert part in text


def test_another_target_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(UsageError, match="legal are local"):
        audit.run(parse("ssh:box"))


def test_the_running_system_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.run(parse("--json")) in (0, 1)
    findings = json.loads(capsys.readouterr().out)
    assert {each["status"] for each in findings} <= {"ok", "warn", "fail", "unknown"}
    assert not [each for each in findings if each["why"].startswith("The check could not read")]
