"""What a stored run says, computed from its trace and its manifest and nothing else: the same whenever it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rtgauge.errors import StoreError
from rtgauge.findings import find
from rtgauge.model import Evaluation, Evidence, Param, Result, RunSpec, Samples, Trace
from rtgauge.pipeline import judge, rule
from rtgauge.results import result_to_json, to_json
from rtgauge.store.manifest import (
    deaths_from_json,
    descriptors_from_json,
    loads_from_json,
    requirements_from_json,
    spec_from_json,
)
from rtgauge.store.reservation import reservation_from_json


@dataclass(frozen=True)
class Computed:
    content: dict[str, Any]  # of results.json
    series: Sequence[Samples | None]  # behind each of its results


def compute_stored(path: Path, manifest: Mapping[str, Any]) -> Computed:
    """Everything that results.json of the run in folder `path` holds, from the file of it that the rest follows from.
    Raises StoreError when that or the manifest cannot be used."""
    from rtgauge.store.imported import compute_imported
    from rtgauge.store.readers import load_trace

    if manifest.get("imported") is not None:
        return Computed(compute_imported(path, manifest), ())
    return compute(load_trace(path), spec_from_json(manifest.get("spec")), manifest)


def compute(trace: Trace, spec: RunSpec, manifest: Mapping[str, Any]) -> Computed:
    """Everything that results.json holds. Raises StoreError when the manifest is damaged."""
    trace = replace(trace, descriptors=descriptors_from_json(manifest.get("descriptors")))  # of tests that never ran
    judged = _analysed(judge(trace, spec), manifest)
    evaluation = rule(_explained(judged, trace, manifest), requirements_from_json(manifest))
    profile = manifest.get("profile")
    content = to_json(
        evaluation,
        trace,
        spec,
        run=str(manifest.get("run", "")),
        target=str(manifest.get("target", "")),
        created=str(manifest.get("created", "")),
        profile=None if profile is None else str(profile),
        findings=find([result_to_json(result) for result in evaluation.results]),
        audit=manifest.get("audit") or (),
    )
    reservation = reservation_from_json(manifest.get("reservation"))
    if reservation is not None:
        content["reservation"] = reservation
    if evaluation.requirements and manifest.get("requirements") is not None:  # older runs keep the verdict only
        content["requirements"] = list(evaluation.requirements)
    return Computed(content, evaluation.series)


def _analysed(evaluation: Evaluation, manifest: Mapping[str, Any]) -> Evaluation:
    """With what was read from outside of the system, where that was asked for."""
    content = manifest.get("analyser")
    if not isinstance(content, Mapping):
        return evaluation
    from rtgauge.lab.analyser import PLACES, from_json, readings

    def told(result: Result, lines: Sequence[Evidence]) -> Result:
        return replace(result, evidence=(*result.evidence, *lines))

    if "why" in content:
        line = Evidence("analyser", f"not supported: {content['why']}")
        results = [told(one, [line] if one.id in PLACES else []) for one in evaluation.results]
    else:
        try:
            analysis = from_json(content)
        except ValueError as error:
            raise StoreError(f"manifest.json: {error}") from error
        both = zip(evaluation.results, evaluation.series, strict=True)
        results = [told(one, readings(one, samples, analysis)) for one, samples in both]
    return replace(evaluation, results=tuple(results))


def _explained(evaluation: Evaluation, trace: Trace, manifest: Mapping[str, Any]) -> Evaluation:
    """With what only the host knows: how the engine died in a test, why tests were left out, and what loads did
    that are programs beside the engine."""
    loads = loads_from_json(manifest.get("loads"))
    deaths = {_key(id_, params): reason for id_, params, reason in deaths_from_json(manifest.get("deaths"))}
    unended = {_key(test.descriptor.id, test.params) for test in trace.tests if test.outcome is None}
    begun = {_key(test.descriptor.id, test.params) for test in trace.tests}
    left_out = manifest.get("left_out")

    def explain(result: Result) -> Result:
        key = _key(result.id, result.params)
        if key in begun and loads:
            result = replace(result, loads=(*result.loads, *loads))
        if key in unended and key in deaths:
            if result.summary is not None:  # up to its last checkpoint
                return replace(result, reason=f"{deaths[key]}; {result.reason}")
            return replace(result, status="invalid", reason=deaths[key])
        if key not in begun and (key in deaths or left_out):
            return replace(result, reason=deaths.get(key) or f"not run: {left_out}")
        return result

    return replace(evaluation, results=tuple(explain(result) for result in evaluation.results))


def _key(id_: str, params: Mapping[str, Param]) -> tuple[str, frozenset[tuple[str, Param]]]:
    return id_, frozenset((name, value) for name, value in params.items() if name != "part")
