"""The audit as a whole: on a tuned, an untouched and an unreadable system."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from rtgauge.audit import Finding, Probes, run_audit
from rtgauge.audit._finding import ORDER
from rtgauge.audit._probes import Trial
from rtgauge.reference import rows
from tests.audit.trees import SERVER, TUNED, make

ALLOWED = Probes(lambda: Trial(99), lambda: 1e-9)
BROKEN = "The check could not read what this system offers."


def by_status(findings: list[Finding]) -> dict[str, set[str]]:
    return {status: {each.check for each in findings if each.status == status} for status in ORDER}


def test_a_tuned_system_has_no_complaint_but_for_what_cannot_be_read(tmp_path: Path) -> None:
    found = by_status(run_audit(make(tmp_path, TUNED), ALLOWED))
    assert found["fail"] == set()
    assert found["warn"] == set()
    assert found["unknown"] == {"firmware interrupts (SMI)"}


def test_an_untouched_server_gets_its_warnings(tmp_path: Path) -> None:
    found = by_status(run_audit(make(tmp_path, SERVER), ALLOWED))
    assert found["fail"] == set()
    assert found["warn"] == {
        "CPU boost", "CPU isolation", "NUMA balancing", "SMT (hyper-threading)", "idle states", "interrupt affinity",
        "kernel configuration", "kernel version", "lock-up watchdogs", "memory lock limit", "preemption model",
        "real-time throttling", "swap", "threaded interrupts", "timer migration", "transparent huge pages",
    }  # fmt: skip


def test_nothing_is_ok_on_a_system_that_shows_nothing(tmp_path: Path) -> None:
    findings = run_audit(tmp_path)
    assert len(findings) > 30
    assert by_status(findings)["ok"] == set()
    assert by_status(findings)["unknown"] == {each.check for each in findings}


@pytest.mark.parametrize("files", [{}, SERVER, TUNED], ids=["empty", "server", "tuned"])
def test_no_check_breaks_and_failures_come_first(tmp_path: Path, files: dict[str, str]) -> None:
    findings = run_audit(make(tmp_path, files), Probes(lambda: Trial(0, "Operation not permitted"), lambda: 4e-3))
    assert not [each for each in findings if each.why == BROKEN]
    places = [ORDER.index(each.status) for each in findings]
    assert places == sorted(places)
    assert findings[0].check == "real-time permission"


def test_garbage_is_never_ok_and_breaks_no_check(tmp_path: Path) -> None:
    findings = run_audit(make(tmp_path, dict.fromkeys(SERVER, "\x1b[2J\xff garbage, - :: x-\n")), ALLOWED)
    assert not [each for each in findings if each.why == BROKEN]
    not_from_content = {"real-time permission", "high-resolution timers", "irqbalance", "container", "drivers"}
    no_sign_of = {"hypervisor", "CPU mitigations"}
    assert by_status(findings)["ok"] <= not_from_content | no_sign_of
    assert len(findings) == len(run_audit(tmp_path / "nothing"))


def test_every_warning_says_why_and_what_to_do(tmp_path: Path) -> None:
    for finding in run_audit(make(tmp_path, SERVER), Probes(lambda: Trial(0, "no"), lambda: 4e-3)):
        assert finding.summary
        assert finding.why.endswith(".")
        if finding.status in ("warn", "fail"):
            assert finding.fix, finding.check
            assert finding.evidence, finding.check


def test_the_checkable_kernel_guidelines_are_all_checked(tmp_path: Path) -> None:
    kernel = [row for row in rows("guidelines") if row["scope"] == "kernel"]
    wanted = {row["slug"] for row in kernel if row["machine_checkable"] != "no"}
    assert wanted
    assert {each.guideline for each in run_audit(tmp_path)} - {""} == wanted


def test_findings_are_frozen_and_become_json(tmp_path: Path) -> None:
    findings = run_audit(make(tmp_path, SERVER))
    again = json.loads(json.dumps([each.as_dict() for each in findings]))
    assert set(again[0]) == {"check", "status", "summary", "why", "fix", "evidence", "guideline"}
    swap = next(each for each in again if each["check"] == "swap")
    assert swap["evidence"][0] == {"source": "/proc/swaps", "value": "/dev/sda2 (2048 MiB, 1 used)"}
    with pytest.raises(dataclasses.FrozenInstanceError):
        findings[0].status = "ok"  # type: ignore[misc]


def test_another_root_is_never_judged_by_this_machine(tmp_path: Path) -> None:
    finding = next(each for each in run_audit(make(tmp_path, TUNED)) if each.check == "real-time permission")
    assert (finding.status, finding.summary) == ("unknown", "not tried: only the running system can answer")
