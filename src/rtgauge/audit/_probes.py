"""Questions that only a try answers. Each leaves everything as it was."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass

TOP = 99  # the highest priority of SCHED_FIFO on Linux


@dataclass(frozen=True)
class Trial:
    """Outcome of asking for SCHED_FIFO."""

    highest: int  # highest priority that was granted, 0 when none
    error: str = ""  # the system's words when even priority 1 was refused


def try_fifo() -> Trial:
    """Asks for SCHED_FIFO in a thread of its own, from the highest priority down.

    The policy belongs to that thread only and ends with it; each granted priority is held for microseconds.
    """
    outcome = [Trial(0, "the trial thread did not run")]
    thread = threading.Thread(target=lambda: outcome.__setitem__(0, _climb_down()), daemon=True)
    thread.start()
    thread.join(5.0)
    return outcome[0]


def _climb_down() -> Trial:
    error = ""
    for priority in range(TOP, 0, -1):
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))  # 0: the calling thread alone
        except OSError as refused:
            error = refused.strerror or str(refused)
            continue
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        return Trial(priority)
    return Trial(0, error)


def timer_resolution() -> float:
    """Resolution of the monotonic clock's timers in seconds: 1e-9 with high-resolution timers, else one tick."""
    return time.clock_getres(time.CLOCK_MONOTONIC)
