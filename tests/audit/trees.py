"""Systems as folders of plain files: what a check reads of them, and nothing else."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

CPU = "/sys/devices/system/cpu"
FLAGS = "fpu tsc constant_tsc nonstop_tsc"
OPTIONS = """CONFIG_HZ=250
CONFIG_HIGH_RES_TIMERS=y
CONFIG_NO_HZ_IDLE=y
# CONFIG_RT_GROUP_SCHED is not set
# CONFIG_SCHED_CORE is not set
"""
VOLUNTARY = OPTIONS + "CONFIG_PREEMPT_VOLUNTARY=y\n# CONFIG_PREEMPT_RT is not set\n"
REALTIME = OPTIONS + "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT_COUNT=y\nCONFIG_PREEMPTION=y\n"
INTERRUPTS = """           CPU0       CPU1
  0:         40          0   IO-APIC    2-edge      timer
 24:          9        100   PCI-MSIX-0000:00:02.0    0-edge      nvme0q1
 25:          3          0   PCI-MSIX-0000:00:03.0    0-edge      eth0
NMI:          0          0   Non-maskable interrupts
"""


def limits(rtprio: str, memlock: str) -> str:
    return (
        "Limit                     Soft Limit           Hard Limit           Units\n"
        f"Max locked memory         {memlock}            {memlock}            bytes\n"
        f"Max realtime priority     {rtprio}             {rtprio}\n"
    )


def status(capabilities: int = 0, bounding: int = 0x1FFFFFFFFFF, seccomp: int = 0) -> str:
    return (
        f"Name:\trtgauge\nCapEff:\t{capabilities:016x}\nCapBnd:\t{bounding:016x}\nNoNewPrivs:\t0\n"
        f"Seccomp:\t{seccomp}\nCpus_allowed_list:\t0-1\n"
    )


SERVER = {
    "/proc/sys/kernel/osrelease": "6.1.0-28-amd64\n",
    "/proc/sys/kernel/version": "#1 SMP Debian 6.1.119-1 (2024-11-22)\n",
    "/proc/cmdline": "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet\n",
    "/boot/config-6.1.0-28-amd64": VOLUNTARY,
    "/proc/self/status": status(),
    "/proc/self/limits": limits("0", "8388608"),
    "/proc/self/cgroup": "0::/user.slice\n",
    "/proc/self/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n",
    "/proc/1/comm": "systemd\n",
    "/proc/cpuinfo": f"processor\t: 0\nvendor_id\t: GenuineIntel\nmicrocode\t: 0x2f\nflags\t\t: {FLAGS}\n",
    "/proc/interrupts": INTERRUPTS,
    "/proc/irq/24/smp_affinity_list": "0-1\n",
    "/proc/irq/25/smp_affinity_list": "0\n",
    "/proc/loadavg": "0.10 0.10 0.10 1/200 900\n",
    "/proc/pressure/cpu": "some avg10=0.50 avg60=0.10 avg300=0.00 total=9\n",
    "/proc/stat": "cpu 1\ncpu1 1 2 3 4 5 6 7 8 9 0\n",
    "/proc/swaps": "Filename Type Size Used Priority\n/dev/sda2 partition 2097152 1024 -2\n",
    "/proc/sys/kernel/sched_rt_runtime_us": "950000\n",
    "/proc/sys/kernel/sched_rt_period_us": "1000000\n",
    "/proc/sys/kernel/numa_balancing": "1\n",
    "/proc/sys/kernel/nmi_watchdog": "1\n",
    "/proc/sys/kernel/soft_watchdog": "1\n",
    "/proc/sys/kernel/watchdog_cpumask": "0-1\n",
    "/proc/sys/kernel/timer_migration": "1\n",
    "/proc/sys/kernel/sched_autogroup_enabled": "1\n",
    "/proc/sys/kernel/tainted": "0\n",
    "/proc/uptime": "7200.00 9000.00\n",
    f"{CPU}/online": "0-1\n",
    f"{CPU}/isolated": "\n",
    f"{CPU}/cpu1/topology/thread_siblings_list": "0-1\n",
    f"{CPU}/smt/active": "1\n",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "performance\n",
    f"{CPU}/cpu1/cpufreq/scaling_driver": "acpi-cpufreq\n",
    f"{CPU}/cpufreq/boost": "1\n",
    f"{CPU}/cpuidle/current_driver": "acpi_idle\n",
    f"{CPU}/cpu1/cpuidle/state0/name": "POLL\n",
    f"{CPU}/cpu1/cpuidle/state0/latency": "0\n",
    f"{CPU}/cpu1/cpuidle/state1/name": "C6\n",
    f"{CPU}/cpu1/cpuidle/state1/latency": "133\n",
    f"{CPU}/vulnerabilities/meltdown": "Mitigation: PTI\n",
    "/sys/class/dmi/id/product_name": "PowerEdge R740\n",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
    "/sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet acpi_pm\n",
    "/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n",
    "/sys/kernel/mm/transparent_hugepage/defrag": "always [madvise] never\n",
    "/sys/kernel/mm/ksm/run": "0\n",
    "/sys/kernel/tracing/current_tracer": "nop\n",
    "/sys/kernel/tracing/events/enable": "0\n",
    "/sys/bus/pci/devices/0000:00:02.0/class": "0x010802\n",
    "/sys/bus/pci/devices/0000:00:02.0/driver/name": "nvme\n",
}
"""A server as installed: Debian 12, two hardware threads of one core."""

FAIR = "/sys/kernel/debug/sched/fair_server/cpu1"
TUNED = {
    **SERVER,
    "/proc/sys/kernel/osrelease": "6.18.2-rt-amd64\n",
    "/proc/sys/kernel/version": "#1 SMP PREEMPT_RT 6.18.2\n",
    "/sys/kernel/realtime": "1\n",
    "/proc/cmdline": "ro isolcpus=managed_irq,domain,1 nohz_full=1 rcu_nocbs=1 mitigations=auto\n",
    "/boot/config-6.18.2-rt-amd64": REALTIME,
    "/proc/self/limits": limits("99", "unlimited"),
    "/proc/irq/24/smp_affinity_list": "0\n",
    "/proc/swaps": "Filename Type Size Used Priority\n",
    "/proc/sys/kernel/numa_balancing": "0\n",
    "/proc/sys/kernel/nmi_watchdog": "0\n",
    "/proc/sys/kernel/soft_watchdog": "0\n",
    "/proc/sys/kernel/timer_migration": "0\n",
    f"{CPU}/isolated": "1\n",
    f"{CPU}/nohz_full": "1\n",
    f"{CPU}/cpu1/topology/thread_siblings_list": "1\n",
    f"{CPU}/cpufreq/boost": "0\n",
    f"{CPU}/cpu1/cpuidle/state1/disable": "1\n",
    "/sys/kernel/mm/transparent_hugepage/enabled": "always madvise [never]\n",
    f"{FAIR}/runtime": "0\n",
    f"{FAIR}/period": "1000000000\n",
}
"""The same machine prepared for real time."""


def make(root: Path, files: Mapping[str, str], without: tuple[str, ...] = ()) -> Path:
    """Writes a system below `root`, leaving out the paths that begin with one of `without`."""
    for path, text in files.items():
        if not path.startswith(without) or not without:
            place = root / path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(gzip.compress(text.encode()) if path.endswith(".gz") else text.encode())
    return root
