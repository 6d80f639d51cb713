"""docs/gate.md: its YAML parses, its commands are commands, its baseline is one, its tables are the code's."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli._parser import parse
from rtgauge.gate.reading import parse as parse_baseline
from rtgauge.gate.text import write

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gate.md"
TEXT = PAGE.read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.S)


def loaded() -> list[Any]:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    return [yaml.safe_load(block) for block in blocks("yaml")]


def test_the_jobs_are_what_github_and_gitlab_expect() -> None:
    github, gitlab = loaded()
    assert github[True] == ["pull_request"]  # YAML 1.1 reads `on` as true; so does everybody who reads these files
    steps = github["jobs"]["gate"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert sum("rtgauge gate" in step.get("run", "") for step in steps) == 2
    assert gitlab["latency"]["artifacts"]["reports"] == {"junit": "gate.xml"}
    assert all(isinstance(line, str) for line in gitlab["latency"]["script"])


def commands() -> Iterator[str]:
    """Every line of the page that begins with the command, without what the shell makes of it."""
    for line in TEXT.splitlines():
        match = re.match(r"(?:    |      - run: |    - |)(rtgauge (?!baseline).*)", line)
        if match and "..." not in match[1]:
            yield re.split(r" \|\| |  +#", match[1])[0]


def test_its_commands_are_understood() -> None:
    found = list(commands())
    assert len(found) >= 12
    for command in found:
        assert parse(shlex.split(command)[1:]).command_line[0] == "rtgauge"


def test_its_scripts_are_shell() -> None:
    for script in [*blocks("sh"), *(command for command in commands())]:
        subprocess.run(["sh", "-n", "-c", script], check=True)


def test_its_baseline_is_one() -> None:
    shown = TEXT.split("change of one line:\n\n")[1].split("\n\nBefore the colon")[0]
    text = "\n".join(line[4:] for line in shown.splitlines())
    side = parse_baseline(text, "docs/gate.md")
    assert len(side.lines) == 2
    assert [line for line in write(side).splitlines() if line[0:1] != "#"] == text.splitlines()


def test_its_figures_are_those_of_the_simulation() -> None:
    """As far as that can be told without running it: each law and number of runs has its row."""
    for law in ("normal", "lognormal", "heavy", "places", "session"):
        assert re.search(rf"^\| {law} \|( [0-9.]+ % \|){{4}}$", TEXT, re.M), law
