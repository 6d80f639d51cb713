"""The text of kernel events."""

from __future__ import annotations

from rtgauge.audit.app._events import parse
from rtgauge.audit.app._observation import Call

HEAD = "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
TIDS = (10, 11)


def line(at_us: int, tid: int, event: str, task: str = "<...>") -> str:
    return f"{task:>16}-{tid:<7} [001] d..2. {100 + at_us // 10**6}.{at_us % 10**6:06}: {event}\n"


def switch(at_us: int, tid: int, state: str, to: str = "swapper/1", other: int = 0) -> str:
    text = f"sched_switch: prev_comm=loop prev_pid={tid} prev_prio=19 prev_state={state} ==> "
    return line(at_us, tid, text + f"next_comm={to} next_pid={other} next_prio=120")


def read(text: str, lost: int = 0):  # type: ignore[no-untyped-def]
    return parse(HEAD + text, lost, TIDS, 2.0)


def test_a_call_that_sleeps_is_timed_from_its_start_to_its_end() -> None:
    text = line(0, 11, "sys_fsync(fd: 0x3)") + switch(5, 11, "D") + line(905, 11, "sys_fsync -> 0xfffffffffffffffb")
    calls, trace = read(text)
    assert calls == (Call(11, "fsync", (3,), -5, 905_000, 100 * 10**9),)
    assert (trace.events, trace.lost, trace.seconds, trace.preempted) == (3, 0, 2.0, ())


def test_a_call_that_does_not_sleep_has_no_wait_and_one_without_an_end_no_result() -> None:
    calls, _ = read(line(0, 11, "sys_gettid()") + line(9, 11, "sys_gettid -> 0xb") + line(10, 11, "sys_read(fd: 4)"))
    assert [(call.name, call.args, call.result, call.blocked_ns) for call in calls] == [
        ("gettid", (), 11, 0),
        ("read", (4,), None, 0),
    ]


def test_who_runs_instead_is_told_but_giving_way_is_no_preemption() -> None:
    text = switch(0, 10, "R", "a => b next_pid", 77) + switch(3, 10, "R+", "rcu", 15)
    text += line(5, 10, "sys_sched_yield()") + switch(6, 10, "R", "x", 78) + switch(8, 99, "R", "x", 78)
    _, trace = read(text)
    assert trace.preempted == ((10, "a => b next_pid", 77), (10, "rcu", 15))


def test_threads_that_are_born_belong_to_the_program_and_processes_do_not() -> None:
    text = line(0, 10, "task_newtask: pid=12 comm=loop clone_flags=3d0f00 oom_score_adj=0")
    text += line(1, 10, "task_newtask: pid=13 comm=loop clone_flags=1200000 oom_score_adj=0")
    text += line(2, 12, "sys_sync()") + line(3, 13, "sys_sync()")
    calls, trace = read(text)
    assert [call.tid for call in calls] == [12]
    assert trace.births == ((10, 12, True), (10, 13, False))


def test_faults_and_signals() -> None:
    text = line(0, 11, "page_fault_user: address=0x7f00 ip=0x1 error_code=0x6")
    text += line(1, 11, "signal_deliver: sig=14 errno=0 code=0 sa_handler=1 sa_flags=0")
    _, trace = read(text)
    assert (trace.faults, trace.signals) == (((11, 0x7F00),), ((11, 14),))


def test_a_name_cannot_forge_an_event_and_garbage_is_passed_over() -> None:
    text = line(0, 11, "sys_gettid()", task="x\n-11 [0] sync()")
    text += "CPU:1 [LOST 5 EVENTS]\n\x1b[2J\n" + line(1, 11, "something: else") + "x-11 [001] . 1: sys_sync()\n"
    calls, trace = read(text)
    assert ([call.name for call in calls], trace.events) == (["gettid"], 2)


def test_a_full_buffer_covers_only_what_it_kept() -> None:
    _, trace = read(line(0, 11, "sys_gettid()") + line(300_000, 11, "sys_gettid -> 0xb"), lost=9)
    assert (trace.lost, round(trace.seconds, 3)) == (9, 0.3)


def test_a_futex_call_in_a_form_not_known_has_no_arguments() -> None:
    text = line(0, 11, "sys_futex(uaddr: 0x7f00, op: 0x80, val: 2, utime: 0, uaddr2: 0, val3: 0)")
    text += line(1, 11, "sys_futex(uaddr: 0x7f00, FUTEX_WAIT|FUTEX_PRIVATE_FLAG, val: 2)")
    assert [call.args for call in read(text)[0]] == [(0x7F00, 0x80, 2, 0, 0, 0), ()]
