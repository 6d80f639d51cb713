import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rtgauge.stats import basic, distribution
from tests.support.series import make_view

INT64 = hnp.arrays(np.int64, st.integers(1, 300), elements=st.integers(-(2**62), 2**62))
SMALL = hnp.arrays(np.int64, st.integers(1, 300), elements=st.integers(-1000, 100_000))


@given(SMALL, st.integers(0, 50))
def test_figures_are_those_of_numpy(ticks: np.ndarray, overhead: int) -> None:
    found = basic.compute(make_view(ticks, overhead=overhead, scale=0.5))
    values = (ticks - overhead) * 0.5
    assert (found["n"], found["min"], found["max"]) == (len(ticks), values.min(), values.max())
    assert found["avg"] == pytest.approx(values.mean())
    assert found["negatives"] == (values < 0).sum()
    assert found["first"] == values[0]
    assert found["max_after_first"] == (values[1:].max() if len(values) > 1 else None)
    for name, value in found["percentiles"].items():
        assert value == np.percentile(values, float(name), method="inverted_cdf")
    assert found["median"] == found["percentiles"]["50"]


@pytest.mark.parametrize(
    ("n", "names"),
    [
        (1, ["50"]),
        (99, ["50"]),
        (100, ["50", "99"]),
        (999, ["50", "99"]),
        (1000, ["50", "99", "99.9"]),
        (9999, ["50", "99", "99.9"]),
        (10_000, ["50", "99", "99.9", "99.99"]),
    ],
)
def test_percentiles_only_where_the_quantity_supports_them(n: int, names: list[str]) -> None:
    assert list(basic.compute(make_view(range(n)))["percentiles"]) == names


@pytest.mark.parametrize("n", [100, 101, 1000, 1001, 12_345])
def test_a_percentile_is_the_nearest_rank(n: int) -> None:
    found = basic.compute(make_view(np.arange(n)[::-1]))["percentiles"]
    for name, (share, of) in basic.PERCENTILES.items():
        if name in found:
            covered = int(found[name]) + 1  # values are 0 to n - 1
            assert covered * of >= n * share
            assert (covered - 1) * of < n * share


@given(INT64)
def test_the_sum_is_exact_whatever_the_values(ticks: np.ndarray) -> None:
    assert distribution.of_samples(ticks).total == sum(ticks.tolist())


def test_the_sum_over_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "PIECE", 7)
    assert distribution.of_samples(np.arange(-50, 100, dtype=np.int32)).total == sum(range(-50, 100))


def test_a_lost_first_sample_is_no_first_sample() -> None:
    found = basic.compute(make_view([5, 9, 7], missing=((0, 1),)))
    assert (found["first"], found["max_after_first"]) == (None, 9.0)
    found = basic.compute(make_view([5, 9, 7], missing=((2, 1),)))
    assert (found["first"], found["max_after_first"]) == (5.0, 9.0)


def test_after_a_lost_first_sample_all_are_after_it() -> None:
    assert basic.compute(make_view([9, 5, 7], missing=((0, 1),)))["max_after_first"] == 9.0
    assert basic.compute(make_view([9, 5, 7]))["max_after_first"] == 7.0


def test_one_sample_is_all_figures_but_one() -> None:
    found = basic.compute(make_view([7], overhead=2))
    assert {name: found[name] for name in ("min", "avg", "max", "median", "first")} == dict.fromkeys(
        ("min", "avg", "max", "median", "first"), 5.0
    )
    assert (found["n"], found["negatives"], found["max_after_first"]) == (1, 0, None)
