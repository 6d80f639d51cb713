"""rtgauge doctor as a user meets it, without privilege too."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import rtgauge.doctor
from rtgauge.cli import doctor
from rtgauge.doctor import Diagnosis, Need, Step

GOOD = Diagnosis({"local": (Need("engine", "ok", "there"),)}, ())
BAD = Diagnosis(
    {"local": (Need("engine", "ok", "there"), Need("real-time scheduling", "missing", "refused", "below"))},
    (Step("First [step]", "Why \x1b[1m so.", ("do " + "x" * 200,), "Then."),),
)


def run(monkeypatch: pytest.MonkeyPatch, diagnosis: Diagnosis, *words: str) -> int:
    parser = argparse.ArgumentParser()
    doctor.add_arguments(parser)
    monkeypatch.setattr(rtgauge.doctor, "diagnose", lambda _store: diagnosis)
    return doctor.run(parser.parse_args(words))


def test_nothing_missing_is_exit_code_0(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, GOOD) == 0
    assert "local: usable" in capsys.readouterr().out


def test_something_missing_is_exit_code_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, BAD) == 3
    text = capsys.readouterr().out
    assert "1. First [step]" in text
    assert "     do " + "x" * 200 + "\n" in text  # a command stays one line
    assert "\x1b" not in text


def test_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, BAD, "--json") == 3
    found = json.loads(capsys.readouterr().out)
    assert found["targets"]["local"]["usable"] is False
    assert found["steps"][0]["title"] == "First [step]"


AS_NOBODY = """
import argparse, os, resource, sys
from rtgauge.cli import doctor
parser = argparse.ArgumentParser()
doctor.add_arguments(parser)
if os.getuid() == 0:
    quiet, out = open(os.devnull, "w"), sys.stdout
    for words in ([], ["--json"]):  # while what it imports can still be read
        sys.stdout = quiet
        doctor.run(parser.parse_args(words))
    sys.stdout = out
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    os.environ.pop("SUDO_USER", None)
sys.exit(doctor.run(parser.parse_args(sys.argv[1:])))
"""


def as_nobody(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the doctor as a user without privilege: `nobody` when we are root, else ourselves."""
    if os.geteuid() != 0 and resource.getrlimit(resource.RLIMIT_RTPRIO) != (0, 0):
        pytest.skip("this user has a limit for real-time priorities")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, *words], capture_output=True, text=True, env=env, timeout=120, check=False
    )
    if "PermissionError" in done.stderr and "setgroups" in done.stderr:
        pytest.skip("this sandbox does not let root become another user")
    return done


@pytest.fixture(scope="module")
def unprivileged() -> dict[str, object]:
    done = as_nobody("--json", "--store", "/tmp")
    assert done.returncode == 3, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_without_privilege_the_local_target_is_not_usable(
    unprivileged: dict[str, dict[str, dict[str, object]]],
) -> None:
    needs = unprivileged["targets"]["local"]["needs"]
    assert isinstance(needs, list)
    realtime = next(each for each in needs if each["name"] == "real-time scheduling")
    assert realtime["status"] == "missing"
    assert "SCHED_FIFO is refused" in realtime["found"]


def test_without_privilege_the_limits_come_first(unprivileged: dict[str, list[dict[str, object]]]) -> None:
    if not str(unprivileged["steps"][0]["title"]).startswith("Limits"):
        pytest.skip(f"here something else stands in the way: {unprivileged['steps'][0]['title']}")
    titles = [str(step["title"]) for step in unprivileged["steps"]]
    assert titles[0] == "Limits for a group realtime"
    assert titles[-1].startswith("File capabilities")
    commands = unprivileged["steps"][0]["commands"]
    assert isinstance(commands, list)
    assert any("/etc/security/limits.d/99-realtime.conf" in command for command in commands)


def test_without_privilege_the_text_names_the_limits_before_capabilities() -> None:
    done = as_nobody("--store", "/tmp")
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    if "limits.d" in done.stdout:
        assert done.stdout.index("limits.d/99-realtime.conf") < done.stdout.index("setcap")


@pytest.mark.realtime
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make a file that root owns")
def test_a_copy_made_as_advised_is_recognised(tmp_path: Path) -> None:
    """The third step of the advice, followed: a root-owned copy with capabilities."""
    from rtgauge.doctor._engine import granted, present
    from rtgauge.targets.local import engine

    source = present(engine)
    if source is None:
        pytest.skip("the engine is not built")
    copy = tmp_path / "rtgauge-engine"
    copy.write_bytes(source.read_bytes())
    copy.chmod(0o750)
    if subprocess.run(["setcap", "cap_sys_nice,cap_ipc_lock=ep", copy], capture_output=True, check=False).returncode:
        pytest.skip("setcap does not work here")
    found = granted(copy, no_new_privileges=False)
    assert found is not None
    assert found.names == {"cap_sys_nice", "cap_ipc_lock"}
    assert found.unsafe == ""
    copy.chmod(0o755)
    again = granted(copy, no_new_privileges=True)
    assert again is not None
    assert (again.unsafe, "no_new_privs" in again.void) == ("every user may run it", True)
