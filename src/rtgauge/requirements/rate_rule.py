"""Whether samples above a limit are rare enough: by counting them, and beyond what was seen by extreme values."""

from __future__ import annotations

from dataclasses import dataclass

from rtgauge.requirements import rates
from rtgauge.requirements.figures import misses_of, samples_of, unknown_of
from rtgauge.requirements.model import More, Rate, Requirement, Result, Ruling
from rtgauge.requirements.words import percent, span

TOO_FEW = "samples"
"""The condition of a tail that more samples mend."""


@dataclass(frozen=True)
class RateRuling:
    ruling: Ruling
    rate: Rate  # that it was ruled by
    text: str  # what the rate is, and why that decides, or does not
    more: More | None = None


def counted(requirement: Requirement, result: Result, limit: float) -> Rate:
    """What the number of samples above the limit shows. Each that was lost may be above it, or not."""
    return _rate(requirement, result, limit, unknown_of(result) or 0)


def of_measured(requirement: Requirement, result: Result, limit: float) -> Rate:
    """The same of the samples that there are."""
    return _rate(requirement, result, limit, 0)


def _rate(requirement: Requirement, result: Result, limit: float, unknown: int) -> Rate:
    every, sure = samples_of(result) + unknown, requirement.confidence
    low, high = misses_of(result, limit)
    return Rate(rates.lower(low, every, sure), rates.upper(high + unknown, every, sure), sure, "binomial")


def rule(requirement: Requirement, result: Result, limit: float) -> RateRuling:
    """The ruling on `miss_rate`, which the requirement has."""
    wanted, seen = requirement.miss_rate or 0.0, counted(requirement, result, limit)
    sure = f"with {percent(seen.confidence)} confidence"
    alike = "if samples are alike and independent of each other"
    if seen.low > wanted:
        return RateRuling("not met", seen, f"the rate of misses is above {seen.low:.2g} {sure}, {alike}")
    unknown = unknown_of(result)
    if unknown is None:  # whoever counted them says so
        return RateRuling("inconclusive", seen, "how many samples were lost is not known, and any may be a miss")
    if seen.high <= wanted:
        return RateRuling("met", seen, f"the rate of misses is below {seen.high:.2g} {sure}, {alike}")
    if unknown:
        return RateRuling("inconclusive", seen, f"each of {unknown} samples that are not known may be a miss")
    return _beyond(requirement, result, limit, seen)


def _beyond(requirement: Requirement, result: Result, limit: float, seen: Rate) -> RateRuling:
    """Counting does not decide: extreme values may."""
    wanted, sure = requirement.miss_rate or 0.0, f"with {percent(seen.confidence)} confidence"
    more = _more(requirement, result, limit)
    short = f"the rate of misses is below {seen.high:.2g} {sure}, not below {wanted:g}{_takes(more)}"
    stored = result.get("extremes")
    if not stored:
        return RateRuling("inconclusive", seen, f"{short}; no extreme values are kept with this result", more)
    if stored.get("refused"):
        if all(one["holds"] or one["name"] == TOO_FEW for one in stored.get("conditions") or ()):
            return RateRuling("inconclusive", seen, f"{short}; extreme values: {stored['refused']}", more)
        why = f"{short}; only extreme values could tell, and they are refused: {stored['refused']}"
        return RateRuling("invalid", seen, why, more)
    try:
        found = _extreme(result, limit, seen.confidence)
    except (ValueError, ArithmeticError, LookupError, TypeError) as error:
        return RateRuling("invalid", seen, f"{short}; only extreme values could tell, and they cannot: {error}", more)
    text = f"extreme values put the rate of misses at {found.low:.2g} to {found.high:.2g} {sure}"
    if found.high <= wanted:
        return RateRuling("met", found, f"{text}, not above {wanted:g}")
    if found.low > wanted:
        return RateRuling("not met", found, f"{text}, above {wanted:g}")
    return RateRuling(
        "inconclusive", found, f"{text}, which does not decide about {wanted:g}; by counting, {short}", more
    )


def _extreme(result: Result, limit: float, confidence: float) -> Rate:
    from rtgauge.extremes import from_json, rate_above  # slow to import

    found = rate_above(from_json(result["extremes"]), limit, confidence)
    if not 0 <= found.low <= found.high <= 1:  # of a fit that breaks down so far out
        raise ValueError("their bounds are no rates")
    return Rate(found.low, found.high, confidence, "extreme values")


def _more(requirement: Requirement, result: Result, limit: float) -> More | None:
    """Samples without a further miss that would show the rate; None where what was seen is not below it."""
    n, wanted = samples_of(result), requirement.miss_rate or 0.0
    misses = misses_of(result, limit)[1]
    if misses >= wanted * n and misses:
        return None
    return more_samples(result, rates.needed(misses, wanted, requirement.confidence))


def more_samples(result: Result, wanted: int) -> More:
    """From those that there are to `wanted` of them."""
    n, seconds = samples_of(result), result.get("exposure_s")
    missing = max(1, wanted - n)
    return More(missing, missing * (float(seconds) / n) if seconds and n else None)


def _takes(more: More | None) -> str:
    if more is None:
        return ""
    return f": that takes {more.samples} more samples without a miss{span(more)}"
