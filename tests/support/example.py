"""One trace with a dozen results, one of each sort that a report has to show."""

from __future__ import annotations

import numpy as np

from rtgauge.model import Job, RunSpec
from tests.support.traces import START_NS, FakeTest, build_trace, fake_series, fake_test

MS = 1_000_000


def example_trace() -> bytes:
    """The bytes of one run: ok, pass, fail, not-supported, not-permitted, invalid, inconclusive; bands, a tick that
    shows, an outlier, a slope, a leak, overruns, losses."""
    return build_trace(example_tests(), facts={"cmdline": "quiet isolcpus=1"})


def example_spec() -> RunSpec:
    """What was asked for when `example_trace` was measured."""
    jobs = (
        Job(test.id, max([len(s.ticks) for s in test.series], default=100), test.params) for test in example_tests()
    )
    return RunSpec(jobs=tuple(jobs))


def example_tests() -> list[FakeTest]:
    rng = np.random.default_rng(1)
    return [
        _calibration(rng),
        _switch(rng, 2),
        _switch(rng, 128),
        _tick(rng),
        _blocking(rng),
        _periodic(rng),
        _slope(rng),
        _unmeasurable(rng),
        _behaviour_pass(),
        _behaviour_fail(),
        _behaviour_invalid(),
        _leak(rng),
        fake_test(
            "SEM-P-NEW", params={"use": "named"}, outcome="not-supported", reason="this system has no named ones"
        ),
        fake_test("MUT-P-INV", params={"kind": "mutex"}, outcome="not-permitted", reason="needs real-time priority"),
        fake_test("MUT-P-ARC", outcome="invalid", reason="a thread did not get its priority"),
        fake_test("THR-B-RR", outcome="inconclusive", reason="another thread used half of the time"),
        fake_test("THR-P-NEW", params={"scenario": "run-block"}, series=[[500] * 40], outcome=None),
    ]


def _calibration(rng: np.random.Generator) -> FakeTest:
    ticks = 20 + rng.poisson(1.5, 10_000)
    ticks[7] = 4_000
    return fake_test(
        "CAL-P-TRC",
        series=[fake_series(ticks, aux_name="cpu", aux=np.ones(10_000))],
        title="stamp overhead",
        question="How long does one stamp take?",
        needs=[],
    )


def _switch(rng: np.random.Generator, threads: int) -> FakeTest:
    n = 5_000
    ticks = 1_020 + rng.gamma(4, 12, n).astype(np.int64) + threads
    ticks[::400] += 2_600  # the tick: a second band, every 4 ms
    ticks[3_210] += 41_000
    ticks[0] += 9_000
    return fake_test(
        "THR-P-SLS",
        params={"threads": threads},
        series=[fake_series(ticks, aux_name="cpu", aux=np.ones(n))],
        title="switch latency",
        question="How long does a switch between threads of equal priority take?",
        evidence=[("involuntary-switches", 0, ""), ("policy", "SCHED_FIFO", ""), ("levels", 99, "")],
        counters={"minor_faults": (10, 10), "timer_interrupts": (1000, 1013)},
    )


def _tick(rng: np.random.Generator) -> FakeTest:
    n, loop, period = 8_000, 300_000, 4 * MS
    clean = loop + rng.integers(0, 90, n)
    starts = np.cumsum(np.concatenate([[0], clean[:-1] + 200])) + 1_000_500_000_000
    hit = (starts + clean) // period != starts // period
    expiries = np.zeros(n, dtype=np.int64)
    expiries[np.flatnonzero(hit)[::250]] = 1
    ticks = clean + np.where(hit, 2_400 + rng.gamma(3, 90, n), 0).astype(np.int64) + 1_500 * expiries
    return fake_test(
        "CLK-P-DUR",
        params={"variant": "timer"},
        series=[fake_series(ticks, starts=starts, aux=expiries, aux_name="expiries", analyse="ticks")],
        title="clock tick processing duration",
        question="How long does the processing of one clock tick take?",
        evidence=[("tick_ns", period, "ns")],
    )


def _blocking(rng: np.random.Generator) -> FakeTest:
    ticks = 180 + rng.gamma(2, 8, 3_000).astype(np.int64)
    ticks[1_234] = 23_000
    return fake_test("CLK-P-GET", params={"path": "syscall"}, series=[fake_series(ticks, analyse="blocking")])


def _periodic(rng: np.random.Generator) -> FakeTest:
    n = 2_000
    late = 3_000 + rng.gamma(3, 900, n).astype(np.int64)
    late[700] = 2 * MS + 300_000  # two activations are skipped
    due = START_NS + 9_000 * MS + MS * (np.arange(n) + np.where(np.arange(n) > 700, 2, 0))
    return fake_test(
        "TMR-P-CYC",
        params={"interval": MS, "threads": 1},
        series=[fake_series(late, starts=due, source="os", aux_name="cpu", aux=np.ones(n), analyse="periodic")],
        title="periodic wake-up",
        question="How late does a periodic thread wake up?",
    )


def _slope(rng: np.random.Generator) -> FakeTest:
    waiters = np.repeat(np.arange(1, 256), 10)
    acquire = 900 + rng.gamma(3, 10, len(waiters)).astype(np.int64)
    release = 3_700 + 220 * waiters + rng.gamma(3, 40, len(waiters)).astype(np.int64)
    return fake_test(
        "SEM-P-SCL",
        series=[
            fake_series(acquire, name="acquire", aux=waiters, aux_name="waiters", analyse="slope"),
            fake_series(release, name="release", aux=waiters, aux_name="waiters", analyse="slope", dropped=12),
        ],
    )


def _unmeasurable(rng: np.random.Generator) -> FakeTest:
    return fake_test("MUT-P-ARN", params={"protocol": "none"}, series=[20 + rng.integers(0, 2, 3_000)])


def _behaviour_pass() -> FakeTest:
    return fake_test(
        "SEM-B-REL",
        checks=[
            ("highest-first", "property", True, "the highest waiter is released first"),
            ("equal-in-order", "property", True, "equal waiters are released in order of arrival"),
            ("plain-queue", "control", False, "a queue without priorities releases the highest first"),
            ("fifo-fallback", "report", True, "waiters of the normal class are served in order"),
        ],
        unchecked=[("robust-list", "this system has none")],
    )


def _behaviour_fail() -> FakeTest:
    return fake_test(
        "MUT-B-ARC",
        params={"protocol": "inherit"},
        checks=[
            ("mid-waits", "property", True, "MID does not run before HI has finished"),
            ("chained", "property", False, "inheritance goes through two locks"),
            ("no-protocol", "control", False, "MID does not run without a protocol"),
        ],
    )


def _behaviour_invalid() -> FakeTest:
    return fake_test(
        "THR-B-NEW",
        checks=[
            ("higher-at-once", "property", True, "a higher thread runs at once"),
            ("equal-at-once", "control", True, "an equal thread runs at once"),
        ],
    )


def _leak(rng: np.random.Generator) -> FakeTest:
    steady = 4_000_000 + 4096 * rng.integers(0, 3, 600)
    return fake_test(
        "MEM-B-LEK",
        series=[
            fake_series(steady, name="semaphore", unit="B", source="value", analyse="trend"),
            fake_series(steady + 64 * np.arange(600), name="thread", unit="B", source="value", analyse="trend"),
        ],
        checks=[("handles-back", "property", True, "all handles are back")],
    )
