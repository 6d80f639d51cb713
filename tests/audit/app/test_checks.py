"""Each check in the situations that it tells apart: one line each."""

from __future__ import annotations

from importlib import import_module

import pytest

from rtgauge.audit.app import Observation, judge
from rtgauge.audit.app._observation import Area, Other, Quota, Reservation, Trace
from rtgauge.reference import rows
from rtgauge.registry import plugins
from tests.audit.app.observations import (
    AREAS,
    HIGH,
    LEAK,
    LIMITS,
    LOW,
    MEMORY,
    MS,
    SYMBOLS,
    call,
    counters,
    full,
    high,
    low,
    memory,
    seen,
    untraced,
)  # fmt: skip

NORMAL = (low(),)
TWO = (low(), high(), high(tid=102, name="second"))
ASLEEP = (low(), high(last=counters()))
IRQ = Other(50, "irq/24-eth0", 1, 50, (0, 1), kernel=True)
LOOSE = Area(0xA000, 0xC000, "", False, 8192)
NEW = Area(0xA000, 0xC000, "", True, 8192, fresh=8192)
WORD = 0x7F00
LOCKED = (call("futex", WORD, 0x80, 2, 0, blocked=3 * MS), call("futex", WORD, 0x81, 1))
SIDES = (call("futex", WORD, 0x80, 0, 0, blocked=3 * MS), call("futex", WORD, 0x81, 1, tid=LOW))
INHERITING = (call("futex", WORD, 0x86, 0, 0, blocked=MS), call("futex", WORD, 0x87, tid=LOW))
GROWING = tuple({**MEMORY, "VmRSS": (4 << 20) + 4096 * step} for step in range(11))

CASES: list[tuple[str, Observation, str, str]] = [
    ("policy", seen(), "ok", "1 of 2 threads real-time"),
    ("policy", seen(threads=NORMAL), "fail", "none of 1 thread is real-time"),
    ("top_priority", seen(), "ok", "highest is 101 loop (FIFO 80)"),
    ("top_priority", seen(threads=(high(priority=99),)), "warn", "used by 101"),
    ("top_priority", seen(threads=NORMAL), "unknown", "no thread is real-time"),
    ("equal_priorities", seen(), "ok", "1 real-time thread"),
    ("equal_priorities", seen(threads=TWO), "warn", "2 at 80"),
    ("equal_priorities", seen(threads=(high(policy=2), high(tid=102, policy=2))), "warn", "2 at 80 (RR)"),
    ("equal_priorities", seen(threads=(high(), high(tid=102, cpus=(0,)))), "ok", "2 real-time threads"),
    ("equal_priorities", seen(threads=NORMAL), "unknown", "no thread is real-time"),
    ("interrupt_threads", seen(), "ok", "no interrupt threads"),
    ("interrupt_threads", seen(others=(IRQ,)), "ok", "stand above the 1 interrupt threads"),
    ("interrupt_threads", seen(others=(IRQ,), threads=(high(priority=50),)), "warn", "at or above"),
    ("interrupt_threads", seen(others_problem="hidden"), "unknown", "hidden"),
    ("memory_lock", seen(), "ok", "all of 4 MB"),
    ("memory_lock", seen(memory=memory(VmLck=0)), "fail", "nothing of 4 MB"),
    ("memory_lock", seen(areas=(*AREAS, LOOSE)), "warn", "8 KB of 4 MB in memory is not locked"),
    ("memory_lock", seen(areas=(), areas_problem="smaps: refused"), "unknown", "smaps: refused"),
    ("memory_lock", seen(memory=({},)), "unknown", "shows no VmLck"),
    ("future_lock", seen(), "unknown", "nothing was mapped"),
    ("future_lock", seen(areas=(*AREAS, NEW)), "ok", "8 KB mapped during the watch are locked"),
    ("future_lock", seen(areas=(Area(0, 8192, "", False, 0, fresh=4096),)), "warn", "4 KB mapped"),
    ("future_lock", seen(calls=(call("mlockall", 3),)), "ok", "MCL_FUTURE succeeded"),
    ("future_lock", seen(calls=(call("mlockall", 3, result=-12),)), "unknown", "nothing was mapped"),
    ("future_lock", seen(calls=(call("mlockall", 1),)), "unknown", "nothing was mapped"),
    ("page_faults", seen(), "ok", "none in 2 s"),
    ("page_faults", seen(threads=(high(last=counters(minor=60)),)), "warn", "0 with a disk and 10 without"),
    ("page_faults", seen(threads=(high(last=counters(major=3)),)), "fail", "1 with a disk"),
    ("page_faults", seen(threads=(high(), low(last=counters(major=9)))), "ok", "none"),
    ("page_faults", seen(threads=ASLEEP), "unknown", "no real-time thread ran"),
    ("swap", seen(), "ok", "none"),
    ("swap", seen(memory=memory(VmSwap=4096)), "fail", "4 KB is swapped out"),
    ("swap", seen(memory=({},)), "unknown", "not shown"),
    ("stack", seen(), "ok", "locked and did not grow"),
    ("stack", seen(memory=memory(VmStk=200 << 10)), "warn", "grew by 68 KB"),
    ("stack", seen(areas=(Area(0, 4096, "[stack]", False, 4096),)), "warn", "not locked"),
    ("stack", seen(areas=()), "unknown", "no [stack]"),
    ("busy_waiting", seen(), "ok", "ran 5.0 %"),
    ("busy_waiting", seen(threads=(high(last=counters(cpu_ns=2350 * MS)),)), "fail", "hardly ever waiting"),
    ("busy_waiting", seen(threads=(low(last=counters(cpu_ns=2350 * MS)),)), "warn", "hardly ever waiting"),
    ("busy_waiting", seen(threads=(high(last=counters(cpu_ns=1400 * MS, wait_ns=1000 * MS)),)), "fail", "all the time"),
    ("busy_waiting", seen(threads=(high(last=counters(cpu_ns=2350 * MS, voluntary=2500)),)), "ok", "97.5 %"),
    ("busy_waiting", seen(threads=(high(last=counters(cpu_ns=401 * MS, wait_ns=1900 * MS)),)), "ok", "0.1 %"),
    ("busy_waiting", seen(seconds=0.0), "unknown", "no length"),
    ("yielding", seen(), "ok", "no sched_yield"),
    ("yielding", seen(calls=(call("sched_yield"),) * 50), "ok", "no loop: 50 calls"),
    ("yielding", seen(calls=(call("sched_yield"),) * 500), "warn", "up to 250 in a second"),
    ("yielding", untraced("samples", calls=(call("sched_yield"),)), "warn", "1 call"),
    ("yielding", untraced(), "unknown", "only root may"),
    ("preemption", seen(), "ok", "no involuntary switch"),
    ("preemption", seen(threads=(high(last=counters(involuntary=4)),)), "warn", "4 involuntary switches of 1 thread"),
    ("preemption", seen(threads=ASLEEP), "unknown", "no real-time thread ran"),
    ("file_access", seen(), "ok", "no file access"),
    ("file_access", seen(calls=(call("fsync", 3, blocked=MS),)), "warn", "fsync"),
    ("file_access", seen(calls=(call("write", 3),)), "warn", "write"),
    ("file_access", seen(calls=(call("write", 4), call("read", 5), call("read", 99))), "ok", "no file access"),
    ("file_access", seen(calls=(call("fsync", 3, tid=LOW),)), "ok", "no file access"),
    ("file_access", seen(threads=NORMAL, calls=(call("fsync", 3, tid=LOW),)), "warn", "fsync"),
    ("file_access", full(), "unknown", "first 0.4 s"),
    ("file_access", untraced("samples"), "unknown", "not checked: no file access in 40 looks"),
    ("file_access", untraced("samples", calls=(call("fsync", 3),)), "warn", "fsync"),
    ("file_access", untraced(), "unknown", "not checked: only root may"),
    ("file_access", seen(threads=ASLEEP, calls=()), "unknown", "no real-time thread ran"),
    ("network", seen(), "ok", "no socket call"),
    ("network", seen(calls=(call("sendto", 4),)), "warn", "sendto"),
    ("network", seen(calls=(call("read", 4),)), "warn", "read"),
    ("terminal", seen(), "ok", "no terminal"),
    ("terminal", seen(calls=(call("write", 1),)), "warn", "write"),
    ("terminal", seen(calls=(call("write", 0),)), "warn", "write"),
    ("sleeping", seen(), "ok", "no relative sleep; 1 absolute one"),
    ("sleeping", seen(calls=(call("clock_nanosleep", 1, 0),)), "warn", "Sleeps for a while"),
    ("sleeping", seen(calls=(call("nanosleep", 7),)), "warn", "nanosleep"),
    ("sleeping", untraced("samples", calls=(call("clock_nanosleep", 1, 1),)), "unknown", "1 absolute one"),
    ("clock", seen(), "ok", "no timed wait by CLOCK_REALTIME"),
    ("clock", seen(calls=(call("clock_nanosleep", 0, 1),)), "warn", "CLOCK_REALTIME"),
    ("clock", seen(calls=(call("clock_nanosleep", 0, 0),)), "ok", "no timed wait"),
    ("clock", seen(calls=(call("timerfd_create", 0, 0),)), "warn", "timerfd_create"),
    ("clock", seen(calls=(call("futex", WORD, 0x189, 0, 0x5000),)), "warn", "futex"),
    ("clock", seen(calls=(call("futex", WORD, 0x189, 0, 0),)), "ok", "no timed wait"),
    ("timer_slack", seen(), "ok", "ignores it"),
    ("timer_slack", seen(threads=NORMAL), "warn", "up to 50 us late"),
    ("timer_slack", seen(threads=(low(slack_ns=1),)), "ok", "at most 1 us"),
    ("timer_slack", seen(threads=(low(slack_ns=None),)), "unknown", "may not be read"),
    ("descriptors", seen(), "ok", "10 to 10"),
    ("descriptors", seen(descriptors=LEAK), "warn", "growing steadily: 10 to 20"),
    ("descriptors", seen(descriptors=(10, 10, 11)), "unknown", "fewer steps than make a trend"),
    ("descriptors", seen(descriptors=(10, 12, 9, 13, 9, 14, 10)), "ok", "not growing"),
    ("descriptors", seen(descriptors=(1000,) * 11), "warn", "1000 of 1024"),
    ("descriptors", seen(descriptors=(10,)), "unknown", "less than twice"),
    ("descriptors", seen(threads=ASLEEP), "unknown", "ran"),
    ("thread_creation", seen(), "ok", "none created"),
    ("thread_creation", seen(trace=Trace(9, 0, 2.0, births=((HIGH, 7, True), (LOW, 8, False)))), "warn",
     "1 thread and 1 process created"),
    ("thread_creation", untraced(threads=(high(), low(born=True)), ended=("short",)), "warn", "1 started and 1 ended"),
    ("thread_creation", untraced(), "unknown", "not checked for those that live shortly"),
    ("thread_creation", full(), "unknown", "buffer was full"),
    ("memory_growth", seen(), "ok", "not growing"),
    ("memory_growth", seen(memory=GROWING), "warn", "growing steadily"),
    ("memory_growth", seen(memory=memory(VmData=2 << 20)), "unknown", "fewer steps"),
    ("memory_growth", seen(memory=({}, {})), "unknown", "shows no"),
    ("memory_calls", seen(), "ok", "no call that changes memory"),
    ("memory_calls", seen(calls=(call("mmap"), call("brk"))), "warn", "mmap, brk"),
    ("affinity", seen(), "ok", "1 real-time thread pinned"),
    ("affinity", seen(threads=(high(cpus=(0, 1)),)), "warn", "may move: 101"),
    ("affinity", seen(threads=(high(cpus=()),)), "unknown", "not shown"),
    ("shared_cpu", seen(others=(IRQ,)), "ok", "no other program"),
    ("shared_cpu", seen(others=(Other(9, "jackd", 1, 80, (1,)),)), "warn", "1 real-time threads"),
    ("shared_cpu", seen(others=(Other(9, "jackd", 1, 79, (1,)),)), "ok", "no other"),
    ("shared_cpu", seen(others=(Other(9, "jackd", 1, 90, (0,)),)), "ok", "no other"),
    ("shared_cpu", seen(others=(Other(9, "dl", 6, 0, (1,)),)), "warn", "can delay"),
    ("cpu_quota", seen(), "ok", "none"),
    ("cpu_quota", seen(quota=Quota("5 us in 10 us", (("/g/cpu.max", "5 10"),))), "warn", "holds for 1 normal"),
    ("cpu_quota", seen(quota=Quota("5 us in 10 us for /g"), threads=(high(),)), "ok", "exempt"),
    ("cpu_quota", seen(quota=Quota(problem="not there")), "unknown", "not there"),
    ("cpu_time_limit", seen(), "ok", "unlimited"),
    ("cpu_time_limit", seen(limits={**LIMITS, "Max realtime timeout": ("200000", "200000")}), "warn", "200000 us"),
    ("cpu_time_limit", seen(limits={}), "unknown", "no realtime timeout"),
    ("deadline_policy", seen(), "ok", "no thread uses"),
    ("deadline_policy", seen(threads=(high(policy=6, reservation=Reservation(2 * MS, 9 * MS, 10 * MS)),)), "ok",
     "1 reservation with room"),
    ("deadline_policy", seen(threads=(high(policy=6, reservation=Reservation(9 * MS, 9 * MS, 10 * MS)),)), "warn",
     "hardly any room"),
    ("deadline_policy", seen(threads=(high(policy=6),)), "unknown", "does not answer"),
    ("signals", seen(), "ok", "none delivered"),
    ("signals", seen(trace=Trace(9, 0, 2.0, signals=((HIGH, 14), (HIGH, 14), (LOW, 2)))), "warn", "2 signals"),
    ("signals", untraced(), "unknown", "only root may"),
    ("signals", full(), "unknown", "not checked to the end"),
    ("tracer", seen(), "ok", "none attached"),
    ("tracer", seen(tracer=7), "fail", "process 7 traces it"),
    ("realtime_functions", seen(), "ok", "is named"),
    ("realtime_functions", seen(symbols={**SYMBOLS, "pthread_mutexattr_setprotocol": False}), "warn", "not named"),
    ("realtime_functions", seen(symbols=dict.fromkeys(SYMBOLS, False), threads=(high(),)), "unknown", "one thread"),
    ("realtime_functions", seen(symbols={}, symbols_problem="refused"), "unknown", "refused"),
    ("priority_inversion", seen(), "unknown", "no lock was contended"),
    ("priority_inversion", seen(calls=(*LOCKED, call("futex", WORD, 0x81, 1, tid=LOW))), "fail", "1 lock without"),
    ("priority_inversion", seen(calls=(call("futex", WORD, 0x80, 2, 0, tid=LOW, blocked=MS),
                                       call("futex", WORD, 0x81, 1, tid=LOW), call("futex", WORD, 0x81, 1))), "warn",
     "1 lock without inheritance shared"),
    ("priority_inversion", seen(calls=LOCKED), "unknown", "no lock was contended between"),
    ("priority_inversion", seen(calls=SIDES), "unknown", "no lock was contended between"),
    ("priority_inversion", seen(calls=INHERITING), "ok", "1 contended lock with inheritance"),
    ("priority_inversion", full(calls=INHERITING), "unknown", "no lock was contended"),
    ("priority_inversion", seen(calls=(call("futex"),)), "unknown", "a form not known"),
    ("priority_inversion", untraced(), "unknown", "not checked: only root may"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "observation", "status", "words"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)]
)
def test_a_check(check: str, observation: Observation, status: str, words: str) -> None:
    finding = import_module(f"rtgauge.audit.app.{check}").check(observation)
    assert (finding.status, words in finding.summary) == (status, True), finding
    assert finding.why.endswith(".")
    if status in ("warn", "fail"):
        assert finding.fix
        assert finding.evidence


def test_every_check_has_a_case_that_finds_and_one_that_does_not() -> None:
    for name in plugins("rtgauge.audit.app", "check"):
        found = {status for check, _, status, _ in CASES if check == name.replace("-", "_")}
        assert found & {"warn", "fail"}, name
        assert found & {"ok"}, name


def test_a_program_without_a_fault_has_no_complaint() -> None:
    findings = judge(seen()).findings
    assert {each.status for each in findings} == {"ok", "unknown"}
    assert {each.check for each in findings if each.status == "unknown"} == {"lock of new memory", "priority inversion"}


def test_what_needs_kernel_events_is_never_ok_without_them() -> None:
    with_events = {each.check for each in judge(seen()).findings if each.status == "ok"}
    without = {each.check for each in judge(untraced()).findings if each.status == "ok"}
    assert with_events - without == {
        "file access", "sockets", "terminal and pipe output", "relative sleeps", "clock of timed waits", "memory calls",
        "sched_yield", "signals", "thread creation",
    }  # fmt: skip


def test_nothing_is_said_of_what_a_sleeping_program_does() -> None:
    still = {each.check: each for each in judge(seen(threads=ASLEEP, calls=())).findings}
    for name in ("file access", "page faults", "pre-emption", "descriptors", "memory growth", "relative sleeps"):
        assert (still[name].status, "ran in 2 s" in still[name].summary) == ("unknown", True), name


def test_an_observation_of_nothing_breaks_no_check() -> None:
    nothing = Observation(1, "", "", 0.0, (), (), problem="nothing was seen")
    findings = judge(nothing).findings
    assert not [each for each in findings if "Error:" in each.summary]


def test_a_check_that_breaks_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Observation) -> None:
        raise KeyError("x")

    monkeypatch.setitem(plugins("rtgauge.audit.app", "check"), "tracer", broken)
    findings = {each.check: each for each in judge(seen()).findings}
    assert findings["tracer"].status == "unknown"
    assert len(findings) == len(plugins("rtgauge.audit.app", "check"))


def test_the_checkable_application_guidelines_are_all_checked() -> None:
    application = [row for row in rows("guidelines") if row["scope"] == "application"]
    wanted = {row["slug"] for row in application if row["machine_checkable"] != "no"}
    assert wanted
    assert {each.guideline for each in judge(seen()).findings} - {""} == wanted


def test_failures_come_first_and_app_says_what_was_watched() -> None:
    audit = judge(seen(threads=NORMAL))
    assert audit.findings[0].status == "fail"
    assert audit.app["judged"] == "all threads: none is real-time"
    assert audit.app["threads"] == [{"tid": LOW, "name": "main", "policy": "OTHER", "cpus": [0, 1]}]
    assert judge(untraced()).app["trace"] is None
