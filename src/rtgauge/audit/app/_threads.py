"""Threads in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Observation, Thread

MOST = 12  # lines of evidence; a program may have thousands of threads
NONE_REALTIME = "not checked: no thread is real-time"


def lines(seen: Observation, threads: Iterable[Thread], file: str, value: Callable[[Thread], object]) -> list[Evidence]:
    """Evidence: one line per thread, up to MOST."""
    every = list(threads)
    shown: list[Evidence] = [
        (f"/proc/{seen.pid}/task/{each.tid}/{file} {each.name}", f"{each.policy_name}: {value(each)}")
        for each in every[:MOST]
    ]
    return shown + ([("more threads", str(len(every) - MOST))] if len(every) > MOST else [])


def names(threads: Iterable[Thread]) -> str:
    """The first threads by number and name."""
    every = list(threads)
    more = f" and {len(every) - 3} more" if len(every) > 3 else ""
    return ", ".join(each.label for each in every[:3]) + more


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def ran(threads: Iterable[Thread]) -> int:
    """How many of them were on a processor during the watch."""
    return sum(each.last.cpu_ns > each.first.cpu_ns for each in threads)


def asleep(seen: Observation, topic: Topic) -> Finding | None:
    """Unknown when no judged thread ran: what a program does cannot be seen while it does nothing."""
    if ran(seen.judged):
        return None
    evidence = lines(seen, seen.judged, "schedstat", lambda each: f"{each.last.cpu_ns} ns on a processor, no change")
    summary = f"not checked: {'no real-time' if seen.realtime else 'no'} thread ran in {seen.seconds:.3g} s"
    return topic.unknown(summary, *evidence, fix="Watch while the program works, or for longer (--watch).")


def spans(cpus: tuple[int, ...]) -> str:
    """CPUs as a short list.

    >>> spans((0, 1, 2, 5))
    '0-2,5'
    """
    runs: list[list[int]] = []
    for cpu in cpus:
        if runs and runs[-1][1] == cpu - 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "unknown"
