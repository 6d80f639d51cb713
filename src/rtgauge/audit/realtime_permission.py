"""May this user run real-time threads? Found by trying."""

from __future__ import annotations

from typing import Literal

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._probes import TOP, Trial
from rtgauge.audit._system import CAP_SYS_NICE, System
from rtgauge.audit.container import in_container
from rtgauge.audit.rt_group_sched import give_budget, without_budget

TOPIC = Topic(
    "real-time permission",
    "Without SCHED_FIFO a thread shares the processor with everything else and no deadline can be kept; tests that "
    "need it are not-permitted.",
    "Run rtgauge doctor: it names the cause and the exact commands.",
    "rt-policies",
)
LIMIT = "Max realtime priority"
Cause = Literal["", "rt-group", "no-budget", "container", "limits", "refused"]


def check(system: System) -> Finding:
    soft, hard = system.limit(LIMIT)
    evidence = [
        ("/proc/self/limits " + LIMIT, f"soft {soft}, hard {hard}" if soft else "cannot be read"),
        ("/proc/self/status CapEff", "CAP_SYS_NICE" if system.capable(CAP_SYS_NICE) else "no CAP_SYS_NICE"),
    ]
    if system.probes.try_fifo is None:
        return TOPIC.unknown("not tried: only the running system can answer", *evidence)
    trial = system.probes.try_fifo()
    evidence.append(("SCHED_FIFO tried", trial.error or f"granted up to {trial.highest}"))
    if trial.highest == TOP:
        return TOPIC.ok(f"SCHED_FIFO is granted up to {TOP}", *evidence)
    if trial.highest:
        return TOPIC.warn(f"SCHED_FIFO is granted up to {trial.highest} of {TOP} only", *evidence)
    fix = give_budget(without_budget(system)) if cause(system, trial) == "rt-group" else None
    return TOPIC.fail(f"SCHED_FIFO is refused ({trial.error}): {WORDS[cause(system, trial)]}", *evidence, fix=fix)


WORDS: dict[Cause, str] = {
    "": "granted",
    "rt-group": "this process's control group has no real-time budget (RT_GROUP_SCHED)",
    "no-budget": "the system's real-time budget is 0 (kernel.sched_rt_runtime_us)",
    "container": "the container was started without the permission",
    "limits": "the user's limit for real-time priorities (RLIMIT_RTPRIO) is too low",
    "refused": "limits and capabilities allow it, so a control group, a seccomp filter or the sandbox forbids it",
}


def cause(system: System, trial: Trial) -> Cause:
    """Why SCHED_FIFO was refused, or granted in part only; "" when nothing is missing."""
    if trial.highest == TOP:
        return ""
    if without_budget(system):
        return "rt-group"
    if system.read("/proc/sys/kernel/sched_rt_runtime_us").text == "0":
        return "no-budget"
    if trial.highest == 0 and (system.capable(CAP_SYS_NICE) or system.limit(LIMIT)[0] not in ("", "0")):
        return "refused"
    # A container that withholds the capability even from its root was started so; else it is the user who lacks it.
    return "container" if in_container(system) and not system.obtainable(CAP_SYS_NICE) else "limits"
