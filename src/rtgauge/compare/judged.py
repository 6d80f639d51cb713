"""What a run says about itself beside its figures: what was asked of it, points for and against, ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rtgauge.compare.values import Judged, Point
from rtgauge.units import format_ns

if TYPE_CHECKING:
    from rtgauge.ratings import Ratings

Content = Mapping[str, Any]  # of results.json
Manifest = Mapping[str, Any]
_RULINGS = {"pass": "met", "fail": "not met"}
_GRAVEST = ("not met", "invalid", "inconclusive", "met")


def points(content: Content) -> tuple[Point, ...]:
    """Those that the run found itself, negative ones first."""
    found = [
        Point(
            "negative" if one["kind"] == "negative" else "positive", str(one["text"]), tuple(one.get("because") or ())
        )
        for one in content.get("findings") or ()
    ]
    return tuple(sorted(found, key=lambda one: one.kind == "positive"))


def ratings(content: Content, manifest: Manifest) -> Ratings:
    from rtgauge.ratings import rate

    return rate(content, manifest)


def judged(runs: Sequence[tuple[Content, Manifest]]) -> tuple[Judged, ...]:
    """Each requirement that was stated, with the gravest ruling of all runs."""
    every: dict[str, list[Judged]] = {}
    for content, manifest in runs:
        for one in _of_run(content, manifest):
            every.setdefault(one.limit, []).append(one)
    return tuple(_gravest(found) for found in every.values())


def _gravest(found: Sequence[Judged]) -> Judged:
    worst = min(found, key=lambda one: _GRAVEST.index(one.ruling) if one.ruling in _GRAVEST else 0)
    same = sum(one.ruling == worst.ruling for one in found)
    if same == len(found):
        return worst
    return Judged(worst.limit, worst.ruling, f"in {same} of {len(found)} runs: {worst.reason}")


def _of_run(content: Content, manifest: Manifest) -> Iterator[Judged]:
    told = content.get("requirements")
    for one in told or ():
        what = one.get("requirement") or {}
        deadline = str(what.get("where") or "") == "--deadline"
        limit = "" if deadline else str(what.get("name") or what.get("where") or what.get("test") or "a requirement")
        yield Judged(limit or _deadline(manifest) or "deadline", str(one["ruling"]), str(one.get("reason") or ""))
    if told is None and (limit := _deadline(manifest)):
        verdict = content.get("verdict") or {}
        ruling = str(verdict.get("ruling") or "invalid")
        yield Judged(limit, _RULINGS.get(ruling, ruling), str(verdict.get("reason") or ""))


def _deadline(manifest: Manifest) -> str:
    ns = manifest.get("deadline_ns")
    return f"deadline {format_ns(ns)}" if isinstance(ns, int) and ns > 0 else ""
