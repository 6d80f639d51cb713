"""Message queues, services in parallel, schedulability and what the system offers: on the simulated OS with every
figure known, on this one against what is known of it otherwise."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rtgauge.model import Evaluation, Job, Result, RunSpec, Trace
from rtgauge.pipeline import judge
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request
from tests.support.series import samples_of


def run(engine: Path, *jobs: Job, fault: str = "") -> Evaluation:
    trace, spec = trace_of(engine, *jobs, fault=fault)
    return judge(trace, spec)


def trace_of(engine: Path, *jobs: Job, fault: str = "") -> tuple[Trace, RunSpec]:
    spec = RunSpec(jobs=(Job("CAL-P-TRC", 200), *jobs), memory=64 << 20)
    environment = {**os.environ, "RTGAUGE_FAULT": fault} if fault else None
    done = subprocess.run(
        [engine], input=encode_request(spec), capture_output=True, check=False, timeout=120, env=environment
    )
    assert done.returncode == 0, done.stderr.decode()
    return read_trace(done.stdout), spec


def results(evaluation: Evaluation, test: str) -> list[Result]:
    return [one for one in evaluation.results if one.id == test]


def checks(result: Result) -> dict[str, bool]:
    return {check.name: check.holds for check in result.checks}


def evidence(result: Result) -> dict[str, object]:
    return {line.name: line.value for line in result.evidence}


# ---- MSG-B-BLK ------------------------------------------------------------------------------------------------------

QUEUE_FAULTS = {
    "messages-fifo": {"message-priority"},
    "queue-full-loses": {"full-blocks", "send-times-out"},
    "queue-empty-returns": {"empty-blocks", "empty-goes-on", "receive-times-out", "refused-leaves-nothing"},
    "waiters-fifo": {"sender-priority", "receiver-priority"},
    "waiters-equal-lifo": {"sender-equal-first-come", "receiver-equal-first-come"},
    "timeout-early": {"send-not-early", "receive-not-early"},
}


@pytest.mark.parametrize("fault", QUEUE_FAULTS)
def test_what_is_wrong_with_a_message_queue_is_named(engine_fake: Path, fault: str) -> None:
    (result,) = results(run(engine_fake, Job("MSG-B-BLK", 1), fault=fault), "MSG-B-BLK")
    wrong = {check.name for check in result.checks if check.role == "property" and not check.holds}
    assert wrong == QUEUE_FAULTS[fault]
    assert result.status in ("fail", "invalid")


def test_message_queues_are_right_on_the_simulated_os(engine_fake: Path) -> None:
    (result,) = results(run(engine_fake, Job("MSG-B-BLK", 1)), "MSG-B-BLK")
    assert (result.status, result.unchecked) == ("pass", ())
    assert len(result.checks) >= 30
    # After the due time: the interrupt, the switch, and the reading of the clock.
    assert evidence(result)["send_late"] == evidence(result)["receive_late"] == 1500 + 500 + 20


# ---- SMP-P-SCL ------------------------------------------------------------------------------------------------------

# ns of one turn of a single pair, out of the table of costs: calls, blocks, wakes and switches, there and back.
TURN = {
    "semaphore": 2 * (100 + 250 + 100 + 200 + 500),
    "mutex": 100 + 200 + 500 + 100 + 250 + 300 + 500 + 100,
    "queue": 2 * (201 + 250 + 200 + 200 + 500),
}


@pytest.mark.parametrize("service", TURN)
def test_services_in_parallel_take_what_they_cost(engine_fake: Path, service: str) -> None:
    jobs = [Job("SMP-P-SCL", 1024, {"service": service, "pairs": pairs, "cpus": "same"}) for pairs in (1, 8)]
    one, eight = (
        {str(result.params["part"]): result.summary for result in results(run(engine_fake, job), "SMP-P-SCL")}
        for job in jobs
    )
    assert one["turn"] is not None
    assert one["turn"].median == TURN[service]
    assert (one["turn"].n, one["batch"].n, one["rate"].n) == (1024, 1024 // 32, 1024 // 32)  # type: ignore[union-attr]
    for found, pairs in ((one, 1), (eight, 8)):
        batch, rate = found["batch"], found["rate"]
        assert batch is not None
        assert rate is not None
        assert rate.max == pytest.approx(pairs * 32 * 1e9 / batch.min, rel=1e-6)
    # One CPU does not do more because more ask for it, and each waits for all others.
    assert eight["rate"].median == pytest.approx(one["rate"].median, rel=0.05)  # type: ignore[union-attr]
    assert eight["turn"].median > 5 * one["turn"].median  # type: ignore[union-attr]


def test_pairs_on_different_cpus_need_two(engine_fake: Path) -> None:
    job = Job("SMP-P-SCL", 64, {"service": "mutex", "pairs": 1, "cpus": "different"})
    assert {result.status for result in results(run(engine_fake, job), "SMP-P-SCL")} == {"not-supported"}


# ---- SCD-S-UTL: the same sets and the same analysis, written a second time ------------------------------------------

MASK = (1 << 64) - 1
PERIODS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20)  # ms
Task = tuple[int, int]  # ns: period, work


def randoms(seed: int) -> Iterator[int]:
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def task_set(n: int, load: int, seed: int) -> list[Task]:
    chance = randoms(seed)
    periods = sorted(PERIODS[next(chance) % len(PERIODS)] * 1_000_000 for _ in range(n))
    points = sorted(next(chance) % (load * 10_000 + 1) for _ in range(n - 1))
    shares = [b - a for a, b in zip([0, *points], [*points, load * 10_000], strict=True)]
    return [(period, max(period * share // 1_000_000, 2000)) for period, share in zip(periods, shares, strict=True)]


def response(tasks: list[Task], i: int, more: int = 0, scale: float = 1.0) -> float:
    """Longest response of task i in ns, `more` ns being added to each job and its work scaled; stops past 4 periods."""
    own, last = tasks[i][1] * scale + more, 0.0
    now = own
    while now != last and now <= 4 * tasks[i][0]:
        last = now
        now = own + sum(-(-last // period) * (work * scale + more) for period, work in tasks[:i])
    return now


def worst(tasks: list[Task], more: int = 0, scale: float = 1.0) -> float:
    return max(response(tasks, i, more, scale) / tasks[i][0] for i in range(len(tasks)))


OVERHEAD = 10_000  # ns that a job costs at most beside its work: sleep, timer, switches, its share of the ticks


@pytest.mark.parametrize(("tasks", "seed"), [(5, 1), (3, 7), (8, 1000000)])
def test_schedulability_is_what_analysis_says_on_the_simulated_os(engine_fake: Path, tasks: int, seed: int) -> None:
    sets = 40
    job = Job("SCD-S-UTL", sets * tasks * 20, {"tasks": tasks, "seed": seed})
    series = samples_of(trace_of(engine_fake, job)[0])[-1]
    parts = {str(one.params["part"]): one for one in series if one is not None}
    bound, observed, missed = (parts[name].value.tolist() for name in ("bound", "worst", "missed"))
    assert len(bound) == len(observed) == sets
    verdicts = set()
    for number in range(sets):
        load = 30 + 10 * (number % 8)
        one = task_set(tasks, load, (seed * 1000003 + number) & MASK)
        exact = max(-(-int(response(one, i)) * 1000 // one[i][0]) for i in range(tasks))
        assert bound[number] == exact
        low, high = worst(one, scale=0.998), worst(one, more=OVERHEAD, scale=1.002)
        assert observed[number] >= 1000 * low - 1
        if high <= 1:
            assert observed[number] <= 1000 * high + 1
            assert missed[number] == 0
        if low > 1:
            assert missed[number] > 0
        verdicts.add((high <= 1, low > 1))
    assert {(True, False), (False, True)} <= verdicts  # both kinds were there


# ---- what the system offers and is -----------------------------------------------------------------------------------


def test_answers_of_the_simulated_os_are_known(engine_fake: Path) -> None:
    found = run(engine_fake, Job("API-B-PSX", 1), Job("API-B-RCH", 1), Job("SYS-B-ARC", 1))
    ((posix,), (rich,), (built,)) = (results(found, test) for test in ("API-B-PSX", "API-B-RCH", "SYS-B-ARC"))
    assert {one.status for one in (posix, rich, built)} == {"pass"}
    assert sum(check.holds for check in posix.checks if check.role == "report") == 16
    assert dict(posix.unchecked)["memory-locking"].startswith("not applicable")
    assert sum(check.holds for check in rich.checks if check.role == "report") == 8
    assert evidence(built)["largest-number-of-tasks"] == 256
    assert checks(built)["handler-context"]
    assert not checks(built)["protection"]


@pytest.mark.parametrize("name", ["engine_local", "engine_static"])
def test_this_system_offers_what_it_is_known_to(name: str, request: pytest.FixtureRequest) -> None:
    found = run(request.getfixturevalue(name), Job("API-B-PSX", 1), Job("SYS-B-ARC", 1))
    ((posix,), (built,)) = (results(found, test) for test in ("API-B-PSX", "SYS-B-ARC"))
    assert posix.status == "pass"
    answers = checks(posix)
    always = {"multiple-processes", "pipes", "realtime-signals", "timers", "mapped-files", "memory-protection"}
    always |= {"thread-control", "mutexes", "condition-variables", "semaphores", "message-passing", "clock-nanosleep"}
    assert {slug for slug in always if not answers[slug]} == set()
    never = {"sporadic-server", "typed-memory", "device-control", "persistent-notification", "distributed-labels"}
    assert {slug for slug in never if answers[slug]} == set()
    if name == "engine_static":  # its C library has neither
        assert not answers["prioritised-io"]
    else:
        assert answers["prioritised-io"]
    assert evidence(built)["page-size"] == os.sysconf("SC_PAGE_SIZE")
    assert all(checks(built)[slug] for slug in ("task-model", "mmu", "paging", "protection", "privilege"))
