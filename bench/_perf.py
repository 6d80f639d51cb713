"""`perf bench sched pipe`: how long a word takes through one pipe and back through another."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

from _engine import UnmeasuredError, last_cpu
from _readings import Reading

PRIORITY, LOOPS, TIMEOUT_S = 90, 40000, 60  # some 0.3 s, so real-time throttling does not come into it
COUNT = re.compile(r"^# Executed (\d+) pipe operations between (?:two|2) (threads|processes)$", re.M)
EACH = re.compile(r"^\s*([0-9.]+) usecs/op$", re.M)


def parse_pipe(text: str, peers: str) -> Reading:
    """ValueError when this is not a whole result between `peers`, which is threads or processes."""
    count, each = COUNT.search(text), EACH.search(text)
    if count is None or each is None or count[2] != peers:
        raise ValueError(f"not a result of perf bench sched pipe between {peers}: {text!r}")
    return Reading(n=int(count[1]), avg=float(each[1]) * 1e3)


def parse_version(text: str) -> str:
    return text.strip().removeprefix("perf version ").strip()


def _on_the_cpu_under_test() -> None:
    os.sched_setaffinity(0, {last_cpu()})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))


def round_trip(peers: str) -> tuple[Reading, str]:
    """One run between two threads or processes of one CPU and one real-time priority, and perf's version."""
    if shutil.which("perf") is None:
        raise UnmeasuredError("perf is not installed (package linux-perf)")
    command = ["perf", "bench", "sched", "pipe", "-l", str(LOOPS), *(["-T"] if peers == "threads" else [])]
    try:
        version = subprocess.run(["perf", "--version"], capture_output=True, text=True, check=True).stdout
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=True,
            timeout=TIMEOUT_S,
            preexec_fn=_on_the_cpu_under_test,
        )
        return parse_pipe(done.stdout, peers), parse_version(version)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        raise UnmeasuredError(f"perf bench sched pipe: {error}") from error
