from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rtgauge.errors import UsageError
from rtgauge.model import Descriptor, Job, ParamInfo, RunSpec, SeriesInfo
from rtgauge.plan import (
    DIRTY_NS,
    Plan,
    Wish,
    _free_in_group,
    available_memory,
    make_plan,
    read_value,
    select,
)
from rtgauge.recording import SAMPLE_BYTES

SERIES = SeriesInfo("", "ns", "before", "after", "the one", "", "stamp", ())
THREADS = ParamInfo("threads", "number", "2 10 128", "2..1000", "threads in turn")
INTERVAL = ParamInfo("interval", "duration", "1ms", "10us..1s", "period")
KIND = ParamInfo("kind", "choice", "counting binary", "counting binary named", "sort")


def descriptor(id: str, *params: ParamInfo, series: int = 1, about_ns: int = 1_000, about_ms: int = 100) -> Descriptor:
    samples = (1_000, 10_000, 100_000)
    return Descriptor(id, "title", "question?", (), samples, about_ns, about_ms, params, (SERIES,) * series)


ALL = (
    descriptor("TMR-P-CYC", INTERVAL),
    descriptor("SEM-B-LCK", KIND, series=0),
    descriptor("THR-P-SLS", THREADS),
    descriptor("CLK-P-GET"),
    descriptor("CAL-P-CPU"),
    descriptor("CAL-P-TRC"),
)


def plan(available: int = 8 << 30, **wish: object) -> Plan:
    return make_plan(ALL, Wish(**wish), available)  # type: ignore[arg-type]


def ids(made: Plan) -> list[str]:
    return [job.id for job in made.spec.jobs]


def test_everything_runs_in_the_catalogues_order_with_every_sweep() -> None:
    made = plan()
    assert list(dict.fromkeys(ids(made))) == [
        "CAL-P-TRC",
        "CAL-P-CPU",
        "CLK-P-GET",
        "THR-P-SLS",
        "SEM-B-LCK",
        "TMR-P-CYC",
    ]
    assert [job.params["threads"] for job in made.spec.jobs if job.id == "THR-P-SLS"] == [2, 10, 128]
    assert [job.params["interval"] for job in made.spec.jobs if job.id == "TMR-P-CYC"] == [1_000_000]


def test_the_correction_comes_with_every_performance_test_and_only_with_those() -> None:
    assert ids(plan(tests=("CLK-*",))) == ["CAL-P-TRC", "CLK-P-GET"]
    assert ids(plan(tests=("SEM-B-*",))) == ["SEM-B-LCK", "SEM-B-LCK"]
    assert ids(plan(tests=("cal-p-trc",))) == ["CAL-P-TRC"]


def test_a_pattern_without_a_test_names_the_legal_ones() -> None:
    with pytest.raises(UsageError, match=r"no test matches .XYZ-\*.: legal are CAL-P-CPU, CAL-P-TRC"):
        select(ALL, ["THR-*", "XYZ-*"])


def test_named_values_replace_the_sweep() -> None:
    made = plan(tests=("THR-*",), params=(("threads", "5"), ("threads", "7"), ("threads", "5")))
    assert [job.params.get("threads") for job in made.spec.jobs] == [None, 5, 7]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ((("threads", "1"),), "out of range: 1 is not within 2 to 1000"),
        ((("threads", "1001"),), "out of range"),
        ((("threads", "two"),), "whole number from 2 to 1000"),
        ((("threads", "-3"),), "whole number"),
        ((("kind", "blue"),), "legal are counting, binary, named"),
        ((("interval", "1000"),), "unit"),
        ((("interval", "2s"),), "out of range"),
        ((("colour", "red"),), "legal are interval, kind, threads"),
    ],
)
def test_values_that_are_not_legal_are_refused_with_the_legal_ones(
    params: tuple[tuple[str, str], ...], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        plan(params=params)


def test_a_parameter_of_no_selected_test_is_refused() -> None:
    with pytest.raises(UsageError, match="none of the selected tests has a parameter 'threads'"):
        plan(tests=("CLK-*",), params=(("threads", "5"),))


def test_read_value_keeps_the_ends_of_a_range() -> None:
    assert read_value("T", THREADS, "2") == 2
    assert read_value("T", THREADS, "1000") == 1000
    assert read_value("T", INTERVAL, "1s") == 10**9


def test_samples_follow_the_profile_or_the_number() -> None:
    assert {job.samples for job in plan(profile="quick").spec.jobs} == {1_000}
    by_id = {job.id: job.samples for job in plan(profile="quick", samples=77).spec.jobs}
    assert by_id == {
        "CAL-P-TRC": 1_000,
        "CAL-P-CPU": 77,
        "CLK-P-GET": 77,
        "THR-P-SLS": 77,
        "SEM-B-LCK": 1_000,
        "TMR-P-CYC": 77,
    }
    assert plan(tests=("CAL-P-TRC",), samples=77).spec.jobs[0].samples == 77


def test_a_duration_scales_the_samples_to_fill_it() -> None:
    made = plan(tests=("TMR-*", "CLK-*"), duration_ns=60 * 10**9)
    assert sum(made.estimates) == pytest.approx(60, rel=0.01)
    short = plan(tests=("TMR-*", "CLK-*"), duration_ns=20 * 10**9)
    ratio = made.spec.jobs[-1].samples / short.spec.jobs[-1].samples
    assert ratio == pytest.approx(3, rel=0.05)


def test_a_duration_without_room_for_samples_is_refused() -> None:
    with pytest.raises(UsageError, match="too short"):
        plan(duration_ns=1_000)
    with pytest.raises(UsageError, match=r"none of .* exposure"):
        plan(tests=("SEM-B-*",), duration_ns=10**9)


def test_a_periodic_test_takes_its_interval_for_each_sample() -> None:
    slow = plan(tests=("TMR-*",), params=(("interval", "100ms"),), samples=100)
    assert slow.estimates[-1] == pytest.approx(10.1)
    assert slow.limits[-1] > 30


def test_a_test_that_searches_has_time_for_what_a_slow_system_takes() -> None:
    """The estimate knows of quick ones only. A period of 2.2 ms was seen: each sample takes it, some of them again."""
    jobs = (Job("IRQ-S-SUS", 10_000), Job("IRQ-S-SUS", 10**6), Job("THR-P-SLS", 10_000))
    slow, many, other = Plan(RunSpec(jobs=jobs), (), (1.8, 31.5, 1.8)).limits
    assert 4 * 10_000 * 2.2e-3 < slow < 600
    assert many < 3600
    assert other < 40


def test_memory_holds_the_largest_job_and_leaves_half_to_others() -> None:
    made = plan(tests=("CLK-*",), samples=10_000_000)
    assert made.spec.memory >= 10_000_000 * SAMPLE_BYTES
    assert made.spec.memory < 1.2 * 10_000_000 * SAMPLE_BYTES
    assert plan(available=100 << 20, tests=("CLK-*",), samples=10_000_000).spec.memory == 50 << 20


@pytest.mark.parametrize("priority", [0, 99, -1])
def test_a_priority_out_of_range_names_the_range(priority: int) -> None:
    with pytest.raises(UsageError, match="1 to 98"):
        plan(priority=priority)


def test_the_highest_level_is_that_of_the_priority() -> None:
    assert plan(priority=1).spec.level == 0
    assert plan(priority=98).spec.level == 97


def test_an_unknown_profile_names_the_legal_ones() -> None:
    with pytest.raises(UsageError, match="quick, standard, full"):
        plan(profile="hasty")


def test_too_many_combinations_are_refused() -> None:
    many = tuple(("threads", str(n)) for n in range(2, 700))
    with pytest.raises(UsageError, match="too many"):
        plan(tests=("THR-*",), params=many)


def test_the_environment_is_stated() -> None:
    made = plan(cache="dirty", environment={"tune": "cpu_dma_latency=0"})
    assert made.spec.environment == {"load": "none", "cache": "dirty", "cpus": "one", "tune": "cpu_dma_latency=0"}
    assert made.spec.cache == "dirty"


def test_free_memory_is_that_of_the_container_where_it_has_less(tmp_path: Path) -> None:
    assert available_memory() > 0
    assert _free_in_group(tmp_path) == []
    (tmp_path / "memory.current").write_text("300\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert _free_in_group(tmp_path) == []
    (tmp_path / "memory.max").write_text("1000\n")
    assert _free_in_group(tmp_path) == [700]


def test_dirty_caches_cost_time_so_a_profile_has_fewer_samples() -> None:
    turn_by_turn = replace(descriptor("CAL-P-TRC"), needs=("turn-by-turn",), samples=(10_000, 100_000, 1_000_000))
    both = (turn_by_turn, descriptor("CLK-P-GET"))
    hot, dirty = (make_plan(both, Wish(cache=cache), 8 << 30) for cache in ("hot", "dirty"))  # type: ignore[arg-type]
    assert [job.samples for job in hot.spec.jobs] == [100_000, 10_000]
    assert [job.samples for job in dirty.spec.jobs] == [5_000, 10_000]
    assert dirty.estimates[0] == pytest.approx(0.1 + 5_000 * (DIRTY_NS + 1_000) / 1e9)
    assert make_plan(both, Wish(cache="dirty", samples=7), 8 << 30).spec.jobs[-1].samples == 7
