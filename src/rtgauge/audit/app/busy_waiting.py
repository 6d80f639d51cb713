"""Does a thread spin instead of waiting?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation, Thread
from rtgauge.audit.app._threads import lines, names

TOPIC = Topic(
    "busy waiting",
    "A real-time thread that never waits starves everything below it on its processor, the kernel's own work included; "
    "real-time throttling or the fair server then stops it for tens of milliseconds.",
    "Wait on a condition, a semaphore, a descriptor or clock_nanosleep. To poll on purpose, isolate a processor.",
    "no-busy-wait",
)
FULL = 0.8  # share of the watch on a processor, or ready to run
RAN = 0.01  # share on a processor: less says nothing of what the thread does there
FEW = 10  # waits per second: a computation with a few waits is no spinning


def check(seen: Observation) -> Finding:
    if seen.seconds <= 0:
        return TOPIC.unknown("not checked: the watch had no length")
    spinning = [each for each in seen.judged if _spins(each, seen.seconds)]

    def value(thread: Thread) -> str:
        waits = thread.last.voluntary - thread.first.voluntary
        return f"{100 * _share(thread, seen.seconds):.1f} % of a processor, {waits} voluntary switches"

    evidence = lines(seen, spinning or seen.judged, "schedstat, status", value)
    if any(each.realtime for each in spinning):
        return TOPIC.fail(f"{names(spinning)}: running or ready to run all the time, hardly ever waiting", *evidence)
    if spinning:
        return TOPIC.warn(f"{names(spinning)}: running or ready to run all the time, hardly ever waiting", *evidence)
    busiest = max((_share(each, seen.seconds) for each in seen.judged), default=0.0)
    return TOPIC.ok(f"none; the busiest thread ran {100 * busiest:.1f} % of {seen.seconds:.3g} s", *evidence)


def _share(thread: Thread, seconds: float) -> float:
    return (thread.last.cpu_ns - thread.first.cpu_ns) / 1e9 / seconds


def _spins(thread: Thread, seconds: float) -> bool:
    """Being ready to run counts as running: two that spin on one processor get half each."""
    wanted = _share(thread, seconds) + (thread.last.wait_ns - thread.first.wait_ns) / 1e9 / seconds
    waits = thread.last.voluntary - thread.first.voluntary
    return wanted >= FULL and _share(thread, seconds) >= RAN and waits <= FEW * max(seconds, 1.0)
