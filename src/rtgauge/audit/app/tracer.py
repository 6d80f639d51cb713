"""Does a debugger hold the program?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation

TOPIC = Topic(
    "debugger",
    "A program under ptrace (a debugger, strace) stops at each signal, and with strace at each system call, until the "
    "tracer has run.",
    "Detach the tracer; watch with kernel events instead (perf trace, trace-cmd).",
)


def check(seen: Observation) -> Finding:
    evidence = (f"/proc/{seen.pid}/status TracerPid", str(seen.tracer))
    if seen.tracer:
        return TOPIC.fail(f"process {seen.tracer} traces it", evidence)
    return TOPIC.ok("none attached", evidence)
