"""A running real-time program against the guidelines for applications. It is only watched, never changed.

Each public module of this package is one check: `check(seen) -> Finding`, a pure function over an Observation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rtgauge.audit._finding import ORDER, Finding, Topic
from rtgauge.audit.app._collect import observe
from rtgauge.audit.app._observation import Observation
from rtgauge.registry import plugins

__all__ = ["LONGEST", "SHORTEST", "WATCH", "AppAudit", "Observation", "judge", "observe", "run_app_audit"]

WATCH = 2.0  # seconds
SHORTEST, LONGEST = 0.1, 3600.0


@dataclass(frozen=True)
class AppAudit:
    """What was found on one program."""

    app: dict[str, Any]  # what was watched, for JSON
    findings: list[Finding]  # failures first


def run_app_audit(pid: int, seconds: float = WATCH, events: bool = True) -> AppAudit:
    """Watches process `pid` for `seconds` and judges it. Errors as `observe`."""
    return judge(observe(pid, seconds, events))


def judge(seen: Observation) -> AppAudit:
    """All findings on an observation: failures first, then warnings, unknown and ok."""
    findings = [_answer(name, check, seen) for name, check in plugins(__name__, "check").items()]
    return AppAudit(_app(seen), sorted(findings, key=lambda finding: ORDER.index(finding.status)))


def _answer(name: str, check: object, seen: Observation) -> Finding:
    assert callable(check)
    try:
        finding = check(seen)
    except Exception as error:  # a surprising value must not cost the other findings
        topic = Topic(name, "The check could not read what this program shows.")
        return topic.unknown(f"not checked: {type(error).__name__}: {error}")
    assert isinstance(finding, Finding)
    return finding


def _app(seen: Observation) -> dict[str, Any]:
    trace = seen.trace
    return {
        "pid": seen.pid,
        "name": seen.name,
        "program": seen.program,
        "watched_s": round(seen.seconds, 3),
        "judged": "real-time threads" if seen.realtime else "all threads: none is real-time",
        "calls_from": seen.source,
        "trace": {"events": trace.events, "lost": trace.lost, "covered_s": round(trace.seconds, 3)} if trace else None,
        "no_trace": seen.problem or None,
        "threads": [
            {"tid": each.tid, "name": each.name, "policy": each.policy_name, "cpus": list(each.cpus)}
            for each in seen.threads
        ],
    }
