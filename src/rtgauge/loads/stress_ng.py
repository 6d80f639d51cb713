"""stress-ng: four of its stressors on each CPU."""

from __future__ import annotations

import re

from rtgauge.loads.base import HostLoad

STRESSORS = ("cpu", "vm", "switch", "timer")
_LINE = re.compile(r"^stress-ng: +\w+: +\[[0-9]+\] +([a-z][a-z0-9-]*) +([0-9]+) +[0-9.]+ ", re.MULTILINE)


def _operations(output: str) -> int:
    return sum(int(count) for name, count in _LINE.findall(output) if name in STRESSORS)


def _args(cpus: int) -> tuple[str, ...]:
    each = [word for name in STRESSORS for word in (f"--{name}", str(cpus))]
    return (*each, "--vm-bytes", "64M", "--temp-path", ".", "--timeout", "0", "--metrics-brief")


LOAD = HostLoad(
    name="stress-ng",
    program="stress-ng",
    package="stress-ng",
    what=f"the stressors {', '.join(STRESSORS)} of stress-ng, one of each for each CPU",
    degree="continuous",
    unit="operations",
    args=_args,
    count=_operations,
    endless=True,
)
