"""From the words of --load to loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.loads import GROUPS, Chosen, choose, offered
from rtgauge.loads.running import cpus_for
from rtgauge.loads.words import told
from rtgauge.model import LoadInfo

SEVEN = tuple(LoadInfo(name, f"what {name} does", "continuous", "things", 0) for name in GROUPS["heavy"])


@pytest.fixture(autouse=True)
def _programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the two programs is there."""
    program = tmp_path / "hackbench"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))


def names(chosen: Chosen) -> tuple[str, tuple[str, ...], list[str]]:
    return chosen.name, chosen.engine, [load.name for load in chosen.host]


def test_names() -> None:
    assert names(choose("none", (), "fake", False)) == ("none", (), [])
    assert names(choose("cpu", SEVEN, "fake", False)) == ("cpu", ("cpu",), [])
    assert names(choose("cpu+disk+cpu", SEVEN, "fake", False)) == ("cpu+disk", ("cpu", "disk"), [])
    assert names(choose("heavy", SEVEN, "fake", False)) == ("heavy", GROUPS["heavy"], [])
    assert names(choose("disk+heavy", SEVEN, "fake", False))[1] == (
        "disk",
        *[n for n in GROUPS["heavy"] if n != "disk"],
    )
    assert names(choose("cpu+hackbench", SEVEN, "local", True)) == ("cpu+hackbench", ("cpu",), ["hackbench"])


def test_an_unknown_name_lists_the_legal_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown load 'hevy': did you mean heavy\? legal are cpu, disk, .*heavy"):
        choose("hevy", SEVEN, "fake", False)
    for text in ("cpu+", "", "+", "none+cpu"):
        with pytest.raises(UsageError, match="unknown load"):
            choose(text, SEVEN, "fake", False)


def test_heavy_is_offered_only_whole() -> None:
    assert "heavy" in {row["name"] for row in offered(SEVEN, False)}
    assert "heavy" not in {row["name"] for row in offered(SEVEN[1:], False)}


def test_a_program_runs_on_this_machine_only() -> None:
    with pytest.raises(UsageError, match="load hackbench is a program that runs on this machine, target fake is not"):
        choose("hackbench", SEVEN, "fake", False)
    assert not {row["name"] for row in offered(SEVEN, False)} & {"hackbench", "stress-ng"}


def test_a_program_that_the_target_starts_itself() -> None:
    chosen = choose("cpu+hackbench", SEVEN, "lab:linux-rt", False, ["hackbench"])
    assert names(chosen) == ("cpu+hackbench", ("cpu",), [])
    (row,) = [row for row in offered(SEVEN, False, ["hackbench"]) if row["name"] == "hackbench"]
    assert (row["where"], row["missing"]) == ("the target", None)
    with pytest.raises(UsageError, match="load stress-ng is a program that runs on this machine"):
        choose("stress-ng", SEVEN, "lab:linux-rt", False, ["hackbench"])


def test_a_missing_program_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        TargetError, match="load stress-ng: the program stress-ng is missing: install the package stress"
    ):
        choose("stress-ng", SEVEN, "local", True)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(TargetError, match="install the package rt-tests, or use messaging"):
        choose("hackbench", SEVEN, "local", True)
    rows = {row["name"]: row for row in offered(SEVEN, True)}
    assert "rt-tests" in rows["hackbench"]["missing"]
    assert rows["cpu"]["missing"] is None


def test_where_programs_run() -> None:
    assert cpus_for("one", 1, (0, 1, 3)) == (1,)
    assert cpus_for("one", -1, (0, 1, 3)) == (3,)
    assert cpus_for("all", 1, (0, 1, 3)) == (0, 1, 3)
    assert cpus_for("reserved", 1, (0, 1, 3)) == (0, 3)


def test_words() -> None:
    load = {"unit": "ns", "wanted": 100_000_000, "achieved": 98_487_954, "implementation": "engine", "reached": True}
    load |= {"args": "1 process on CPU 1", "note": None}
    assert told(load) == "98.49 ms of work per second of 100 ms wanted, 1 process on CPU 1"
    load |= {"reached": False, "note": "why"}
    assert told(load).endswith(": not reached (why)")
    load |= {"unit": "bytes", "wanted": 0, "achieved": 23_578_958_757, "reached": True, "note": None}
    assert told(load).startswith("23.6 GB per second, 1 process")
    load |= {"unit": "messages", "achieved": 12, "implementation": "hackbench", "args": "-l 1 on CPU 0"}
    assert told(load) == "12 messages per second, hackbench -l 1 on CPU 0"
