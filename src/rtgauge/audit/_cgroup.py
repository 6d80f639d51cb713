"""Where this process stands in the hierarchy of control groups for processor time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rtgauge.audit._system import System


@dataclass(frozen=True)
class Group:
    """One group of the cpu controller."""

    version: int  # 1 or 2
    mount: str
    path: str  # below the mount, "/" for its root
    writable: bool = True  # as it is mounted

    @property
    def folder(self) -> str:
        return self.mount + self.path.rstrip("/")

    def chain(self) -> Iterator[Group]:
        """This group and those above it, the root last."""
        parts = [part for part in self.path.split("/") if part]
        for length in range(len(parts), -1, -1):
            yield replace(self, path="/" + "/".join(parts[:length]))


def cpu_group(system: System) -> Group | None:
    """The group that controls this process's processor time, None where there is no cpu controller."""
    paths = {}
    for line in system.read("/proc/self/cgroup").text.splitlines():
        _, _, rest = line.partition(":")
        controllers, colon, path = rest.partition(":")
        paths.update({name: path for name in controllers.split(",") if colon})
    mounts = [line.split()[:4] for line in system.read("/proc/self/mounts").text.splitlines() if line.count(" ") >= 3]
    for _, mount, kind, options in mounts:
        if kind == "cgroup" and "cpu" in options.split(",") and "cpu" in paths:
            return _visible(system, Group(1, mount, paths["cpu"], "rw" in options.split(",")))
    if "cpu" in paths:
        return None
    for _, mount, kind, options in mounts:
        if kind == "cgroup2" and "" in paths:
            return _visible(system, Group(2, mount, paths[""], "rw" in options.split(",")))
    return None


def _visible(system: System, group: Group) -> Group:
    # Inside a container the path may be the host's while the mount shows only the own part.
    return group if system.exists(group.folder) else replace(group, path="/")
