import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rtgauge.stats import worst
from tests.support.series import make_view


@given(hnp.arrays(np.int64, st.integers(1, 200), elements=st.integers(-50, 50)), st.integers(1, 30))
def test_the_largest_in_order_the_earlier_first(ticks: np.ndarray, most: int) -> None:
    found = worst.largest(make_view(ticks), most).tolist()
    assert found == sorted(range(len(ticks)), key=lambda i: (-ticks[i], i))[:most]


def test_each_comes_with_time_cpu_and_index_on_the_target() -> None:
    found = worst.compute(
        make_view([5, 900, 7, 30], overhead=5, aux=[1, 2, 3, 4], aux_name="cpu", missing=((1, 10),), scale=0.5)
    )
    assert [(one.value, one.cpu, one.index) for one in found] == [
        (447.5, 2, 11),
        (12.5, 4, 13),
        (1.0, 3, 12),
        (0, 1, 0),
    ]
    assert found[0].at == 10_000 * 1e-9


def test_without_a_cpu_of_its_own_it_is_that_of_the_test() -> None:
    assert worst.compute(make_view([5], aux=[7], aux_name="waiters"))[0].cpu == 1


def test_extremes_of_64_bits() -> None:
    found = worst.compute(make_view([-(2**63), 2**63 - 1, 0]))
    assert [one.index for one in found] == [1, 2, 0]


def test_ten_are_enough() -> None:
    assert len(worst.compute(make_view(range(1000)))) == worst.MOST == 10


def test_fewer_samples_than_asked_for_are_all_there_are() -> None:
    assert [one.value for one in worst.compute(make_view([4, 8]))] == [8.0, 4.0]
