"""From what another program's file says to results.json. What the file does not tell is null or absent, never 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rtgauge.importers._foreign import Foreign, Series
from rtgauge.results import SCHEMA_VERSION
from rtgauge.stats.basic import supported
from rtgauge.units import format_ns

_BINS = 180  # of a histogram as it is shown; finer ones are joined
NOT_JUDGED = "the premises of tests by other programs were not checked, and nothing was judged"


def content_of(foreign: Foreign, format: str, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The content of results.json. `manifest` says which run it is and which file."""
    results = [_result(one) for one in foreign.series]
    return {
        "schema": SCHEMA_VERSION,
        "run": str(manifest.get("run", "")),
        "target": str(manifest.get("target", "")),
        "created": str(manifest.get("created", "")),
        "profile": None,
        "spec": None,
        "system": {
            "engine": " ".join(word for word in (foreign.program, foreign.version) if word),
            "port": "import",
            "build": {},
            "facts": dict(foreign.facts),
            "clock": None,
            "sample_memory": None,
            "complete": True,
        },
        "verdict": {"ruling": "inconclusive", "reason": f"imported: {NOT_JUDGED}", "details": []},
        "exposure_s": None,
        "results": results,
        "findings": [],
        "audit": [],
        "problems": list(_problems(foreign, results)),
        "imported": {"format": format, "program": foreign.program, "version": foreign.version or None},
    }


def _result(series: Series) -> dict[str, Any]:
    status, reason = "ok", None
    if series.broken:
        status, reason = "invalid", series.broken
    elif not series.n:
        status, reason = "inconclusive", "the file counts no sample"
    made: dict[str, Any] = {
        "id": series.id,
        "title": series.title,
        "question": series.question,
        "params": dict(series.params),
        "environment": {},
        "status": status,
        "reason": reason,
        "unit": series.unit,
        "mode": "imported",
        "exposure_s": series.exposure_s,
        "source": None,
        "aux": None,
        "stamps": None,
        "checks": [],
        "unchecked": [],
        "evidence": [{"name": one.name, "value": one.value, "unit": one.unit} for one in series.evidence],
        "counters": {},
    }
    return made | (_figures(series) if status == "ok" else {})


def _figures(series: Series) -> dict[str, Any]:
    known = _percentiles(series)
    median = known.get("50")
    first, later = (series.values[:1], series.values[1:])
    made: dict[str, Any] = {
        "n": series.n,
        "lost": None,
        "negatives": None,
        "min": float(series.least),
        "avg": None if series.mean is None else float(series.mean),
        "max": float(series.most),
        "median": median,
        "first": float(first[0]) if first else None,
        "max_after_first": float(max(later)) if later else None,
        "histogram": _histogram(series),
        "unmeasurable": False,  # the program's figures as they are, though it may have rounded them down to 0
        "overhead": None,
        "resolution": float(series.step),
        "synthetic": None,
        "analysis": {},
        "imported": {
            "bin": series.width if series.bins else None,
            "in_bins": _held(series) if series.bins else None,
            "outside": _outside(series),
            "outside_told": series.outside is not None,
        },
    }
    return made | ({"percentiles": known} if median is not None else {})


def _held(series: Series) -> int:
    return sum(count for _, count in series.bins)


def _outside(series: Series) -> int | None:
    """Samples beyond the bins: as the file tells, else those that it counts and has in no bin; None without bins."""
    return series.n - _held(series) if series.bins else None


def _percentiles(series: Series) -> dict[str, float]:
    """By nearest rank, each as the largest value that its bin can hold; none where the rank lies beyond the bins."""
    found: dict[str, float] = {}
    if series.values:
        ordered = sorted(series.values)
        return {name: float(ordered[at]) for name, at in supported(series.n).items()}
    if not series.bins:
        return {"50": float(series.most)} if series.least == series.most else {}
    wanted, upto = sorted(supported(series.n).items(), key=lambda one: one[1]), 0
    for low, count in series.bins:
        upto += count
        while wanted and wanted[0][1] < upto:
            name, _ = wanted.pop(0)
            found[name] = float(max(series.least, min(series.most, low + series.width - series.step)))
    return found


def _histogram(series: Series) -> list[list[float | int]]:
    """(from, to, samples), every sample in one: of those beyond the bins the largest is known."""
    if series.values:
        counts: dict[int, int] = {}
        for value in series.values:
            counts[value] = counts.get(value, 0) + 1
        return _joined(sorted(counts.items()), 1)
    rows = _joined(series.bins, series.width)
    outside = _outside(series)
    if outside:
        begin = rows[-1][1] if series.limit is None else float(series.limit)
        if outside > 1:
            rows.append([begin, float(max(series.most, begin + series.step)), outside - 1])
        rows.append([float(series.most), float(series.most + series.step), 1])
    return rows


def _joined(bins: Any, width: int) -> list[list[float | int]]:
    """Bins, joined with those above where there are many, so that each spans about the same factor."""
    if len(bins) <= _BINS:
        return [[float(low), float(low + width), count] for low, count in bins]
    low, high = max(bins[0][0], width), bins[-1][0] + width
    factor = (high / low) ** (1 / _BINS)
    rows: list[list[float | int]] = []
    edge = 0.0
    for at, count in bins:
        if rows and at < edge:
            rows[-1][1] = float(at + width)
            rows[-1][2] += count
            continue
        rows.append([float(at), float(at + width), count])
        edge = max(at * factor, at + width)
    return rows


def _problems(foreign: Foreign, results: list[dict[str, Any]]) -> Iterator[str]:
    """What the figures do not tell, in one line each."""
    yield f"imported from {foreign.program}: what it does not tell is unknown: lost samples, load, order of the samples"
    yield from foreign.notes
    for series, result in zip(foreign.series, results, strict=True):
        if result["status"] != "ok":
            continue
        name = " ".join([series.id, *(f"{key}={value}" for key, value in series.params.items())])
        outside = _outside(series)
        if outside:
            how = "the file says" if series.outside is not None else "the file counts them in no bin"
            yield f"{name}: {outside} of {series.n} samples lie beyond the histogram, {how}"
        if not series.bins and not series.values:
            yield f"{name}: the file has no histogram: median and percentiles are unknown"
    widths = sorted({one.width for one in foreign.series if one.bins})
    if widths:
        how = "each the largest value that its bin can hold"
        yield f"percentiles are those of bins {format_ns(widths[-1])} wide, {how}"
