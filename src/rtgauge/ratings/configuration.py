"""The criterion "configuration" of the stars: what the audit found on the system as it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.ratings import rules
from rtgauge.ratings.again import command
from rtgauge.ratings.facts import Content, Manifest, changed
from rtgauge.ratings.model import Missing, Part
from rtgauge.ratings.names import CONFIGURATION, meaning


def configuration(content: Content, manifest: Manifest) -> tuple[Part, tuple[Missing, ...]]:
    """The criterion, and what would have to be known to judge it better."""
    findings = [one for one in content.get("audit") or () if isinstance(one, Mapping)]
    if not findings:
        lacks = Missing("the audit of the configuration", command(content, manifest))
        return Part(CONFIGURATION, None, "not audited", rules.CONFIGURATION_RULE), (lacks,)
    failed, warned, unread = (_with(findings, status) for status in ("fail", "warn", "unknown"))
    change = changed(content)
    stars = rules.stars_of_audit(len(failed), len(warned) + len(unread), change is not None)
    counts = f"{len(failed)} failures, {len(warned)} warnings and {len(unread)} unreadable of {len(findings)} findings"
    why = f"{counts}{f'; {change}' if change else ''}: {meaning('configuration', stars)}"
    missing = tuple(Missing(f"{len(unread)} settings could not be read ({_names(unread)})") for _ in unread[:1])
    basis = tuple({"check": one.get("check"), "status": one.get("status")} for one in (*failed, *warned, *unread))
    return Part(CONFIGURATION, stars, why, rules.CONFIGURATION_RULE, basis), missing


def _with(findings: list[Mapping[str, Any]], status: str) -> list[Mapping[str, Any]]:
    known = {"ok", "warn", "fail"}  # any other word decides nothing in favour
    return [one for one in findings if (one.get("status") if one.get("status") in known else "unknown") == status]


def _names(findings: list[Mapping[str, Any]], most: int = 4) -> str:
    more = len(findings) - most
    return ", ".join(str(one.get("check")) for one in findings[:most]) + (f" and {more} more" if more > 0 else "")
