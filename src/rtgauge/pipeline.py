"""The whole path from a trace to its meaning. A pure function of trace and request, so that it can be done again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rtgauge.blame import blame_series
from rtgauge.model import (
    Descriptor,
    Evaluation,
    Job,
    Param,
    Result,
    RunSpec,
    Samples,
    SeriesTrace,
    Summary,
    TestTrace,
    Trace,
)
from rtgauge.requirements import Requirement, judge_all, judged_to_json
from rtgauge.results import result_to_json
from rtgauge.samples import to_samples
from rtgauge.stats.peaks import rule_of, with_parts
from rtgauge.stats.summary import EXTREMES, MedianUnknownError, summarise
from rtgauge.verdict import Judgement, is_behaviour, judge_series, judge_test, overall

_Judged = tuple[Result, Samples | None]


def judge(trace: Trace, spec: RunSpec, requirements: Sequence[Requirement] = ()) -> Evaluation:
    """Every result of the run, and the ruling on it."""
    judged = [pair for test in trace.tests for pair in _judge_test(trace, test, spec)]
    judged += [(_never_ran(trace, job, spec), None) for job in _jobs_never_run(trace, spec)]
    results = tuple(result for result, _ in judged)
    return rule(
        Evaluation(
            results=results,
            verdict=overall(results),
            series=tuple(samples for _, samples in judged),
            exposure_s=sum(test.end_ns - test.begin_ns for test in trace.tests) / 1e9,
            problems=(*trace.problems, *_problems(results)),
        ),
        requirements,
    )


def rule(evaluation: Evaluation, requirements: Sequence[Requirement]) -> Evaluation:
    """The same with the rulings on `requirements`, and the verdict that follows from them and from its results."""
    judged = judge_all(requirements, [result_to_json(result) for result in evaluation.results] if requirements else ())
    verdict = overall(evaluation.results, judged)
    return replace(evaluation, verdict=verdict, requirements=tuple(judged_to_json(one) for one in judged))


def _judge_test(trace: Trace, test: TestTrace, spec: RunSpec) -> Iterator[_Judged]:
    """The results of one test: its checks when it is a behaviour test, and each of its series."""
    samples = with_parts([to_samples(trace, test, series) for series in test.series])
    summaries = [_summary(one) for one in samples]
    whole = judge_test(test, summaries)
    if is_behaviour(test.descriptor.id) or not test.series:
        yield _result(test, spec, whole), None
    for place, (series, one, summary) in enumerate(zip(test.series, samples, summaries, strict=True)):
        if summary is None and is_behaviour(test.descriptor.id) and not series.lost:
            continue  # a behaviour test need not record in every series
        if summary is None and whole[0] == "ok" and one is not None and rule_of(one) and summaries[0] is not None:
            continue  # there are no peaks, and the first series says so
        judgement = judge_series(test, whole, summary, series.info.name)
        if one is None and len(series.ticks) and judgement[0] == "invalid":
            judgement = "invalid", "the trace has lost the clock that these samples were taken with"
        elif one is not None and one.n and summary is None and judgement[0] == "invalid":
            judgement = "invalid", "more than half of the samples lie beyond the bins, where they were only counted"
        result = _result(test, spec, judgement, series, one, summary)
        blame = blame_series(test, place, one, result.summary, virtual=trace.facts.get("time") == "virtual")
        yield replace(result, blame=blame, extremes=_extremes(one, result)), one


def _extremes(samples: Samples | None, result: Result) -> dict[str, Any] | None:
    """What is known beyond the largest sample, of series that ask for it and whose figures count."""
    if samples is None or result.summary is None or EXTREMES not in samples.raw.info.analyse:
        return None
    from rtgauge.extremes import of_samples, to_json  # slow to import

    return to_json(of_samples(samples))


def _summary(samples: Samples | None) -> Summary | None:
    """None without samples, and where too few of them were kept for any figure in their middle."""
    try:
        return summarise(samples) if samples is not None and samples.n else None
    except MedianUnknownError:
        return None


def _result(
    test: TestTrace,
    spec: RunSpec,
    judgement: Judgement,
    series: SeriesTrace | None = None,
    samples: Samples | None = None,
    summary: Summary | None = None,
) -> Result:
    status, reason = judgement
    part = {"part": series.info.name} if series is not None and series.info.name else {}
    with_checks = series is None or not is_behaviour(test.descriptor.id)
    has_figures = status in ("ok", "inconclusive")  # a broken premise makes no number
    return Result(
        id=test.descriptor.id,
        params={**test.params, **part},
        environment={**spec.environment, **({"image": test.image} if test.image else {})},
        status=status,
        reason=reason,
        unit=None if series is None else samples.unit if samples is not None else series.info.unit,
        summary=summary if has_figures else None,
        mode=test.mode,
        checks=test.checks if with_checks else (),
        unchecked=test.unchecked if with_checks else (),
        evidence=test.evidence,
        loads=test.loads,
        descriptor=test.descriptor,
        series=None if series is None else series.info,
        counters=test.counters,
        exposure_s=None if test.outcome is None else (test.end_ns - test.begin_ns) / 1e9,
    )


# ---- what was asked for and is not there ----------------------------------------------------------------------------


def _jobs_never_run(trace: Trace, spec: RunSpec) -> Iterator[Job]:
    begun = Counter(_key(test.descriptor.id, test.params) for test in trace.tests)
    for job in spec.jobs:
        key = _key(job.id, job.params)
        if begun[key]:
            begun[key] -= 1
        else:
            yield job


def _key(id: str, params: Mapping[str, Param]) -> tuple[str, frozenset[tuple[str, Param]]]:
    return id, frozenset(params.items())


def _never_ran(trace: Trace, job: Job, spec: RunSpec) -> Result:
    known: dict[str, Descriptor] = {one.id: one for one in trace.descriptors}
    known |= {test.descriptor.id: test.descriptor for test in trace.tests}
    return Result(
        id=job.id,
        params=dict(job.params),
        environment=dict(spec.environment),
        status="invalid",
        reason=f"the engine did not run it: {trace.why}" if trace.why else "the trace ends before this test",
        unit=None,
        summary=None,
        mode="store",
        descriptor=known.get(job.id),
    )


def _problems(results: tuple[Result, ...]) -> list[str]:
    return [
        f"{result.id}: {problem}"
        for result in results
        if result.summary is not None
        for problem in result.summary.problems
    ]
