"""Which steps fit which cause, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge.audit import System
from rtgauge.audit.realtime_permission import Cause
from rtgauge.doctor import _advice
from rtgauge.doctor._advice import Step, steps
from tests.audit.test_checks import V1, V1_FOLDER
from tests.audit.trees import SERVER, limits, make, status

LIMITS, SERVICE, CAPABILITIES = "Limits for a group", "Services", "File capabilities"
START, BUDGET, GROUP = "Start the container with the perm", "Start the container with a real", "Give the control group"
NO_BUDGET = {**V1, f"{V1_FOLDER}/cpu.rt_runtime_us": "0"}
DOCKER = {"/.dockerenv": "", "/proc/self/status": status(bounding=0x800425FB)}
READ_ONLY = {"/proc/self/mounts": "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup ro,cpu,cpuacct 0 0\n"}

CASES = [
    ("limits", {}, [LIMITS, SERVICE, CAPABILITIES]),
    ("limits", {"/.dockerenv": ""}, [LIMITS, SERVICE, START, CAPABILITIES]),
    ("container", DOCKER, [START]),
    ("rt-group", NO_BUDGET, [GROUP, LIMITS, SERVICE, CAPABILITIES]),
    ("rt-group", {**NO_BUDGET, "/proc/self/limits": limits("99", "unlimited")}, [GROUP]),
    ("rt-group", {**NO_BUDGET, "/proc/self/status": status(1 << 23 | 1 << 14)}, [GROUP]),
    ("rt-group", {**NO_BUDGET, **DOCKER, **READ_ONLY, "/proc/self/limits": limits("99", "unlimited")}, [BUDGET]),
    ("no-budget", {"/proc/self/limits": limits("99", "unlimited")}, ["Give real-time threads a budget"]),
    ("refused", {}, ["Find what forbids it"]),
    ("refused", {"/.dockerenv": ""}, [START]),
    ("", {}, [LIMITS, SERVICE, CAPABILITIES]),  # only the memory lock is missing
]


@pytest.mark.parametrize(("why", "changes", "titles"), CASES)
def test_steps(tmp_path: Path, why: Cause, changes: dict[str, str], titles: list[str]) -> None:
    found = steps(why, System(make(tmp_path, {**SERVER, **changes})))
    assert len(found) == len(titles), [step.title for step in found]
    for step, title in zip(found, titles, strict=True):
        assert step.title.startswith(title)


def text(step: Step) -> str:
    return "\n".join((step.title, step.why, *step.commands, step.then))


def test_the_limits_step_has_the_exact_lines() -> None:
    commands = _advice.limits("alice", in_place=False, raisable=True).commands
    assert "sudo usermod --append --groups realtime alice" in commands
    assert "'@realtime - rtprio 99' '@realtime - memlock unlimited'" in commands[-1]
    assert commands[-1].endswith("| sudo tee /etc/security/limits.d/99-realtime.conf")


def test_limits_that_are_written_only_need_a_login() -> None:
    step = _advice.limits("alice", in_place=True, raisable=True)
    assert (step.title, step.commands) == ("Log out and in again", ())


def test_limits_that_nobody_here_can_raise_are_called_so() -> None:
    assert "CAP_SYS_RESOURCE" in _advice.limits("alice", in_place=False, raisable=False).then
    assert "CAP_SYS_RESOURCE" not in _advice.limits("alice", in_place=False, raisable=True).then


def test_capabilities_go_to_a_closed_copy_and_say_why() -> None:
    step = _advice.file_capabilities("/home/a b/engine")
    assert step.commands[0] == "ENGINE='/home/a b/engine'"
    assert any("-o root -g realtime -m 0750" in command for command in step.commands)
    assert not any("setcap" in command and "$ENGINE" in command for command in step.commands)
    assert "never on the engine in the Python environment" in step.why


def test_a_hostile_user_name_is_quoted() -> None:
    assert _advice.limits("a; reboot", False, True).commands[1].endswith("'a; reboot'")


# ---- docs/permissions.md says the same ------------------------------------------------------------------------------

EVERY = (
    _advice.limits("USER", in_place=False, raisable=True),
    _advice.service(),
    _advice.file_capabilities("/path/to/rtgauge-engine"),
    _advice.container_start(),
    _advice.container_group(),
    _advice.group_budget("/sys/fs/cgroup/cpu/the/group"),
    _advice.system_budget(),
    _advice.sandbox(),
)


def documented() -> str:
    return (Path(__file__).parents[2] / "docs/permissions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("step", EVERY, ids=lambda step: step.title)
def test_every_command_is_in_the_documentation(step: Step) -> None:
    lines = {line.strip() for line in documented().splitlines()}
    for command in step.commands:
        assert command.replace(" USER", ' "$USER"') in lines


def test_the_documentation_has_no_command_that_the_doctor_does_not_print() -> None:
    printed = {command.replace(" USER", ' "$USER"') for step in EVERY for command in step.commands}
    shown = {line.strip() for line in documented().splitlines() if line.startswith("    ")}
    assert shown - printed == {"[Service]", "LimitRTPRIO=99", "LimitMEMLOCK=infinity"}


def test_the_documentation_keeps_the_order() -> None:
    places = [documented().index(step.commands[-1].replace(" USER", ' "$USER"')) for step in EVERY[:3]]
    assert places == sorted(places)
