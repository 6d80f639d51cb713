"""rtgauge audit on the command line."""

from __future__ import annotations

import argparse
import json
import subprocess

import pytest

import rtgauge.audit
import rtgauge.audit.app
from rtgauge.audit import Finding
from rtgauge.audit.app import AppAudit
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


def watched(findings: list[Finding]) -> AppAudit:
    app = {
        "pid": 7, "name": "lo\x1b[2Jop", "program": "/bin/x\x1b]0;y\x07", "watched_s": 2.0, "judged": "all threads",
        "calls_from": "nothing", "trace": None, "no_trace": "refused", "threads": [],
    }  # fmt: skip
    return AppAudit(app, findings)


def test_a_program_is_watched_and_its_json_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []
    monkeypatch.setattr(rtgauge.audit.app, "run_app_audit", lambda *each: asked.append(each) or watched(FINDINGS))
    assert audit.run(parse("--app", "7", "--json")) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["app"]["pid"] == 7
    assert found["findings"] == [finding.as_dict() for finding in FINDINGS]
    assert audit.run(parse("--app", "7", "--json", "--watch", "0.5")) == 1
    assert audit.run(parse("--app", "7", "--json", "--watch", "1m")) == 1
    assert audit.run(parse("--app", "7", "--json", "--no-trace")) == 1
    assert asked == [(7, 2.0, True), (7, 0.5, True), (7, 60.0, True), (7, 2.0, False)]


def test_a_program_in_words_has_no_control_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rtgauge.audit.app, "run_app_audit", lambda *_: watched(FINDINGS[1:]))
    assert audit.run(parse("--app", "7")) == 0
    text = capsys.readouterr()
    assert "\x1b" not in text.out + text.err
    assert "\x07" not in text.out
    assert "no kernel events: refused" in text.out
    assert "was only watched" in text.out


@pytest.mark.parametrize(
    "words",
    [
        ("--app", "x"), ("--app", "0"), ("--app", "-1"), ("--app", "\u0667"), ("--app", "99999999999999999999"),
        ("--app", "7", "--watch", "0"), ("--app", "7", "--watch", "nan"), ("--app", "7", "--watch", "9999999"),
        ("--watch", "2"), ("--no-trace",), ("ssh:box", "--app", "7"),
    ],
)  # fmt: skip
def test_wrong_usage_of_app(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        audit.run(parse(*words))


def test_a_shell_is_no_real_time_program(capsys: pytest.CaptureFixture[str]) -> None:
    with subprocess.Popen(["sh", "-c", "read x"], stdin=subprocess.PIPE) as shell:
        try:
            assert audit.run(parse("--app", str(shell.pid), "--watch", "0.2", "--json")) == 1
        finally:
            shell.kill()
    found = json.loads(capsys.readouterr().out)
    assert found["app"]["pid"] == shell.pid
    assert {each["check"] for each in found["findings"] if each["status"] == "fail"} >= {"real-time policy"}
