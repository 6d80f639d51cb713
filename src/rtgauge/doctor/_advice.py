"""How to get permission for real-time scheduling and locked memory: the least dangerous way first.

docs/permissions.md says the same for readers; a test compares the commands.
"""

from __future__ import annotations

import grp
import os
import pwd
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rtgauge.audit import System, memory_lock, realtime_permission
from rtgauge.audit._cgroup import cpu_group
from rtgauge.audit._probes import TOP, Trial
from rtgauge.audit._system import CAP_SYS_NICE, CAP_SYS_RESOURCE
from rtgauge.audit.container import in_container
from rtgauge.audit.realtime_permission import Cause, cause
from rtgauge.audit.rt_group_sched import BUDGET, MOVE_OUT, without_budget
from rtgauge.doctor._need import Need

GROUP = "realtime"
LIMITS_FILE = "/etc/security/limits.d/99-realtime.conf"
LIMITS = ("@realtime - rtprio 99", "@realtime - memlock unlimited")
COPY = "/usr/local/libexec/rtgauge-engine"
NEEDS = ("real-time scheduling", "memory lock")  # what the steps are about


@dataclass(frozen=True)
class Step:
    title: str
    why: str
    commands: tuple[str, ...] = ()
    then: str = ""  # what to do or expect after the commands

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def advise(system: System, needs: Sequence[Need]) -> tuple[Step, ...]:
    """The steps that fit the cause; none when nothing is missing."""
    if not any(need.status == "missing" and need.name in NEEDS for need in needs):
        return ()
    trial = system.probes.try_fifo() if system.probes.try_fifo else Trial(0, "not tried")
    return steps(cause(system, trial), system)


def steps(why: Cause, system: System) -> tuple[Step, ...]:
    """The steps for one cause."""
    if why == "rt-group":
        group = cpu_group(system)
        locked = in_container(system) and not (group and group.writable)
        first = container_group() if locked else group_budget(without_budget(system))
        return (first, *_if_limited(system))
    if why == "no-budget":
        return (system_budget(), *_if_limited(system))
    if why == "refused":
        return (container_start() if in_container(system) else sandbox(),)
    return _privilege(system)


def _if_limited(system: System) -> tuple[Step, ...]:
    """The steps for permission, where it would still be missing once there is a budget."""
    rtprio, _ = system.limit(realtime_permission.LIMIT)
    enough = system.capable(CAP_SYS_NICE) or rtprio == "unlimited" or (rtprio.isdigit() and int(rtprio) >= TOP)
    return () if enough and memory_lock.check(system).status == "ok" else _privilege(system)


def _privilege(system: System) -> tuple[Step, ...]:
    inside = in_container(system)
    if inside and not system.obtainable(CAP_SYS_NICE):
        return (container_start(),)
    user = login_name()
    first = limits(user, waiting_for_login(user), raisable=system.obtainable(CAP_SYS_RESOURCE))
    again = (container_start(),) if inside else ()
    return (first, service(), *again, file_capabilities(engine_path()))


# ---- a user of a plain system ---------------------------------------------------------------------------------------


def limits(user: str, in_place: bool, raisable: bool) -> Step:
    then = "Then log out and in again (a graphical session: completely). ulimit -r prints 99, ulimit -l unlimited."
    if not raisable:
        then += (
            " Nobody inside here may raise limits (CAP_SYS_RESOURCE is missing): they have to be given from outside."
        )
    if in_place:
        return Step(
            "Log out and in again",
            f"{LIMITS_FILE} is there and {user} is in the group {GROUP}; limits are given at login.",
            then="A graphical session has to end completely. Then ulimit -r prints 99, ulimit -l unlimited.",
        )
    return Step(
        f"Limits for a group {GROUP}",
        "The members of one group may use real-time priorities and lock memory, in programs that they start "
        "themselves; nothing else of the system changes.",
        (
            f"sudo groupadd --force --system {GROUP}",
            f"sudo usermod --append --groups {GROUP} {shlex.quote(user)}",
            f"printf '%s\\n' {' '.join(repr(line) for line in LIMITS)} | sudo tee {LIMITS_FILE}",
        ),
        then,
    )


def service() -> Step:
    return Step(
        "Services, CI runners and other work that nobody logs in for",
        "systemd does not read /etc/security; a unit has its own limits.",
        (
            'sudo systemd-run --pty --same-dir --uid="$(id -un)" -p LimitRTPRIO=99 -p LimitMEMLOCK=infinity '
            '"$(command -v rtgauge)" evaluate',
        ),
        "In a unit file, section [Service]: LimitRTPRIO=99 and LimitMEMLOCK=infinity.",
    )


def file_capabilities(engine: str) -> Step:
    return Step(
        "File capabilities, on a copy of the engine that belongs to root",
        "Only where limits cannot be given. Whoever can run such a file can stop the machine with it, and whoever can "
        "replace it has its privileges: so never on the engine in the Python environment, which its owner and every "
        "installation can write, and never on Python itself. The copy has to be renewed with each new version.",
        (
            f"ENGINE={shlex.quote(engine)}",
            f"sudo groupadd --force --system {GROUP}",
            f'sudo install -D -o root -g {GROUP} -m 0750 "$ENGINE" {COPY}',
            f"sudo setcap cap_sys_nice,cap_ipc_lock=ep {COPY}",
            f"export RTGAUGE_ENGINE={COPY}",
        ),
        f"Only members of the group {GROUP} can run it. sudo rm {COPY} takes it back.",
    )


# ---- containers and control groups ----------------------------------------------------------------------------------


def container_start() -> Step:
    return Step(
        "Start the container with the permission",
        "A container gets no real-time scheduling unless it is granted at the start; root inside it does not help.",
        (
            "docker run --cap-add SYS_NICE --ulimit rtprio=99 --ulimit memlock=-1 IMAGE",
            "podman run --cap-add SYS_NICE --ulimit rtprio=99 --ulimit memlock=-1 IMAGE",
        ),
        "Rootless podman cannot give more than its own user has: first the limits for that user, on the host.",
    )


def container_group() -> Step:
    return Step(
        "Start the container with a real-time budget",
        "The host's kernel has RT_GROUP_SCHED: each control group needs its own share of real-time runtime, the "
        "daemon's first.",
        (
            "sudo dockerd --cpu-rt-runtime 950000",
            "docker run --cpu-rt-runtime 900000 --cap-add SYS_NICE --ulimit rtprio=99 --ulimit memlock=-1 IMAGE",
        ),
        "This needs cgroup version 1; with version 2 boot the host with rt_group_sched=0 where its kernel knows it.",
    )


def group_budget(folder: str) -> Step:
    return Step(
        "Give the control group a real-time budget",
        f"The kernel has RT_GROUP_SCHED, and {folder} has a budget of 0: SCHED_FIFO is refused there even for root. "
        "The groups above it need one first, and those beside it share what is above.",
        (f"GROUP={shlex.quote(folder)}", f'echo 950000 | sudo tee "$GROUP/{BUDGET}"'),
        "Or start from a group that has one: the root group has all of it.",
    )


def system_budget() -> Step:
    return Step(
        "Give real-time threads a budget",
        "kernel.sched_rt_runtime_us is 0: no real-time thread may run on this system.",
        ("sudo sysctl -w kernel.sched_rt_runtime_us=950000",),
    )


def sandbox() -> Step:
    return Step(
        "Find what forbids it",
        "Limits and capabilities would allow SCHED_FIFO, so a seccomp filter, a sandbox, or RT_GROUP_SCHED in a cgroup "
        "of version 2 refuses it.",
        ("grep -E 'Seccomp|NoNewPrivs' /proc/self/status", "cat /proc/self/cgroup"),
        MOVE_OUT,
    )


# ---- who and where --------------------------------------------------------------------------------------------------


def login_name() -> str:
    """The user that needs the permission (behind sudo: the one who called it)."""
    if os.getuid() == 0 and "SUDO_USER" in os.environ:
        return os.environ["SUDO_USER"]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a user without an entry, as in some containers
        return "USER"


def waiting_for_login(user: str) -> bool:
    """Whether the limits are written already and only a new login is missing."""
    try:
        return user in grp.getgrnam(GROUP).gr_mem and LIMITS[0] in Path(LIMITS_FILE).read_text(encoding="utf-8")
    except (KeyError, OSError):
        return False


def engine_path() -> str:
    from rtgauge.errors import RtgaugeError
    from rtgauge.targets.local import engine

    try:
        return str(engine())
    except RtgaugeError:
        return "PATH-OF-THE-ENGINE"
