"""What a number of misses shows of their rate, against a reference."""

from __future__ import annotations

import math

import pytest
from scipy.stats import binom

from rtgauge.requirements.rates import lower, needed, upper


@pytest.mark.parametrize("n", [1, 7, 1000, 10_000_000])
@pytest.mark.parametrize("misses", [0, 1, 5, 1000])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_bounds_are_the_exact_ones(n: int, misses: int, confidence: float) -> None:
    if misses > n:
        return
    high, low = upper(misses, n, confidence), lower(misses, n, confidence)
    assert binom.cdf(misses, n, high) == pytest.approx(1 - confidence, rel=1e-5) or misses == n
    assert binom.sf(misses - 1, n, low) == pytest.approx(1 - confidence, rel=1e-5) or not misses


def test_all_misses() -> None:
    assert upper(4, 4) == 1.0
    assert lower(4, 4) == pytest.approx(0.05**0.25)


@pytest.mark.parametrize("misses", [0, 1, 17])
@pytest.mark.parametrize("rate", [0.5, 1e-3, 1e-9])
def test_the_number_needed_is_the_least(misses: int, rate: float) -> None:
    n = needed(misses, rate)
    assert upper(misses, n) <= rate * (1 + 1e-8)
    assert n == 1 or upper(misses, n - 1) > rate * (1 - 1e-8)


def test_rates_that_nobody_lives_to_see() -> None:
    assert needed(0, 1e-9) == pytest.approx(-math.log(0.05) * 1e9, rel=1e-6)
    assert needed(0, 1e-300) > 1e18
