"""Each rule on results that show it, on results that do not, and on ones that must not be used."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rtgauge.findings import Finding, find
from rtgauge.registry import plugins
from tests.findings.results import behaviour, line, timed


def run(rule: str, *results: dict[str, Any]) -> list[Finding]:
    return list(plugins("rtgauge.findings", "rule")[rule](results))


def kinds(found: list[Finding]) -> list[str]:
    return [one.kind for one in found]


def test_all_rules_are_silent_on_nothing() -> None:
    assert len(plugins("rtgauge.findings", "rule")) >= 11
    assert find([]) == []


def test_find_gives_plain_values_negative_ones_first() -> None:
    found = find(
        [
            behaviour("SEM-B-REL", "pass", ("a", "property", True)),
            behaviour("THR-B-NEW", "fail", ("b", "property", False)),
        ]
    )
    assert [one["kind"] for one in found] == ["negative", "positive"]
    assert found[0]["because"] == [{"id": "THR-B-NEW", "params": {}, "status": "fail"}]
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("status", ["invalid", "not-permitted", "not-supported", "inconclusive"])
def test_no_rule_takes_figures_from_a_result_that_is_not_ok(status: str) -> None:
    """Such a result may still carry numbers; only that it was not permitted may be told."""
    results = [
        timed("THR-P-SLS", {"threads": t}, median=m, status=status, first=9e6, evidence=[line("tick_ns", 10**6, "ns")])
        for t, m in ((2, 1e3), (1000, 9e3))
    ]
    found = find(results)
    assert all("permitted" in one["text"] for one in found)
    assert len(found) == (status == "not-permitted")


# ---- behaviour


def test_behaviour_one_point_for_each_failed_property() -> None:
    failed = behaviour(
        "THR-B-NEW",
        "fail",
        ("waits", "property", True),
        ("tail", "property", False),
        ("head", "property", False),
        ("odd", "report", False),
    )
    found = run("behaviour", failed)
    assert kinds(found) == ["negative", "negative"]
    assert "tail is as it should be" in found[0].text


def test_behaviour_adds_up_what_holds() -> None:
    one = behaviour("SEM-B-REL", "pass", ("a", "property", True), ("b", "property", True), ("c", "control", False))
    other = behaviour("MUT-B-ARC", "pass", ("d", "property", True), ("e", "control", False))
    (found,) = run("behaviour", one, other)
    assert found.kind == "positive"
    assert "All 3 properties" in found.text
    assert "negative controls" in found.text
    bare = behaviour("SEM-B-LCK", "pass", ("a", "property", True))
    assert "negative controls" not in run("behaviour", one, bare)[0].text


def test_behaviour_failure_of_another_sort_gives_its_reason() -> None:
    leak = behaviour("MEM-B-LEK", "fail", ("all-back", "property", True), reason="thread grows by 64 B")
    (found,) = run("behaviour", leak)
    assert (found.kind, found.text) == ("negative", "MEM-B-LEK: thread grows by 64 B.")


def test_behaviour_ignores_invalid_results() -> None:
    assert run("behaviour", behaviour("THR-B-NEW", "invalid", ("tail", "property", False))) == []


# ---- growth


def slope(verdict: str | None) -> dict[str, Any]:
    return {
        "slope": {
            "verdict": verdict,
            "against": "waiters",
            **{"slope": 220.0, "low": 218.0, "high": 222.0, "from": 1, "to": 255, "at_from": 3700.0, "at_to": 59900.0},
        }
    }


def test_waiters_grows_with_slope_and_interval() -> None:
    (found,) = run("waiters", timed("SEM-P-SCL", {"part": "release"}, analysis=slope("grows")))
    assert found.kind == "negative"
    for figure in ("220 ns", "218 ns", "222 ns", "3.7 us", "59.9 us", "255"):
        assert figure in found.text


def test_waiters_constant_and_undecided() -> None:
    assert kinds(run("waiters", timed("SEM-P-SCL", analysis=slope("constant")))) == ["positive"]
    assert run("waiters", timed("SEM-P-SCL", analysis=slope(None))) == []
    assert run("waiters", timed("SEM-P-SCL")) == []


@pytest.mark.parametrize(("most", "kind"), [(1499.0, "positive"), (1500.0, "negative")])
def test_threads_compares_the_fewest_with_the_most(most: float, kind: str) -> None:
    medians = {1000: most, 2: 1000.0, 10: 5000.0}
    (found,) = run("threads", *(timed("THR-P-SLS", {"threads": t}, median=m) for t, m in medians.items()))
    assert found.kind == kind
    assert [one["params"]["threads"] for one in found.because] == [2, 10, 1000]


def test_threads_ignores_what_is_a_few_steps_of_the_clock() -> None:
    near = [timed("THR-P-SLS", {"threads": t}, median=m, resolution=10.0) for t, m in ((2, 20.0), (1000, 40.0))]
    assert kinds(run("threads", *near)) == ["positive"]


def test_threads_needs_two_numbers() -> None:
    assert run("threads", timed("THR-P-SLS", {"threads": 2})) == []


# ---- deletion


def deletion(scenario: str, median: float, **params: Any) -> dict[str, Any]:
    return timed("SEM-P-NEW", {"scenario": scenario, "part": "deletion", **params}, median=median)


@pytest.mark.parametrize(("used", "kind"), [(1240.0, "positive"), (1250.0, "negative")])
def test_deletion_compares_used_with_unused(used: float, kind: str) -> None:
    assert kinds(run("deletion", deletion("used", used), deletion("unused", 1000.0))) == [kind]


def test_deletion_ignores_what_is_a_few_steps_of_the_clock() -> None:
    near = [deletion("used", 70.0, batch=16), deletion("unused", 30.0, batch=16)]
    (found,) = run("deletion", *({**one, "resolution": 10.0} for one in near))
    assert found.kind == "positive"
    assert "4.38 ns used, 1.88 ns unused, for each" in found.text
    (fine,) = run("deletion", *({**one, "resolution": 0.5} for one in near))
    assert fine.kind == "negative"
    assert "2.33 times" in fine.text


def test_deletion_names_the_kind_that_is_slower() -> None:
    pairs = [deletion(s, m, name=n) for n, s, m in (
        ("a", "used", 1000.0), ("a", "unused", 1000.0), ("b", "used", 9000.0), ("b", "unused", 1000.0))]  # fmt: skip
    (found,) = run("deletion", *pairs)
    assert "with name b takes longer" in found.text


def test_deletion_compares_only_equal_parameters() -> None:
    assert run("deletion", deletion("used", 9e3, name="named"), deletion("unused", 1e3, name="unnamed")) == []
    assert run("deletion", timed("SEM-P-NEW", {"scenario": "used", "part": "creation"}, median=9e3)) == []


def test_deletion_takes_no_ratio_of_the_unmeasurable() -> None:
    small = {**deletion("unused", 1.0), "unmeasurable": True}
    assert run("deletion", deletion("used", 9e3), small) == []


# ---- tick

TICK = timed("CLK-B-CFG", evidence=[line("tick_ns", 4_000_000, "ns")])


def bands(count: int) -> list[dict[str, Any]]:
    return [
        {"from": 900.0, "to": 1400.0, "count": 750, "median": 1000.0},
        {"from": 3400.0, "to": 3900.0, "count": count, "median": 3600.0},
    ]


@pytest.mark.parametrize(("count", "told"), [(250, 1), (227, 1), (200, 0), (300, 0)])
def test_tick_shows_as_a_band_of_its_rate(count: int, told: int) -> None:
    found = run("tick", TICK, timed("THR-P-SLS", clusters=bands(count)))  # 250 ticks in 1 s
    assert len(found) == told
    assert all("2.6 us longer" in one.text and "4 ms" in one.text for one in found)


@pytest.mark.parametrize(("period", "told"), [(0.004, 1), (0.008, 1), (0.0041, 0), (0.0401, 0), (0.001, 0)])
def test_tick_shows_as_a_period(period: float, told: int) -> None:
    assert len(run("tick", TICK, timed("THR-P-SLS", period={"period_s": period}))) == told


def test_tick_says_nothing_without_a_measured_tick_nor_of_the_tests_of_the_tick() -> None:
    assert run("tick", timed("THR-P-SLS", clusters=bands(250))) == []
    assert run("tick", TICK, timed("CLK-P-DUR", clusters=bands(250))) == []


# ---- the first sample


def test_first_sample_far_above_the_rest() -> None:
    slow = timed("THR-P-NEW", first=60_000.0, max_after_first=10_000.0)
    (found,) = run("first-sample", slow, timed("THR-P-SLS"))
    assert "6 times" in found.text
    assert [one["id"] for one in found.because] == ["THR-P-NEW"]


def test_first_sample_needs_more_than_a_few_steps_of_the_clock() -> None:
    near = timed("SEM-P-ARN", first=40.0, max_after_first=10.0)
    assert run("first-sample", {**near, "resolution": 10.1}) == []
    assert len(run("first-sample", {**near, "resolution": 1.0})) == 1


def test_first_sample_of_the_instrument_and_lost_ones_are_not_told() -> None:
    assert run("first-sample", timed("CAL-P-TRC", first=9e5)) == []
    assert run("first-sample", timed("THR-P-SLS", first=None)) == []
    assert run("first-sample", timed("THR-P-SLS", first=5999.0)) == []


# ---- kernel


def test_kernel_entry_by_variant() -> None:
    free = timed("MUT-P-ARN", {"protocol": "inherit"}, evidence=[line("kernel_entered_acquire", "no (counted)")])
    slow = timed("MUT-P-ARN", {"protocol": "protect"}, evidence=[line("kernel_entered_acquire", "yes (counted)")])
    found = run("kernel-entry", free, slow)
    assert kinds(found) == ["positive", "negative"]
    assert found[0].text.endswith("with protocol inherit.")
    assert found[1].text.endswith("with protocol protect.")
    assert run("kernel-entry", timed("MUT-P-ARN")) == []


# ---- inversion


def inversion(maximum: float, **params: Any) -> dict[str, Any]:
    return timed("MUT-P-INV", {"protocol": "inherit", "mid-work": "10ms", "hold": "0us", **params}, max=maximum)


@pytest.mark.parametrize(("maximum", "kind"), [(51_600.0, "positive"), (10_000_000.0, "negative")])
def test_inversion_holds_the_work_or_not(maximum: float, kind: str) -> None:
    assert kinds(run("inversion", inversion(maximum))) == [kind]


def test_inversion_leaves_out_what_proves_nothing() -> None:
    assert run("inversion", inversion(50.0, **{"mid-work": "0us"})) == []
    assert run("inversion", inversion(2e7, protocol="none")) == []
    assert kinds(run("inversion", inversion(15e6, hold="10ms"))) == ["positive"]


# ---- periodic wake-up


def test_wakeup_with_and_without_skipped_activations() -> None:
    kept = timed("TMR-P-CYC", {"interval": "1ms"}, max=240_000.0, synthetic={"overruns": 0})
    late = timed("TMR-P-CYC", {"interval": "500us"}, max=2_300_000.0, synthetic={"overruns": 4})
    found = run("wakeup", kept, late)
    assert kinds(found) == ["negative", "positive"]
    assert "4 of 1004" in found[0].text
    assert "240 us" in found[1].text


def test_wakeup_as_late_as_its_interval_is_a_point_against_though_none_was_skipped() -> None:
    assert kinds(run("wakeup", timed("TMR-P-CYC", {"interval": "1ms"}, max=1_000_000.0))) == ["negative"]


# ---- round robin

CHECKS = {"first-slice": True, "fair": True}


def robin(status: str, **holds: bool) -> list[dict[str, Any]]:
    checks = [(name, "property", holds.get(name.replace("-", "_"), True)) for name in CHECKS]
    percent = line("first_to_later_percent", 1000, "%")
    return [
        behaviour("THR-B-RR", status, *checks, evidence=[percent]),
        timed("THR-B-RR", {"part": "slice"}, min=99e6, median=100e6, max=101e6),
    ]


def test_round_robin_first_slice_is_told_once_with_its_figures() -> None:
    results = robin("fail", first_slice=False)
    (found,) = run("round-robin", *results)
    assert found.kind == "negative"
    assert "10 times as long" in found.text
    assert "median 100 ms" in found.text
    assert run("behaviour", *results) == []


def test_round_robin_unfair_fair_and_invalid() -> None:
    assert kinds(run("round-robin", *robin("fail", fair=False))) == ["negative"]
    assert kinds(run("round-robin", *robin("pass"))) == ["positive"]
    assert run("round-robin", *robin("invalid", fair=False)) == []


# ---- nothing proven


def test_not_proven_some_and_all() -> None:
    denied = {"id": "THR-P-SLS", "params": {}, "status": "not-permitted", "reason": "RLIMIT_RTPRIO is 0"}
    (some,) = run("not-proven", denied, timed("CAL-P-TRC"))
    assert "1 of 2" in some.text
    (every,) = run("not-proven", denied, denied)
    assert "Nothing could be proven" in every.text
    assert "RLIMIT_RTPRIO" in every.text
    assert run("not-proven", timed("CAL-P-TRC")) == []


# ---- processes, inheritance, noise, mechanisms


def rtt(peers: str, median: float, **values: Any) -> dict[str, Any]:
    return timed("SYN-P-RTT", {"peers": peers, "kind": "unnamed", "part": "round-trip"}, median=median, **values)


def test_peers_a_dear_process_is_a_point_against() -> None:
    (found,) = run("peers", rtt("thread", 5e3), rtt("process", 9e3))
    assert found.kind == "negative"
    assert "between processes 9 us, between threads 5 us (1.8 times" in found.text


def test_peers_an_equal_process_is_a_point_for() -> None:
    (found,) = run("peers", rtt("thread", 5e3), rtt("process", 5.8e3))
    assert found.kind == "positive"
    assert "at most 1.16 times" in found.text


@pytest.mark.parametrize(
    "results",
    [
        [rtt("thread", 5e3)],
        [rtt("thread", 5e3), rtt("process", 9e3, status="invalid")],
        [rtt("thread", 5e3, unit="MB/s"), rtt("process", 9e3, unit="MB/s")],
    ],
)
def test_peers_needs_both(results: list[dict[str, Any]]) -> None:
    assert run("peers", *results) == []


def pic(case: str, part: str, median: float) -> dict[str, Any]:
    return timed("MUT-P-PIC", {"case": case, "part": part}, median=median)


def test_price_of_inheritance() -> None:
    found = run(
        "price",
        pic("boost", "acquire", 6e3),
        pic("no-inheritance", "acquire", 2e3),
        pic("boost", "release", 3e3),
        pic("no-inheritance", "release", 2e3),
    )
    assert kinds(found) == ["negative", "positive"]
    assert "6 us with inheritance, 2 us without (3 times)" in found[0].text


def test_price_needs_both_locks() -> None:
    assert run("price", pic("boost", "acquire", 6e3), pic("equal", "acquire", 2e3)) == []


@pytest.mark.parametrize(("avg", "kind"), [(500.0, "positive"), (5000.0, "negative")])
def test_noise_as_a_share_of_the_time(avg: float, kind: str) -> None:
    quiet = timed("NSE-P-OSN", avg=avg, n=1000, max=7e4, evidence=[line("watched", 10**9, "ns")])
    (found,) = run("noise", quiet)
    assert found.kind == kind
    assert f"{avg / 1e4:.3g} %" in found.text


def test_noise_needs_to_know_how_long_it_was_watched() -> None:
    assert run("noise", timed("NSE-P-OSN", avg=1.0)) == []


def sig(kind: str, median: float, batch: int = 1) -> dict[str, Any]:
    return timed("SYN-P-SIG", {"kind": kind, "batch": batch}, median=median)


def test_mechanism_that_is_the_slowest() -> None:
    (found,) = run("mechanism", sig("unnamed", 1e3), sig("named", 1.1e3), sig("mutex", 4.4e3))
    assert found.kind == "negative"
    assert "mutex is the slowest: 4.4 us for a pair, 4 times the next (named" in found.text


def test_mechanism_by_the_batch_where_there_is_one() -> None:
    found = run("mechanism", sig("unnamed", 1e3), sig("mutex", 9e3), sig("unnamed", 1e5, 100), sig("mutex", 1.2e5, 100))
    assert found == []
