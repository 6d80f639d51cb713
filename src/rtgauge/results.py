"""results.json: what a run means, for other programs. Its schema is results.schema.json beside this file.

A number that does not exist is absent or null, never 0. The figures of a series too short for the clock are given raw,
beside `"unmeasurable": true`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from rtgauge.errors import StoreError
from rtgauge.model import ClockInfo, Evaluation, Param, Result, RunSpec, Summary, Trace
from rtgauge.units import canonical_duration

SCHEMA_VERSION = 1


def to_json(
    evaluation: Evaluation,
    trace: Trace,
    spec: RunSpec,
    *,
    run: str,
    target: str,
    created: str,
    profile: str | None = None,
    findings: Sequence[Mapping[str, Any]] = (),
    audit: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The content of results.json. `created` is a time as RFC 3339 writes it."""
    return {
        "schema": SCHEMA_VERSION,
        "run": run,
        "target": target,
        "created": created,
        "profile": profile,
        "spec": spec.as_dict(),
        "system": _system(trace),
        "verdict": {**asdict(evaluation.verdict), "details": list(evaluation.verdict.details)},
        "exposure_s": evaluation.exposure_s,
        "results": [result_to_json(result) for result in evaluation.results],
        "findings": [dict(one) for one in findings],
        "audit": [dict(one) for one in audit],
        "problems": list(evaluation.problems),
    }


def from_json(text: str | bytes) -> dict[str, Any]:
    """The content of a results.json, checked against the schema. StoreError names what is wrong with it."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"results.json is not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("schema") != SCHEMA_VERSION:
        version = content.get("schema") if isinstance(content, dict) else None
        raise StoreError(f"results.json has version {version!r}; this program reads version {SCHEMA_VERSION}")
    complaint = complaint_about(content)
    if complaint:
        raise StoreError(f"results.json is damaged: {complaint}")
    return content


def complaint_about(content: object) -> str | None:
    """The first way in which `content` breaks the schema, or None."""
    from jsonschema import Draft202012Validator  # slow to import

    errors = Draft202012Validator(schema()).iter_errors(content)
    first = next(iter(errors), None)
    return None if first is None else f"{first.json_path}: {first.message[:200]}"


def schema() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(files("rtgauge").joinpath("results.schema.json").read_text("utf-8"))
    return content


def result_to_json(result: Result) -> dict[str, Any]:
    """One entry of `results`."""
    described, series = result.descriptor, result.series
    made: dict[str, Any] = {
        "id": result.id,
        "title": described.title if described else None,
        "question": described.question if described else None,
        "params": _params(result),
        "environment": dict(result.environment),
        "status": result.status,
        "reason": result.reason,
        "unit": result.unit,
        "mode": result.mode,
        "exposure_s": result.exposure_s,
        "source": series.source if series else None,
        "aux": series.aux if series else None,
        "stamps": {"start": series.start, "stop": series.stop, "thread": series.thread} if series else None,
        "checks": [asdict(check) for check in result.checks],
        "unchecked": [{"name": name, "why": why} for name, why in result.unchecked],
        "evidence": [asdict(line) for line in result.evidence],
        "counters": dict(result.counters),
    }
    if result.loads:  # there is no such entry without loads
        made["loads"] = [asdict(load) for load in result.loads]
    made |= _figures(result.summary) if result.summary else {}
    made |= {"extremes": dict(result.extremes)} if result.extremes else {}
    return made | ({"blame": dict(result.blame)} if result.blame else {})


def _figures(summary: Summary) -> dict[str, Any]:
    return {
        "exposure_s": summary.exposure_s,
        "n": summary.n,
        "lost": summary.lost,
        "negatives": summary.negatives,
        "min": summary.min,
        "avg": summary.avg,
        "max": summary.max,
        "median": summary.median,
        "percentiles": dict(summary.percentiles),
        "first": summary.first,
        "max_after_first": summary.max_after_first,
        "worst": [asdict(one) for one in summary.worst],
        "histogram": [list(one) for one in summary.histogram],
        "clusters": [dict(one) for one in summary.clusters],
        "period": dict(summary.period) if summary.period else None,
        "unmeasurable": summary.unmeasurable,
        "overhead": summary.overhead,
        "resolution": summary.resolution,
        "synthetic": dict(summary.synthetic) if summary.synthetic else None,
        "analysis": {name: dict(one) for name, one in summary.analysis.items()},
    } | ({"accumulated": dict(summary.accumulated)} if summary.accumulated else {})


def _params(result: Result) -> dict[str, Param]:
    """Durations in their one written form."""
    kinds = {info.name: info.kind for info in result.descriptor.params} if result.descriptor else {}
    return {
        name: canonical_duration(value) if kinds.get(name) == "duration" and isinstance(value, int) else value
        for name, value in result.params.items()
    }


def _system(trace: Trace) -> dict[str, Any]:
    return {
        "engine": trace.engine,
        "port": trace.port,
        "build": dict(trace.build),
        "facts": dict(trace.facts),
        "clock": _clock(trace.clock) if trace.clock else None,
        "sample_memory": trace.sample_memory,
        "complete": trace.complete,
    }


def _clock(clock: ClockInfo) -> dict[str, Any]:
    return {**asdict(clock), "rejected": [{"name": name, "why": why} for name, why in clock.rejected]}
