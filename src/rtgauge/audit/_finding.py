"""What a check says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from rtgauge.audit._system import Reading

Status = Literal["ok", "warn", "fail", "unknown"]
ORDER: tuple[Status, ...] = ("fail", "warn", "unknown", "ok")  # as findings are sorted

Evidence = Reading | tuple[str, str]
"""What was read: a reading of a file, or a pair of source and value."""


@dataclass(frozen=True)
class Finding:
    """One answer of the audit."""

    check: str
    status: Status  # fail: real-time results are impossible or meaningless; unknown: could not be read
    summary: str  # what was found, with the value
    why: str  # why it matters for deadlines
    fix: str  # how to change it, or how to make it readable; "" when there is nothing to do
    evidence: tuple[tuple[str, str], ...] = ()  # (path or probe, value)
    guideline: str = ""  # slug in reference/guidelines.csv

    def as_dict(self) -> dict[str, Any]:
        found = asdict(self)
        found["evidence"] = [{"source": source, "value": value} for source, value in self.evidence]
        return found


@dataclass(frozen=True)
class Topic:
    """The fixed part of a check's findings; each method makes one."""

    check: str
    why: str
    fix: str = ""  # what is advised on a warning or failure, unless the call says something better
    guideline: str = ""

    def ok(self, summary: str, *evidence: Evidence) -> Finding:
        return self._finding("ok", summary, "", evidence)

    def warn(self, summary: str, *evidence: Evidence, fix: str | None = None) -> Finding:
        return self._finding("warn", summary, self.fix if fix is None else fix, evidence)

    def fail(self, summary: str, *evidence: Evidence, fix: str | None = None) -> Finding:
        return self._finding("fail", summary, self.fix if fix is None else fix, evidence)

    def unknown(self, summary: str, *evidence: Evidence, fix: str = "") -> Finding:
        return self._finding("unknown", summary, fix, evidence)

    def unread(self, *readings: Reading) -> Finding:
        """Unknown, because of the readings that have a problem."""
        bad = [reading for reading in readings if reading.problem]
        reasons = "; ".join(f"{reading.path}: {reading.problem}" for reading in bad)
        hints = list(dict.fromkeys(reading.hint for reading in bad if reading.hint))
        return self.unknown(reasons, *bad, fix=" ".join(hints))

    def _finding(self, status: Status, summary: str, fix: str, evidence: tuple[Evidence, ...]) -> Finding:
        pairs = tuple(one.pair if isinstance(one, Reading) else one for one in evidence)
        return Finding(self.check, status, summary, self.why, fix, pairs, self.guideline)
