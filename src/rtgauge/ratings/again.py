"""The command that would measure what a rating lacks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

from rtgauge.plan import PROFILES
from rtgauge.ratings.deadline import deadlines, limit_of
from rtgauge.units import canonical_duration

EXAMPLE_DEADLINE = "1ms"
HEAVY = "heavy"
_DEADLINE = "--deadline"
_ELSEWHERE = ("import:", "replay:")  # targets that measure nothing
_LONGEST = 200  # characters of a name that a command repeats
_ENTRY = re.compile(r"(?P<file>.+), entry [0-9]+")


def command(
    content: Mapping[str, Any], manifest: Mapping[str, Any], *, load: str = "", samples: int = 0, test: str = ""
) -> str:
    """`rtgauge evaluate` of the same target with a deadline and a load: those of the run where it has them. `samples`:
    as many as `test` must have, and thus the profile."""
    target = str(content.get("target") or "")
    words = ["rtgauge", "evaluate"]
    if target and not target.startswith(_ELSEWHERE) and len(target) <= _LONGEST:
        words.append(target)
    words += _required(manifest)
    words += ["--load", load or _load(content) or HEAVY]
    if samples:
        words += ["--profile", _profile(manifest, samples, test)]
    return " ".join(shlex.quote(word) for word in words)


def _required(manifest: Mapping[str, Any]) -> list[str]:
    """The options that gave the run its deadlines; an example where it has none."""
    options: dict[tuple[str, str], None] = {}
    for one in deadlines(manifest):
        entry = _ENTRY.fullmatch(one.where)
        if one.where.startswith(_DEADLINE):
            options[_DEADLINE, canonical_duration(int(limit_of(one) or 0))] = None
        elif entry and len(entry["file"]) <= _LONGEST:
            options["--require", entry["file"]] = None
    return [word for option in options for word in option] or [_DEADLINE, EXAMPLE_DEADLINE]


def _load(content: Mapping[str, Any]) -> str:
    load = str(((content.get("spec") or {}).get("environment") or {}).get("load") or "")
    return "" if load == "none" else load


def _profile(manifest: Mapping[str, Any], samples: int, test: str) -> str:
    """The shortest profile in which the test takes so many."""
    offered = next((one.get("samples") for one in manifest.get("descriptors") or () if one.get("id") == test), None)
    if isinstance(offered, (list, tuple)) and len(offered) == len(PROFILES):
        for profile, number in zip(PROFILES, offered, strict=True):
            if isinstance(number, int) and number >= samples:
                return profile
    return PROFILES[-1]
