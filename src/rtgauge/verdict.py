"""Summary and requirement to pass, fail, inconclusive or invalid, each with its reason in one line.

Nothing passes by absence: what was not measured, not permitted or lost never counts in favour of the system.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rtgauge.blame import broke_on
from rtgauge.model import Check, Evidence, Result, SeriesInfo, Status, Summary, TestTrace, Verdict
from rtgauge.requirements.model import DEADLINE_TEST as DEADLINE_TEST
from rtgauge.requirements.model import Judged
from rtgauge.units import canonical_duration, format_ns, format_seconds

_TICK_CONTRAST = 0.5  # of all loops: by so much more at ticks than at other times
_TICK_RATE_TOLERANCE = 0.2
_NAMED = 3  # results named in a reason; the details name all

Judgement = tuple[Status, str | None]


# ---- one test -------------------------------------------------------------------------------------------------------


def judge_test(test: TestTrace, summaries: Sequence[Summary | None]) -> Judgement:
    """The status of a whole test: that of a behaviour test, and what each series of another starts from. `summaries`:
    one for each series."""
    if test.outcome is None:
        until = max([one.accumulated.at_ns for one in test.series if one.accumulated is not None], default=None)
        if until is None or is_behaviour(test.descriptor.id):
            return "invalid", "the engine ended before the test did"
        seconds = format_seconds(max(0, until - test.begin_ns) / 1e9)
        return "inconclusive", f"the engine ended before the test did: the figures are of its first {seconds}"
    if test.outcome != "done":
        return test.outcome, test.reason or "the engine gave no reason"
    if not is_behaviour(test.descriptor.id):
        return ("ok", _early(test)) if test.series else ("invalid", "no samples")
    return _judge_behaviour(test, summaries)


def judge_series(test: TestTrace, whole: Judgement, summary: Summary | None, part: str) -> Judgement:
    """The status of one series of figures. `whole`: that of its test."""
    if summary is not None and whole[0] in ("ok", "pass", "fail", "inconclusive") and _went_back(test, part):
        return "invalid", "a stop stamp lies before its start stamp: the clock ran backwards"
    if is_behaviour(test.descriptor.id):
        return ("ok", None) if whole[0] in ("pass", "fail") else whole
    if whole[0] != "ok":
        return whole
    if summary is None:
        return _no_samples(test, part)
    doubt = tick_rate_doubt(summary.analysis.get("ticks"), test.evidence)
    return ("inconclusive", doubt) if doubt else whole


def _went_back(test: TestTrace, part: str) -> bool:
    """Whether a sample was negative before anything was subtracted; a value may be negative by itself. By one tick is
    enough: a step of the clock is a distance that was seen, and clocks may be apart by less."""
    stamped = [series for series in test.series if series.info.name == part and series.info.source == "stamp"]
    return any(series.least is not None and series.least < 0 for series in stamped)


def is_behaviour(id: str) -> bool:
    return "-B-" in id


def _judge_behaviour(test: TestTrace, summaries: Sequence[Summary | None]) -> Judgement:
    properties = [check for check in test.checks if check.role == "property"]
    wrong_controls = [check for check in test.checks if check.role == "control" and check.holds]
    broken = [check for check in properties if not check.holds]
    growing = [
        line
        for series, summary in zip(test.series, summaries, strict=True)
        if summary is not None and (line := _growth(series.info, summary.analysis.get("trend")))
    ]
    if wrong_controls:
        return "invalid", f"the negative control holds as well: {_named(wrong_controls)}"
    if broken:
        return "fail", f"does not hold: {_named(broken)}"
    if growing:
        return "fail", "; ".join(growing)
    if test.damaged:
        return "inconclusive", "records of this test were lost: a check that failed may be among them"
    if test.stopped:
        return "inconclusive", "the test was ended before it was through"
    if not properties:
        return "inconclusive", "no property could be checked"
    return "pass", None


def _named(checks: Sequence[Check]) -> str:
    return "; ".join(f"{check.name} ({check.what})" if check.what else check.name for check in checks)


def _growth(info: SeriesInfo, trend: Mapping[str, Any] | None) -> str | None:
    if not trend or trend["verdict"] != "growing":
        return None
    each = f"{trend['per_sample']:.4g} {info.unit}"
    return f"{info.name or 'the value'} grows through the whole test, by {each} from sample to sample"


def _early(test: TestTrace) -> str | None:
    return "the test was ended before it had all its samples" if test.stopped else None


def _no_samples(test: TestTrace, part: str) -> Judgement:
    """A series without samples: the test may have said why it cannot be measured here."""
    names = {series.info.name for series in test.series}
    own = [why for name, why in test.unchecked if name == part]
    other = [why for name, why in test.unchecked if name not in names]
    if own or other:
        return "not-supported", "; ".join(own or other)
    lost = sum(series.lost for series in test.series if series.info.name == part)
    return "invalid", f"no samples: {lost} were lost" if lost else "no samples"


def tick_rate_doubt(ticks: Mapping[str, Any] | None, evidence: Iterable[Evidence]) -> str | None:
    """Why tick durations are not to be trusted: loops were not hit at the rate of the tick, or they were disturbed as
    often without one. None when neither is so."""
    if ticks is None:
        return None
    measured = [line.value for line in evidence if line.name == "tick_ns" and isinstance(line.value, int)]
    if not measured or measured[0] <= 0:
        return "the tick period was not measured, so the hits cannot be told from other interruptions"
    expected, seen = 1e9 / measured[0], ticks["rate_hz"]
    if seen is None:
        return "the loops took no time"
    if abs(seen - expected) > _TICK_RATE_TOLERANCE * expected:
        return f"loops were hit {seen:.4g} times a second, the tick comes {expected:.4g} times"
    contrast = ticks.get("contrast")
    if contrast is not None and contrast < _TICK_CONTRAST:
        return "loops were disturbed almost as often without a tick as with one"
    return None


# ---- the whole run --------------------------------------------------------------------------------------------------


def overall(results: Sequence[Result], judged: Sequence[Judged] = ()) -> Verdict:
    """The ruling on the run: behaviour, and what was required."""
    if not results:
        return Verdict("invalid", "the run has no result")
    if all(result.status == "invalid" for result in results):
        return Verdict("invalid", f"no result is valid: {_few(results)}", _details(results))
    failed = [result for result in results if result.status == "fail"]
    missed = [*crossed(results), *_missed(judged)]
    if failed or missed:
        reasons = [f"behaviour that does not hold: {_few(failed)}"] if failed else []
        return Verdict("fail", "; ".join([*reasons, *missed[:1]]), (*_details(failed), *missed))
    broken = [case.reason for one in judged for case in one.cases if case.ruling == "invalid" and case.samples]
    if broken:
        return Verdict("invalid", broken[0], tuple(broken))
    reason, open_questions = _proven(results, judged)
    weak = [result for result in results if _withholds(result)]
    if weak:
        open_questions = [f"not decided: {_few(weak)}", *open_questions]
    if open_questions:
        return Verdict("inconclusive", "; ".join(open_questions), (*_details(weak), *reason))
    unsure = [result for result in results if result.status == "inconclusive"]
    if len(judged) > 1:  # told one by one in the details
        first = reason[: len(reason) - len(_shown(judged))]
        return Verdict(
            "pass", "; ".join([*first, f"all {len(judged)} requirements are met"]), tuple(reason[len(first) :])
        )
    return Verdict("pass", "; ".join(reason), _details(unsure))


def _withholds(result: Result) -> bool:
    """Whether a pass is withheld for this result: figures that cannot be trusted are judged by nobody, checks are."""
    undecided = result.status == "inconclusive" and is_behaviour(result.id)
    return undecided or result.status in ("not-permitted", "invalid")


def _proven(results: Sequence[Result], judged: Sequence[Judged]) -> tuple[list[str], list[str]]:
    """What speaks for the system, and why that may not be enough; neither looks at failures or weak results."""
    passed = [result for result in results if result.status == "pass"]
    reason = [f"all {len(passed)} behaviour results hold"] if len(passed) > 1 else []
    reason += [f"{name_of(passed[0])} holds"] if len(passed) == 1 else []
    if not judged:
        reason.append("no deadline was given, so times are shown and not judged")
        return reason, [] if passed else ["nothing that can be judged was measured, and no deadline was given"]
    return [*reason, *_shown(judged)], [doubt for one in judged for doubt in _doubts(one)]


def _shown(judged: Sequence[Judged]) -> list[str]:
    """What the figures of each result show; behaviour is told by its results."""
    measured = [case for one in judged for case in one.cases if case.samples is not None]
    return [case.proves or case.reason for case in measured]


def _doubts(judged: Judged) -> list[str]:
    """Why a requirement is not decided, if so; a result that is withheld anyway is not named again."""
    if judged.ruling == "met":
        return []
    if all(case.samples is None for case in judged.cases):
        return [judged.reason]
    return [case.reason for case in judged.cases if case.ruling == "inconclusive"]


def crossed(results: Sequence[Result]) -> list[str]:
    """One line for the sample above the limit at which the user wanted the run to end, if it came to that."""
    lines = []
    for result in results:
        broke, limit = broke_on(result.evidence), {e.name: e.value for e in result.evidence}.get("break_on_ns")
        if broke is None or broke[1] != (result.series.name if result.series else ""):
            continue
        values = [one.value for one in result.summary.worst if one.index == broke[0]] if result.summary else []
        values += [one["value"] for one in (result.blame or {}).get("samples") or () if one["broke"]]
        took = f"took {format_ns(values[0])}, " if values else "was "
        limited = f"above the limit of {canonical_duration(limit)}" if isinstance(limit, int) else "above the limit"
        lines.append(f"{name_of(result)}: sample {broke[0]} {took}{limited}: the run was ended there")
    return lines


def _missed(judged: Sequence[Judged]) -> list[str]:
    """One line for each result that does not keep what was required; behaviour that fails is told by its results."""
    return [case.reason for one in judged for case in one.cases if case.ruling == "not met" and case.samples]


def name_of(result: Result) -> str:
    """A result as a reason names it: `THR-P-SLS threads=2`."""
    kinds = {info.name: info.kind for info in result.descriptor.params} if result.descriptor else {}
    words = [
        f"{key}={canonical_duration(value) if kinds.get(key) == 'duration' and isinstance(value, int) else value}"
        for key, value in result.params.items()
    ]
    return " ".join([result.id, *words])


def _few(results: Sequence[Result]) -> str:
    """The first few results, each name once, and the number of the others."""
    names = list(dict.fromkeys(f"{name_of(result)} ({result.status})" for result in results))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _details(results: Iterable[Result]) -> tuple[str, ...]:
    return tuple(f"{name_of(result)} is {result.status}: {result.reason or 'no reason given'}" for result in results)
