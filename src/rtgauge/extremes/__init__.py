"""Beyond the maximum seen: extreme-value statistics of one series, with the conditions tested first.

    tail = of_samples(samples)             the tail of a series, or why there is none (`tail.refused`)
    level(tail, 1e-9)                      the value that one activation in 1e9 exceeds, with its interval
    rate_above(tail, 100_000.0)            how often, per activation, 100 us is exceeded, with its interval

A tail can be stored (`to_json`, `from_json`) and asked again without its samples.
"""

from rtgauge.extremes.levels import level, rate_above
from rtgauge.extremes.model import CONFIDENCE, PROBABILITIES, Blocks, Bound, Condition, Tail
from rtgauge.extremes.stored import from_json, to_json
from rtgauge.extremes.tail import of_samples, tail_of

__all__ = [
    "CONFIDENCE",
    "PROBABILITIES",
    "Blocks",
    "Bound",
    "Condition",
    "Tail",
    "from_json",
    "level",
    "of_samples",
    "rate_above",
    "tail_of",
    "to_json",
]
