"""What must be the same in two runs before their ratings stand side by side."""

from __future__ import annotations

from collections.abc import Mapping

from rtgauge.findings._tick import tick_ns
from rtgauge.ratings.deadline import deadline_words
from rtgauge.ratings.facts import Content, Manifest, is_imported, is_virtual, load_of, results_of
from rtgauge.units import format_ns

UNKNOWN = "unknown"
ASPECTS = ("time", "processor", "tick", "preemption model", "load", "deadline")
_MODELS = ("PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT")


def aspects(content: Content, manifest: Manifest | None = None) -> dict[str, str]:
    """The configuration that ratings depend on, by the names of ASPECTS; "unknown" where nothing tells."""
    manifest = manifest or {}
    system = content.get("system") or {}
    facts = system.get("facts") or {}
    tick = tick_ns(results_of(content), system)
    virtual = is_virtual(content, manifest)
    told = {
        "time": "virtual" if virtual else UNKNOWN if is_imported(content, manifest) else "real",
        "processor": facts.get("cpu_model") or facts.get("machine"),
        "tick": None if tick is None else format_ns(float(f"{tick:.2g}")),  # measured to a few parts per thousand
        "preemption model": _model(content, str(facts.get("version") or "")),
        "load": load_of(content),
        "deadline": deadline_words(manifest),
    }
    return {name: str(told[name] or UNKNOWN) for name in ASPECTS}


def comparable(*runs: Mapping[str, str]) -> list[str]:
    """One line for each aspect in which these runs (the `aspects` of each) do not match, "tick: 1 ms against 4 ms"; one
    that is unknown of some only does not match. Empty: their ratings may stand side by side."""
    found = []
    for name in dict.fromkeys(name for run in runs for name in run):
        values = list(dict.fromkeys(run.get(name, UNKNOWN) for run in runs))
        if len(values) > 1:
            found.append(f"{name}: {' against '.join(values)}")
    return found


def _model(content: Content, version: str) -> str | None:
    found = (one.get("summary") for one in content.get("audit") or () if one.get("check") == "preemption model")
    return next((str(text) for text in found if text), None) or next((m for m in _MODELS if m in version), None)
