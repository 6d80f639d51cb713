"""Each check in the situations that it tells apart: one line each."""

from __future__ import annotations

import struct
from importlib import import_module
from pathlib import Path

import pytest

from rtgauge.audit import Finding, Probes, System
from rtgauge.audit._probes import Trial
from tests.audit.trees import CPU, FAIR, OPTIONS, SERVER, TUNED, VOLUNTARY, limits, make, status

REFUSED = Probes(lambda: Trial(0, "Operation not permitted"), lambda: 4e-3)
VERSION, RELEASE = "/proc/sys/kernel/version", "/proc/sys/kernel/osrelease"
CLOCK = "/sys/devices/system/clocksource/clocksource0"
DYNAMIC = {VERSION: "#1 SMP PREEMPT_DYNAMIC Debian 6.12.1"}
CONFIG = "/boot/config-6.1.0-28-amd64"
GROUP = {CONFIG: VOLUNTARY.replace("# CONFIG_RT_GROUP_SCHED is not set", "CONFIG_RT_GROUP_SCHED=y")}
V1 = {
    "/proc/self/mounts": "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n",
    "/proc/self/cgroup": "3:cpu,cpuacct:/ci\n0::/\n",
}
V1_FOLDER = "/sys/fs/cgroup/cpu,cpuacct/ci"

CASES = [
    # check, changes to the server, status, part of the summary
    ("preemption_model", {}, "warn", "voluntary: the kernel is not PREEMPT_RT"),
    ("preemption_model", {VERSION: "#1 SMP PREEMPT_RT Debian"}, "ok", "PREEMPT_RT"),
    ("preemption_model", {"/sys/kernel/realtime": "1"}, "ok", "PREEMPT_RT"),
    ("preemption_model", {VERSION: "#1 SMP PREEMPT x"}, "warn", "full pre-emption (PREEMPT), not PREEMPT_RT"),
    ("preemption_model", {**DYNAMIC, "/sys/kernel/debug/sched/preempt": "none (full) lazy"}, "warn", "full ("),
    ("preemption_model", {**DYNAMIC, "/proc/cmdline": "preempt=none preempt=lazy"}, "warn", "lazy (PREEMPT_DYNAMIC)"),
    ("preemption_model", {**DYNAMIC, CONFIG: "CONFIG_PREEMPT_NONE=y"}, "warn", "none (PREEMPT_DYNAMIC)"),
    ("kernel_version", {RELEASE: "6.12.3"}, "ok", "without a patch"),
    ("kernel_version", {RELEASE: "6.1.35-rt10", VERSION: "PREEMPT_RT"}, "ok", "(rt10)"),
    ("kernel_version", {RELEASE: "6.1.35", VERSION: "PREEMPT_RT"}, "warn", "does not name its patch series"),
    ("kernel_version", {RELEASE: "custom"}, "unknown", "not a version"),
    ("kernel_config", {}, "warn", "CONFIG_PREEMPT_RT is not set (rt: y)"),
    ("kernel_build", {"/boot/vmlinuz-6.1.0-28-rt-amd64": ""}, "warn", "installed but not running"),
    ("kernel_build", {CONFIG: "CONFIG_PREEMPT_RT=y"}, "warn", "the running kernel says otherwise"),
    ("kernel_debug", {CONFIG: "CONFIG_PROVE_LOCKING=y\nCONFIG_KASAN=y"}, "warn", "CONFIG_PROVE_LOCKING, CONFIG_KASAN"),
    ("high_resolution_timers", {"/proc/cmdline": "highres=off"}, "warn", "switched off"),
    ("high_resolution_timers", {CONFIG: "CONFIG_HZ=100"}, "warn", "not built in"),
    ("tick", {}, "ok", "HZ=250, tickless when idle"),
    ("tick", {CONFIG: "CONFIG_HZ=100\nCONFIG_HZ_PERIODIC=y"}, "warn", "HZ=100, periodic"),
    ("tick", {"/proc/cmdline": "nohz=off"}, "warn", "periodic"),
    ("rt_throttling", {}, "warn", "950000 us in 1000000 us"),
    ("rt_throttling", {"/proc/sys/kernel/sched_rt_runtime_us": "0"}, "fail", "budget is 0"),
    ("rt_throttling", {"/proc/sys/kernel/sched_rt_runtime_us": "-1"}, "ok", "off"),
    ("rt_throttling", {"/proc/sys/kernel/sched_rt_runtime_us": "1000000"}, "ok", "whole period"),
    ("rt_throttling", {"/proc/sys/kernel/sched_rt_runtime_us": "x"}, "unknown", "not a number"),
    ("rt_throttling", {RELEASE: "6.12.1", "/boot/config-6.12.1": OPTIONS}, "ok", "does not apply it"),
    ("rt_throttling", {RELEASE: "6.12.1", "/boot/config-6.12.1": "CONFIG_RT_GROUP_SCHED=y"}, "warn", "stopped after"),
    ("fair_server", {}, "ok", "came with 6.12"),
    ("fair_server", {RELEASE: "6.12.1"}, "unknown", "debugfs is not mounted"),
    ("fair_server", {RELEASE: "6.12.1",
                     f"{FAIR}/runtime": "50000000", f"{FAIR}/period": "1000000000"}, "warn", "50 ms in"),
    ("deadline_admission", {}, "ok", "95 %"),
    ("deadline_admission", {"/proc/sys/kernel/sched_rt_runtime_us": "-1"}, "warn", "no admission test"),
    ("rt_group_sched", {}, "ok", "does not schedule"),
    ("rt_group_sched", {**V1, f"{V1_FOLDER}/cpu.rt_runtime_us": "0"}, "fail", f"{V1_FOLDER} has no real-time budget"),
    ("rt_group_sched", {**V1, f"{V1_FOLDER}/cpu.rt_runtime_us": "9000"}, "ok", "9000 us"),
    ("rt_group_sched", {**GROUP, "/sys/fs/cgroup/user.slice/cpu.max": "max 100000"}, "unknown", "was not tried"),
    ("rt_group_sched", {**GROUP, "/proc/self/cgroup": "0::/"}, "ok", "root group"),
    ("rt_group_sched", {**GROUP, "/proc/cmdline": "rt_group_sched=0"}, "ok", "switched off"),
    ("memory_lock", {}, "warn", "8 MiB; the engine wants 192 MiB"),
    ("memory_lock", {"/proc/self/limits": limits("0", "unlimited")}, "ok", "unlimited"),
    ("memory_lock", {"/proc/self/status": status(1 << 14)}, "ok", "CAP_IPC_LOCK"),
    ("container", {}, "ok", "no sign"),
    ("container", {"/.dockerenv": ""}, "warn", "container"),
    ("container", {"/run/.containerenv": ""}, "warn", "container"),
    ("container", {"/proc/1/cgroup": "0::/kubepods/pod1"}, "warn", "container"),
    ("container", {"/proc/1/environ": "A=b\0container=lxc\0"}, "warn", "container"),
    ("cpu_frequency", {}, "ok", "performance"),
    ("cpu_frequency", {f"{CPU}/cpu1/cpufreq/scaling_governor": "powersave"}, "warn", "powersave on CPU 1"),
    ("cpu_frequency", {f"{CPU}/cpu1/cpufreq/scaling_governor": "userspace",
                       f"{CPU}/cpu1/cpufreq/scaling_min_freq": "2000000",
                       f"{CPU}/cpu1/cpufreq/scaling_max_freq": "2000000"}, "ok", "2000 to 2000 MHz"),
    ("boost", {f"{CPU}/intel_pstate/no_turbo": "1"}, "ok", "off"),
    ("boost", {f"{CPU}/intel_pstate/no_turbo": "0"}, "warn", "on"),
    ("idle_states", {}, "warn", "C6, 133 us"),
    ("idle_states", {f"{CPU}/cpu1/cpuidle/state1/disable": "1"}, "ok", "POLL, 0 us"),
    ("idle_states", {"/proc/cmdline": "idle=poll"}, "ok", "do not sleep"),
    ("idle_states", {"/dev/cpu_dma_latency": "\0\0\0\0"}, "ok", "POLL, 0 us"),
    ("idle_states", {"/proc/cpuinfo": "flags : tsc hypervisor"}, "unknown", "the host decides"),
    ("smt", {}, "warn", "CPU 1 shares its core with CPU 0"),
    ("clock_source", {}, "ok", "tsc, constant"),
    ("clock_source", {"/proc/cpuinfo": "flags : tsc constant_tsc"}, "warn", "does not promise nonstop_tsc"),
    ("clock_source", {f"{CLOCK}/current_clocksource": "hpet"}, "warn", "though tsc is available"),
    ("clock_source", {f"{CLOCK}/current_clocksource": "hpet",
                      f"{CLOCK}/available_clocksource": "hpet acpi_pm"}, "fail", "rejected as unstable"),
    ("clock_source", {f"{CLOCK}/current_clocksource": "refined-jiffies"}, "fail", "clock tick"),
    ("clock_source", {f"{CLOCK}/current_clocksource": "kvm-clock"}, "warn", "guest's clock"),
    ("clock_source", {f"{CLOCK}/current_clocksource": "arch_sys_counter"}, "ok", "arch_sys_counter"),
    ("clock_source", {f"{CLOCK}/current_clocksource": "sundial",
                      f"{CLOCK}/available_clocksource": "sundial"}, "unknown", "sundial"),
    ("cpu_isolation", {}, "warn", "CPU 1 is not isolated"),
    ("cpu_isolation", {f"{CPU}/isolated": "1"}, "warn", "keeps its tick"),
    ("cpu_isolation", {f"{CPU}/isolated": "1", f"{CPU}/nohz_full": "1"}, "ok", "isolated"),
    ("cpu_isolation", {"/sys/fs/cgroup/cpuset.cpus.isolated": "1",
                       "/proc/cmdline": "rcu_nocbs=all"}, "ok", "rcu_nocbs"),
    ("cpu_isolation", {f"{CPU}/online": "1"}, "warn", "only one CPU"),
    ("irq_affinity", {}, "warn", "may arrive on CPU 1; 1 did since boot: 24 nvme0q1 (100)"),
    ("irq_affinity", {"/proc/irq/24/smp_affinity_list": "0"}, "ok", "none of 2"),
    ("irq_threads", {"/proc/cmdline": "threadirqs"}, "ok", "threadirqs"),
    ("irq_threads", {VERSION: "PREEMPT_RT"}, "ok", "PREEMPT_RT"),
    ("irq_balance", {"/proc/77/comm": "irqbalance"}, "warn", "process 77"),
    ("hypervisor", {}, "ok", "no sign"),
    ("hypervisor", {"/proc/cpuinfo": "flags : tsc hypervisor"}, "warn", "8 ticks stolen from CPU 1"),
    ("hypervisor", {"/sys/class/dmi/id/product_name": "VirtualBox"}, "warn", "virtual machine"),
    ("mitigations", {}, "ok", "1 in force (meltdown), 0 flaws left open"),
    ("swap", {}, "warn", "/dev/sda2 (2048 MiB, 1 used)"),
    ("transparent_hugepages", {}, "warn", "always"),
    ("samepage_merging", {"/sys/kernel/mm/ksm/run": "1"}, "warn", "running"),
    ("watchdogs", {"/proc/sys/kernel/watchdog_cpumask": "0"}, "ok", "not on CPU 1"),
    ("autogroup", {}, "ok", "no effect on real-time threads"),
    ("taint", {"/proc/sys/kernel/tainted": str(1 << 12 | 1 << 13)}, "warn", "out-of-tree module, unsigned module"),
    ("taint", {"/proc/sys/kernel/tainted": str(1 << 11)}, "ok", "firmware defect"),
    ("drivers", {"/sys/bus/pci/devices/0000:00:05.0/class": "0x020000"}, "warn", "1 of 2 PCI devices"),
    ("drivers", {"/sys/bus/pci/devices/0000:00:00.0/class": "0x060000"}, "ok", "all of 2"),
    ("cgroup_quota", {}, "ok", "none on /sys/fs/cgroup"),
    ("cgroup_quota", {"/sys/fs/cgroup/user.slice/cpu.max": "50000 100000",
                      "/sys/fs/cgroup/user.slice/cpu.stat": "nr_throttled 4"}, "warn", "50000 us in 100000 us"),
    ("cgroup_quota", {**V1, f"{V1_FOLDER}/cpu.cfs_quota_us": "-1",
                      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "20000",
                      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000"}, "warn", "20000 us in 100000 us"),
    ("pressure", {"/proc/pressure/cpu": "some avg10=35.20 avg60=0 avg300=0 total=1"}, "warn", "35.2 %"),
    ("tracing", {"/sys/kernel/tracing/current_tracer": "function"}, "warn", "tracer function"),
    ("tracing", {"/sys/kernel/tracing/events/enable": "X"}, "warn", "events"),
]  # fmt: skip


def answer(root: Path, check: str, files: dict[str, str], probes: Probes | None = None, without: str = "") -> Finding:
    system = System(make(root, files, (without,) if without else ()), probes)
    finding = import_module(f"rtgauge.audit.{check}").check(system)
    assert isinstance(finding, Finding)
    return finding


@pytest.mark.parametrize(("check", "changes", "expected", "part"), CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_check(tmp_path: Path, check: str, changes: dict[str, str], expected: str, part: str) -> None:
    finding = answer(tmp_path, check, {**SERVER, **changes})
    assert (finding.status, part in finding.summary) == (expected, True), finding


WITHOUT = [
    ("kernel_config", CONFIG, "no kernel configuration found"),
    ("kernel_debug", CONFIG, "no kernel configuration found"),
    ("kernel_build", CONFIG, "no kernel configuration to compare"),
    ("cpu_frequency", f"{CPU}/cpu1/cpufreq", "no frequency control is visible"),
    ("boost", f"{CPU}/cpufreq", "no control for boost"),
    ("idle_states", f"{CPU}/cpu1/cpuidle", "no idle states are visible"),
    ("firmware", "nothing", "not counted"),
    ("tracing", "/sys/kernel/tracing", "not there"),
    ("numa_balancing", "/proc/sys/kernel/numa_balancing", ""),
]


@pytest.mark.parametrize(("check", "without", "part"), WITHOUT, ids=lambda v: v)
def test_what_cannot_be_read_is_unknown(tmp_path: Path, check: str, without: str, part: str) -> None:
    files = {**SERVER, CONFIG: "CONFIG_NUMA_BALANCING=y"} if check == "numa_balancing" else SERVER
    finding = answer(tmp_path, check, files, without=without)
    assert (finding.status, part in finding.summary) == ("unknown", True), finding


def test_a_compressed_configuration_is_read(tmp_path: Path) -> None:
    files = {**TUNED, "/proc/config.gz": "CONFIG_HZ=1000\nCONFIG_NO_HZ_FULL=y\n"}
    assert "HZ=1000" in answer(tmp_path, "tick", files).summary


def test_mainline_realtime_kernels_are_not_measured_by_the_old_patch(tmp_path: Path) -> None:
    finding = answer(tmp_path, "kernel_config", TUNED)
    assert finding.status == "ok"
    assert not any("PREEMPT_LAZY" in source for source, _ in finding.evidence)


def test_the_old_patch_is_measured_by_its_own_rows(tmp_path: Path) -> None:
    files = {**TUNED, RELEASE: "6.1.35-rt10", "/boot/config-6.1.35-rt10": TUNED["/boot/config-6.18.2-rt-amd64"]}
    finding = answer(tmp_path, "kernel_config", files)
    assert "CONFIG_HAVE_PREEMPT_LAZY is not set (rt: y)" in finding.summary


def test_timer_resolution_is_tried(tmp_path: Path) -> None:
    coarse = answer(tmp_path, "high_resolution_timers", SERVER, REFUSED)
    assert (coarse.status, "4 ms coarse" in coarse.summary) == ("warn", True)


def test_realtime_groups_of_version_2_are_judged_by_trying(tmp_path: Path) -> None:
    files = {**SERVER, **GROUP, "/sys/fs/cgroup/user.slice/cpu.max": "max 100000"}
    assert answer(tmp_path, "rt_group_sched", files, REFUSED).status == "warn"
    assert answer(tmp_path, "rt_group_sched", files, Probes(lambda: Trial(99))).status == "ok"


@pytest.mark.parametrize(("count", "expected"), [(3, "ok"), (500, "warn")])
def test_firmware_interrupts_are_counted_where_the_processor_does(tmp_path: Path, count: int, expected: str) -> None:
    make(tmp_path, SERVER)
    msr = tmp_path / "dev/cpu/1/msr"
    msr.parent.mkdir(parents=True)
    msr.write_bytes(bytes(0x34) + struct.pack("<Q", count))
    finding = import_module("rtgauge.audit.firmware").check(System(tmp_path))
    assert (finding.status, finding.summary.startswith(f"{count} since")) == (expected, True)


PERMISSION = [
    ({}, "limits", "RLIMIT_RTPRIO"),
    ({"/.dockerenv": "", "/proc/self/status": status(bounding=0x800425FB)}, "container", "container was started"),
    ({"/.dockerenv": ""}, "limits", "RLIMIT_RTPRIO"),  # the container has the permission, its user has not
    ({**V1, f"{V1_FOLDER}/cpu.rt_runtime_us": "0"}, "rt-group", "no real-time budget (RT_GROUP_SCHED)"),
    ({"/proc/sys/kernel/sched_rt_runtime_us": "0"}, "no-budget", "budget is 0"),
    ({"/proc/self/status": status(1 << 23, seccomp=2)}, "refused", "seccomp"),
    ({"/proc/self/limits": limits("99", "unlimited")}, "refused", "seccomp"),
]


@pytest.mark.parametrize(("changes", "cause", "part"), PERMISSION, ids=[case[1] for case in PERMISSION])
def test_a_refused_policy_names_its_cause(tmp_path: Path, changes: dict[str, str], cause: str, part: str) -> None:
    from rtgauge.audit import realtime_permission

    finding = answer(tmp_path, "realtime_permission", {**SERVER, **changes}, REFUSED)
    assert finding.status == "fail"
    assert part in finding.summary
    assert realtime_permission.cause(System(tmp_path), Trial(0, "no")) == cause


def test_a_partial_permission_is_a_warning(tmp_path: Path) -> None:
    finding = answer(tmp_path, "realtime_permission", SERVER, Probes(lambda: Trial(40)))
    assert (finding.status, finding.summary) == ("warn", "SCHED_FIFO is granted up to 40 of 99 only")
