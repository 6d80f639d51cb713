"""Does the program take more memory while it runs?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._growth import steady
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import asleep
from rtgauge.units import format_size

TOPIC = Topic(
    "memory growth",
    "Memory that grows while running is allocated while running: page faults now, and the end of memory some day.",
    "Allocate at the start; use pools of fixed size for what comes and goes.",
    "memory-locked",
)


def check(seen: Observation) -> Finding:
    series = {name: [each[name] for each in seen.memory if name in each] for name in ("VmData", "VmRSS")}
    if any(len(values) < 2 for values in series.values()):
        return TOPIC.unknown(f"not checked: /proc/{seen.pid}/status shows no VmData or VmRSS")
    evidence: list[Evidence] = [
        (f"/proc/{seen.pid}/status {name}", " ".join(f"{value >> 10}" for value in values) + " KB")
        for name, values in series.items()
    ]
    growth = {name: values[-1] - values[0] for name, values in series.items()}
    words = ", ".join(
        f"{name} {'+' if change >= 0 else '-'}{format_size(abs(change))}" for name, change in growth.items()
    )
    if any(steady(values) for values in series.values()):
        return TOPIC.warn(f"growing steadily: {words} in {seen.seconds:.3g} s", *evidence)
    if any(change > 0 for change in growth.values()):
        fix = "Watch for longer, e.g. --watch 60, to tell a trend from an event."
        return TOPIC.unknown(f"not decided: {words} in {seen.seconds:.3g} s, in fewer steps than make a trend",
                             *evidence, fix=fix)  # fmt: skip
    if idle := asleep(seen, TOPIC):
        return idle
    return TOPIC.ok(f"not growing in {seen.seconds:.3g} s ({words})", *evidence)
