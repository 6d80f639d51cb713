"""What a run says of itself that decides whether and with what it may be rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Content = Mapping[str, Any]  # of results.json
Manifest = Mapping[str, Any]


def is_virtual(content: Content, manifest: Manifest) -> bool:
    """Whether time was computed from instructions and not measured."""
    system = content.get("system") or {}
    facts, clock = system.get("facts") or {}, system.get("clock") or {}
    return (
        bool(manifest.get("virtual"))
        or facts.get("time") == "virtual"
        or _environment(content).get("time") == "virtual"
        or "virtual" in str(clock.get("name") or "")
    )


def load_of(content: Content) -> str | None:
    """The stated load, "none" where none ran; None where nobody said."""
    stated = _environment(content).get("load")
    return str(stated) if stated and stated != "unstated" else None


def is_imported(content: Content, manifest: Manifest) -> bool:
    return bool(content.get("imported") or manifest.get("imported"))


def changed(content: Content) -> str | None:
    """What the run changed on the system for the measurement; None: it was measured as it came."""
    environment = _environment(content)
    if environment.get("tune"):
        return f"the run tuned it ({environment['tune']})"
    if content.get("reservation") or environment.get("cpus") == "reserved":
        return "a CPU was reserved for the run"
    return None


def results_of(content: Content) -> Sequence[Mapping[str, Any]]:
    return [one for one in content.get("results") or () if isinstance(one, Mapping)]


def _environment(content: Content) -> Mapping[str, Any]:
    return (content.get("spec") or {}).get("environment") or {}
