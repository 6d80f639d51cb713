"""Is this a container?"""

from __future__ import annotations

import re

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "container",
    "A container shares the kernel and processors of its host: the settings that decide are the host's, other "
    "containers are its load, and real-time scheduling is refused unless it was granted at the start.",
    "Measure on the host, or start the container with: docker run --cap-add SYS_NICE --ulimit rtprio=99 "
    "--ulimit memlock=-1 (podman takes the same), and say so in the report.",
)
MARKERS = ("/.dockerenv", "/run/.containerenv", "/run/systemd/container")
NAMES = re.compile(r"docker|containerd|kubepods|libpod|podman|lxc|crio|garden|buildkit")
SECCOMP = {"0": "no filter", "1": "strict", "2": "filter"}


def check(system: System) -> Finding:
    signs = evidence(system)
    seccomp = ("/proc/self/status Seccomp", SECCOMP.get(system.own_status.get("Seccomp", ""), "unknown"))
    if signs:
        return TOPIC.warn("this is a container", *signs, seccomp)
    if not system.own_status:
        return TOPIC.unread(system.read("/proc/self/status"))
    return TOPIC.ok("no sign of a container", seccomp, *((marker, "not there") for marker in MARKERS))


def in_container(system: System) -> bool:
    return bool(evidence(system))


def evidence(system: System) -> list[tuple[str, str]]:
    """What shows that this is a container; empty when nothing does."""
    found = [(marker, "there") for marker in MARKERS if system.exists(marker)]
    for path in ("/proc/1/cgroup", "/proc/self/cgroup"):
        if match := NAMES.search(system.read(path).text):
            found.append((path, match[0]))
    environment = system.read("/proc/1/environ").text
    if match := re.search(r"(?:^|\0)container=([\w.-]+)", environment):
        found.append(("/proc/1/environ container", match[1]))
    return found
