"""Real-time threads scheduled by control group: does this process's group have a budget?"""

from __future__ import annotations

from rtgauge.audit._cgroup import Group, cpu_group
from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit._system import Reading, System

TOPIC = Topic(
    "real-time group budget",
    "With RT_GROUP_SCHED a real-time thread needs a budget in its control group as well; new groups have none, and "
    "asking for SCHED_FIFO is then refused even for root.",
    guideline="rt-policies",
)
BUDGET = "cpu.rt_runtime_us"
MOVE_OUT = (
    "Start from the root group (as root: echo $$ > /sys/fs/cgroup/cgroup.procs), or boot with rt_group_sched=0 where "
    "the kernel knows it, or use a kernel built without CONFIG_RT_GROUP_SCHED."
)


def check(system: System) -> Finding:
    group = cpu_group(system)
    config = system.option_pair("CONFIG_RT_GROUP_SCHED")
    budget = budget_file(system, group)
    built = system.option("CONFIG_RT_GROUP_SCHED")
    if group and budget:
        return _version_1(system, group, budget, config)
    if built is None:
        return TOPIC.unread(system.config[1])
    if built == "n":
        return TOPIC.ok("this kernel does not schedule real-time threads by group", config)
    if system.parameters.get("rt_group_sched") == "0":
        return TOPIC.ok("switched off on the kernel command line", config, system.parameter("rt_group_sched"))
    if group is None or group.path == "/" or not system.exists(f"{group.folder}/cpu.max"):
        return TOPIC.ok(
            "RT_GROUP_SCHED is built in; this process is in the root group, which has the whole budget", config
        )
    return _version_2(system, group, config)


def budget_file(system: System, group: Group | None) -> Reading | None:
    """The own group's real-time budget in a version 1 hierarchy, None where there is no such file."""
    path = f"{group.folder}/{BUDGET}" if group else ""
    return system.read(path) if path and system.exists(path) else None


def without_budget(system: System) -> str:
    """The folder of this process's group when it has no real-time budget, else ""."""
    group = cpu_group(system)
    budget = budget_file(system, group)
    return group.folder if group and budget and budget.text == "0" else ""


def _version_1(system: System, group: Group, budget: Reading, config: Evidence) -> Finding:
    period = system.read(f"{group.folder}/cpu.rt_period_us")
    evidence = (budget, period, config)
    if not budget:
        return TOPIC.unread(budget)
    if budget.text == "0":
        return TOPIC.fail(
            f"the control group {group.folder} has no real-time budget", *evidence, fix=give_budget(group.folder)
        )
    return TOPIC.ok(f"the control group {group.folder} has {budget.text} us in {period.text} us", *evidence)


def give_budget(folder: str) -> str:
    return f"As root, and for every group above it first: echo 950000 > {folder}/{BUDGET}"


def _version_2(system: System, group: Group, config: Evidence) -> Finding:
    where = f"RT_GROUP_SCHED is built in and {group.folder} (cgroup v2) cannot be given a budget"
    trial = system.probes.try_fifo() if system.probes.try_fifo else None
    if trial is None:
        return TOPIC.unknown(f"{where}; whether SCHED_FIFO is granted was not tried", config)
    evidence = (config, ("SCHED_FIFO tried", trial.error or f"granted up to {trial.highest}"))
    if trial.highest:
        return TOPIC.ok("RT_GROUP_SCHED is built in, but SCHED_FIFO is granted here", *evidence)
    return TOPIC.warn(f"{where}; SCHED_FIFO is refused", *evidence, fix=MOVE_OUT)
