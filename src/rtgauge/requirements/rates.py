"""What the number of misses among n samples shows of their rate: exact binomial bounds (Clopper and Pearson).

They hold where samples are alike and independent of each other; whoever prints them says so.
"""

from __future__ import annotations

import math

from rtgauge.requirements.model import CONFIDENCE
from rtgauge.stats.view import settled

MOST = 1 << 62  # samples: more than a century has ns


def upper(misses: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The rate is below this; `misses` of `n` samples, 0 <= misses <= n, n at least 1."""
    if misses >= n:
        return 1.0
    if not misses:
        return settled(-math.expm1(math.log1p(-confidence) / n))
    from scipy.special import betaincinv  # slow to import

    return settled(float(betaincinv(misses + 1, n - misses, confidence)))


def lower(misses: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The rate is above this; 0 without a miss."""
    if not misses:
        return 0.0
    if misses >= n:
        return settled(float((1 - confidence) ** (1 / n)))
    from scipy.special import betaincinv

    return settled(float(betaincinv(misses, n - misses + 1, 1 - confidence)))


def needed(misses: int, rate: float, confidence: float = CONFIDENCE) -> int:
    """The least number of samples among which `misses` show a rate of at most `rate`, which is above 0."""
    low, high = misses, max(1, misses)
    while high < MOST and upper(misses, high, confidence) > rate:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if upper(misses, middle, confidence) > rate else (low, middle)
    return high
