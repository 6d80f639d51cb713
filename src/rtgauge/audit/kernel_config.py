"""The kernel's build options against those published for a PREEMPT_RT kernel."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System
from rtgauge.reference import rows

TOPIC = Topic(
    "kernel configuration",
    "The options decide which parts of the kernel can be pre-empted; a single one left at its desktop or server value "
    "brings back delays of milliseconds.",
    "Choose a real-time kernel of the distribution, or build one: scripts/config -e EXPERT -e PREEMPT_RT "
    "-e HIGH_RES_TIMERS -d SCHED_CORE && make olddefconfig.",
    "config-options",
)
# How PREEMPT_RT and the plain models exclude each other was laid out anew in 6.13, and the patches for versions before
# 6.12 had a lazy model of their own: these rows are true of the patched kernels only.
PATCH_ONLY = {"CONFIG_PREEMPT", "CONFIG_PREEMPT_LAZY", "CONFIG_HAVE_PREEMPT_LAZY"}


def check(system: System) -> Finding:
    options, source = system.config
    if options is None:
        return TOPIC.unread(source)
    expected = {row["symbol"]: row["value"] for row in rows("kernel_config") if row["preemption_model"] == "rt"}
    if system.kernel >= (6, 12):
        expected = {name: value for name, value in expected.items() if name not in PATCH_ONLY}
    expected["CONFIG_HIGH_RES_TIMERS"] = "y"
    found = {name: "not set" if options.get(name, "n") == "n" else options[name] for name in expected}
    wrong = [f"{name} is {found[name]} (rt: {expected[name]})" for name in expected if found[name] != expected[name]]
    evidence = [(f"{source.path} {name}", value) for name, value in found.items()]
    if not wrong:
        return TOPIC.ok(f"all {len(expected)} options of the real-time model are set", *evidence)
    return TOPIC.warn(f"{len(wrong)} of {len(expected)} options differ: {'; '.join(wrong)}", *evidence)
