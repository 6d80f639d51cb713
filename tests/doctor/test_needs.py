"""What the doctor says of engine, store, packages and privileges of files."""

from __future__ import annotations

import re
import stat
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from rtgauge.audit import Probes, System
from rtgauge.audit._probes import Trial
from rtgauge.doctor import _engine, diagnose, local
from rtgauge.doctor._engine import Granted, capabilities, misuse
from rtgauge.doctor._need import Need
from tests.audit.trees import SERVER, TUNED, make, status

BOTH = 1 << 23 | 1 << 14


def attribute(permitted: int, effective: bool = True) -> bytes:
    return struct.pack("<IIIII", 0x02000000 | effective, permitted, 0, 0, 0)


def test_capabilities_are_read_from_the_attribute() -> None:
    assert capabilities(attribute(BOTH)) == {"cap_sys_nice", "cap_ipc_lock"}
    assert capabilities(attribute(1 << 23)) == {"cap_sys_nice"}
    assert capabilities(attribute(BOTH, effective=False)) == frozenset()
    assert capabilities(b"") == frozenset()


@pytest.mark.parametrize(
    ("owner", "mode", "part"),
    [
        (0, 0o750, ""),
        (1000, 0o750, "does not belong to root"),
        (0, 0o770, "may write"),
        (0, 0o755, "every user may run"),
    ],
)
def test_files_with_capabilities_must_be_closed_to_others(owner: int, mode: int, part: str) -> None:
    assert part in misuse(owner, stat.S_IFREG | mode)
    assert bool(misuse(owner, stat.S_IFREG | mode)) == bool(part)


def by_name(needs: Sequence[Need]) -> dict[str, Need]:
    return {need.name: need for need in needs}


def examined(root: Path, files: dict[str, str], store: Path, trial: Trial) -> dict[str, Need]:
    return by_name(local.needs(System(make(root, files), Probes(lambda: trial)), store))


def use_engine(monkeypatch: pytest.MonkeyPatch, extra: Granted | None) -> None:
    monkeypatch.setattr(local, "runs", lambda _kind: Need("engine", "ok", "rtgauge-engine 1, 3 tests, /e"))
    monkeypatch.setattr(local, "engine_grants", lambda _system: extra)


def test_a_prepared_machine_lacks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, None)
    needs = examined(tmp_path / "sys", TUNED, tmp_path / "store", Trial(99))
    assert {need.status for need in needs.values()} == {"ok"}, needs


def test_a_normal_user_lacks_both_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, None)
    needs = examined(tmp_path / "sys", SERVER, tmp_path / "store", Trial(0, "Operation not permitted"))
    assert {name for name, need in needs.items() if need.status == "missing"} == {"real-time scheduling", "memory lock"}


def test_a_partial_permission_is_missing_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, None)
    found = [examined(tmp_path / "sys", TUNED, tmp_path, Trial(n))["real-time scheduling"].status for n in (40, 80, 81)]
    assert found == ["missing", "missing", "ok"]  # tests go up to 80, the watchdog has to be above them


def test_capabilities_of_the_engine_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Trial(0, "Operation not permitted")
    use_engine(monkeypatch, Granted(Path("/e"), capabilities(attribute(BOTH))))
    needs = examined(tmp_path / "sys", SERVER, tmp_path, refused)
    assert [needs[name].status for name in ("real-time scheduling", "memory lock")] == ["ok", "ok"]
    assert "file capabilities" not in needs

    use_engine(monkeypatch, Granted(Path("/e"), capabilities(attribute(BOTH)), void="mounted nosuid", unsafe="open"))
    needs = examined(tmp_path / "sys", SERVER, tmp_path, refused)
    assert [needs[name].status for name in ("real-time scheduling", "memory lock")] == ["missing", "missing"]
    assert "mounted nosuid" in needs["real-time scheduling"].found
    assert needs["file capabilities"].status == "note"


def test_containers_and_groups_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, None)
    files = {**SERVER, "/.dockerenv": "", "/proc/self/status": status(bounding=0)}
    files["/proc/self/mounts"] = "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
    files["/proc/self/cgroup"] = "3:cpu:/box\n"
    files["/sys/fs/cgroup/cpu/box/cpu.rt_runtime_us"] = "0"
    needs = examined(tmp_path / "sys", files, tmp_path, Trial(0, "Operation not permitted"))
    assert "/.dockerenv: there" in needs["container"].found
    assert "/sys/fs/cgroup/cpu/box has no real-time budget" in needs["RT_GROUP_SCHED"].found
    assert "RT_GROUP_SCHED" in needs["real-time scheduling"].found


def test_a_store_in_the_place_of_a_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert local._store(tmp_path / "file" / "store").status == "missing"
    assert local._store(tmp_path / "a" / "b").status == "ok"
    assert not (tmp_path / "a").exists()


def test_a_full_disk_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "SPACE", 1 << 62)
    assert "MiB are free" in local._store(tmp_path).found


def test_a_broken_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "PACKAGES", {"no-such-package": "no_such_package_at_all"})
    need = local._packages()
    assert (need.status, "no-such-package (ModuleNotFoundError" in need.found) == ("missing", True)


def test_the_packages_are_those_of_the_project() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^dependencies = \[(.*?)^\]", text, re.M | re.S)
    assert listed
    always = re.findall(r'"([\w-]+)[^";]*"', listed[1])  # one that only some Pythons need has a condition
    assert set(always) == set(local.PACKAGES)


@pytest.mark.parametrize("script", ["exit 3", "kill -9 $$"])
def test_an_engine_that_does_not_run_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    engine = tmp_path / "engine"
    engine.write_text(f"#!/bin/sh\n{script}\n")
    engine.chmod(0o755)
    monkeypatch.setenv("RTGAUGE_ENGINE", str(engine))
    assert _engine.runs("local").status == "missing"


def test_the_diagnosis_has_steps_only_for_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, None)
    tuned = diagnose(tmp_path, System(make(tmp_path / "tuned", TUNED), Probes(lambda: Trial(99))))
    assert (tuned.steps, tuned.usable("local")) == ((), True)
    plain = diagnose(tmp_path, System(make(tmp_path / "plain", SERVER), Probes(lambda: Trial(0, "no"))))
    assert (bool(plain.steps), plain.usable("local")) == (True, False)
    assert sorted(plain.needs) == ["bench", "fake", "lab", "local", "posix", "reservation", "serial"]
    assert set(plain.as_dict()) == {"targets", "steps"}
