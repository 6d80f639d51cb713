"""Is the kernel being traced?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "kernel tracing",
    "An active tracer adds its own time to each traced function, up to doubling latencies.",
)
PLACES = ("/sys/kernel/tracing", "/sys/kernel/debug/tracing")


def check(system: System) -> Finding:
    readings = [system.read(f"{place}/current_tracer") for place in PLACES]
    tracer = next((one for one in readings if one), None)
    if tracer is None:
        return TOPIC.unread(readings[0])
    place = tracer.path.rsplit("/", 1)[0]
    events = system.read(f"{place}/events/enable")
    if tracer.text != "nop":
        return TOPIC.warn(f"tracer {tracer.text}", tracer, events, fix=f"As root: echo nop > {tracer.path}")
    if not events:
        return TOPIC.unread(events)
    if events.text not in ("0", ""):
        return TOPIC.warn("events are being recorded", tracer, events, fix=f"As root: echo 0 > {events.path}")
    return TOPIC.ok("off", tracer, events)
