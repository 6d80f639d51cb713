"""The configuration of a system against what is known to disturb deadlines. Reads only; changes nothing.

Each public module of this package is one check: `check(system) -> Finding`.
"""

from __future__ import annotations

from pathlib import Path

from rtgauge.audit._finding import ORDER, Finding, Status, Topic
from rtgauge.audit._system import Probes, System
from rtgauge.registry import plugins

__all__ = ["ON_PURPOSE", "Finding", "Probes", "Status", "System", "run_audit"]

ON_PURPOSE = (
    "Nothing was changed: rtgauge never tunes a system by itself. Each fix trades something (power, throughput, "
    "security, safety) and is to be made on purpose; then measure again."
)


def run_audit(root: Path = Path("/"), probes: Probes | None = None) -> list[Finding]:
    """All findings on the system below `root`: failures first, then warnings, unknown and ok.

    With another root than "/" the files decide alone, unless `probes` are given.
    """
    system = System(root, probes)
    findings = [_answer(name, check, system) for name, check in plugins(__name__, "check").items()]
    return sorted(findings, key=lambda finding: ORDER.index(finding.status))


def _answer(name: str, check: object, system: System) -> Finding:
    assert callable(check)
    try:
        finding = check(system)
    except Exception as error:  # a surprising file must not cost the other findings
        return Topic(name, "The check could not read what this system offers.").unknown(
            f"{type(error).__name__}: {error}"
        )
    assert isinstance(finding, Finding)
    return finding
