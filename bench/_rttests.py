"""Programs of rt-tests, run once, and what they wrote into their JSON file."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _engine import UnmeasuredError, last_cpu
from _readings import Reading

PRIORITY, LOOPS, INTERVAL_US = 90, 5000, 10
TIMEOUT_S = 60


def run_for_json(program: str, options: Sequence[str]) -> dict[str, Any]:
    """The document that `program` writes. UnmeasuredError when it is missing or fails."""
    if shutil.which(program) is None:
        raise UnmeasuredError(f"{program} is not installed (package rt-tests)")
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        command = [program, *options, f"--json={result}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise UnmeasuredError(f"{program} did not end within {TIMEOUT_S} s") from None
        if done.returncode != 0 or not result.exists():
            said = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise UnmeasuredError(f"{program} ended with {done.returncode}: {' '.join(said)}")
        document: dict[str, Any] = json.loads(result.read_text())
    return document


def version_of(document: dict[str, Any]) -> str:
    return str(document.get("rt_test_version:", "unknown"))


def pair_reading(document: dict[str, Any]) -> Reading:
    """The one pair of threads of ptsematest, pmqtest or sigwaittest; they tell whole microseconds, and no median."""
    pair = document["thread"]["0"]
    receiver = pair["receiver"]
    return Reading(n=pair["sender"]["samples"], min=receiver["min"] * 1e3, avg=receiver["avg"] * 1e3)


def hand_over(program: str, *more: str) -> tuple[Reading, str]:
    """One run of a program that passes something from one thread to another: its reading and its version."""
    options = ["-q", "-a", str(last_cpu()), "-t1", "-p", str(PRIORITY), "-i", str(INTERVAL_US), "-l", str(LOOPS), *more]
    document = run_for_json(program, options)
    return pair_reading(document), version_of(document)
