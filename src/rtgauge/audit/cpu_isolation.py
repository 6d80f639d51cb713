"""Is the processor under test kept free of other work?"""

from __future__ import annotations

from rtgauge.audit._cgroup import cpu_group
from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit._system import System, cpu_list

TOPIC = Topic(
    "CPU isolation",
    "On a processor that the scheduler also uses for others, their system calls, kernel threads, RCU callbacks and "
    "ticks run in between and evict caches.",
)


def check(system: System) -> Finding:
    cpu = system.cpu
    online = system.read("/sys/devices/system/cpu/online")
    isolated, tickless = (
        system.read("/sys/devices/system/cpu/isolated"),
        system.read("/sys/devices/system/cpu/nohz_full"),
    )
    callbacks = system.parameter("rcu_nocbs")
    partition = _partition(system)
    evidence: list[Evidence] = [online, isolated, tickless, callbacks, *partition]
    if not online:
        return TOPIC.unread(online)
    if cpu not in cpu_list(online.text):
        return TOPIC.unknown(f"{online.path} does not list CPU {cpu}", online)
    if len(cpu_list(online.text)) == 1:
        return TOPIC.warn(
            "there is only one CPU: all other work runs beside the test",
            *evidence,
            fix="Give the machine a second CPU; with one, keep it idle while measuring.",
        )
    if not isolated and not partition:
        return TOPIC.unread(isolated)
    apart = cpu in cpu_list(isolated.text) or any(cpu in cpu_list(text) for _, text in partition)
    fix = (
        f"Boot with isolcpus=managed_irq,domain,{cpu} nohz_full={cpu} rcu_nocbs={cpu}; or without a reboot, in a "
        f"cgroup v2: echo {cpu} > cpuset.cpus and echo isolated > cpuset.cpus.partition. Start the program there: "
        f"taskset -c {cpu}."
    )
    if not apart:
        return TOPIC.warn(f"CPU {cpu} is not isolated: any task may run there", *evidence, fix=fix)
    missing = []
    if cpu not in cpu_list(tickless.text):
        missing.append("nohz_full")
    if cpu not in cpu_list(callbacks[1]) and callbacks[1] != "all":
        missing.append("rcu_nocbs")
    if len(missing) == 2:  # nohz_full implies rcu_nocbs
        return TOPIC.warn(f"CPU {cpu} is isolated, but keeps its tick and RCU callbacks", *evidence, fix=fix)
    return TOPIC.ok(
        f"CPU {cpu} is isolated{' (nohz_full)' if 'nohz_full' not in missing else ' (rcu_nocbs)'}", *evidence
    )


def _partition(system: System) -> list[tuple[str, str]]:
    """CPUs of isolated cpuset partitions (cgroup v2), with where that is written."""
    mounts = ["/sys/fs/cgroup"]
    group = cpu_group(system)
    if group and group.version == 2 and group.mount not in mounts:
        mounts.append(group.mount)
    readings = [system.read(f"{mount}/cpuset.cpus.isolated") for mount in mounts]
    return [reading.pair for reading in readings if reading]
