"""What the largest of some samples proves by itself, and what it does not."""

from __future__ import annotations

from rtgauge.requirements.figures import figure_of, samples_of, shown
from rtgauge.requirements.model import CONFIDENCE, Result
from rtgauge.requirements.rates import upper
from rtgauge.requirements.words import lasted, percent


def of_maximum(result: Result) -> str:
    """One line about a result with figures. The bound is free of any distribution: it is that of the share of values
    above the largest of n."""
    n, worst = samples_of(result), figure_of(result, "max")
    largest = "unknown" if worst is None else shown(worst, result)
    lost = result.get("lost")
    untold = "; how many were lost is not known" if lost is None else f"; {lost} were lost" if lost else ""
    share = f"a share below {upper(0, n):.2g} lies above it with {percent(CONFIDENCE)} confidence, if samples are alike"
    return f"max {largest} in {n} samples over {lasted(result.get('exposure_s'))}{untold}: {share}; no more is shown"
