"""Can kernel code be pre-empted, and how far?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System, chosen

TOPIC = Topic(
    "preemption model",
    "A thread that becomes ready waits until the kernel lets go of the processor. Only with PREEMPT_RT are nearly all "
    "locks and interrupt handlers pre-emptible; with none or voluntary a long system call of any process delays it by "
    "milliseconds.",
    "Boot a kernel built with CONFIG_PREEMPT_RT=y (Debian: apt install linux-image-rt-amd64; Ubuntu: pro enable "
    "realtime-kernel). Without one, a PREEMPT_DYNAMIC kernel takes the kernel parameter preempt=full.",
    "rt-patch-applied",
)
DEBUG = "/sys/kernel/debug/sched/preempt"
CHOICES = {
    "CONFIG_PREEMPT": "full",
    "CONFIG_PREEMPT_LAZY": "lazy",
    "CONFIG_PREEMPT_VOLUNTARY": "voluntary",
    "CONFIG_PREEMPT_NONE": "none",
}


def check(system: System) -> Finding:
    if not system.version:
        return TOPIC.unread(system.version)
    if system.realtime_kernel:
        return TOPIC.ok("PREEMPT_RT", system.version, system.read("/sys/kernel/realtime"))
    if "PREEMPT_DYNAMIC" in system.version.text:
        return _dynamic(system)
    if "PREEMPT" in system.version.text:
        return TOPIC.warn("full pre-emption (PREEMPT), not PREEMPT_RT", system.version)
    model = _built(system) or "none or voluntary"
    return TOPIC.warn(f"{model}: the kernel is not PREEMPT_RT", system.version)


def _dynamic(system: System) -> Finding:
    debug = system.read(DEBUG)
    asked = system.parameter("preempt")
    if debug:
        model, source = chosen(debug.text), debug.pair
    elif "preempt" in system.parameters:
        model, source = asked[1], asked
    elif built := _built(system):
        model, source = built, (system.config[1].path, f"CONFIG_PREEMPT_{built.upper()} is the default")
    else:
        summary = "PREEMPT_DYNAMIC, not PREEMPT_RT; the model in force cannot be read"
        return TOPIC.warn(summary, system.version, debug, asked, system.config[1])
    return TOPIC.warn(f"{model} (PREEMPT_DYNAMIC), not PREEMPT_RT", system.version, source, asked)


def _built(system: System) -> str:
    return next((model for option, model in CHOICES.items() if system.option(option) == "y"), "")
