"""Several whole runs of the same, side by side (`rtgauge run --repeat N`)."""

from rtgauge.repeats.export import to_json
from rtgauge.repeats.joined import join
from rtgauge.repeats.one import one_run
from rtgauge.repeats.values import OneRun, Repeated, Repeats

__all__ = ["OneRun", "Repeated", "Repeats", "join", "one_run", "to_json"]
