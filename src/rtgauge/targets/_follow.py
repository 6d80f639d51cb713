"""Where in its work an engine is, as its trace tells, and whether it has been there for too long."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rtgauge.model import Job
from rtgauge.trace.events import BlockRead, Event, RunEnded, TestBegun, TestEnded

BETWEEN_S = 60.0  # an engine may take so long before its first test and between two
DRAIN_S = 10.0  # one that is beyond its limit goes on while samples arrive at least so often
END_S = 10.0  # an engine may take so long to end after its trace has


class Follow:
    """One start of an engine. Indices are those of the jobs that it was given."""

    def __init__(self, jobs: Sequence[Job], limits: Sequence[float], now: Callable[[], float] = time.monotonic) -> None:
        self.jobs, self.limits, self._now = jobs, limits, now
        self.running: int | None = None  # the job under way
        self.next = 0  # the first job that has not begun
        self.ended = False  # the trace came to its end
        self.why: str | None = None  # the engine's own error
        self._since = self._last_samples = now()

    def take(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, TestBegun):
                self.running = self._index(event)
                self.next = self.running + 1
                self._since = self._last_samples = self._now()
            elif isinstance(event, TestEnded):
                self.running = None
                self._since = self._now()
            elif isinstance(event, BlockRead):
                self._last_samples = self._now()
            elif isinstance(event, RunEnded):
                self.running, self.ended, self.why = None, True, event.why
                self._since = self._now()

    def overdue(self) -> str | None:
        """Why the engine must be ended now; a phrase that goes on from "the engine "."""
        now = self._now()
        waited = now - self._since
        if self.ended:
            return f"was still there {END_S:.0f} s after the end of its trace" if waited > END_S else None
        if self.running is None:
            return f"began no test for {BETWEEN_S:.0f} s and was stopped" if waited > BETWEEN_S else None
        limit = self.limits[self.running]
        if waited > limit and now - self._last_samples > min(DRAIN_S, limit):
            return f"gave no end within {limit:.0f} s and was stopped"
        return None

    def _index(self, begun: TestBegun) -> int:
        """The job that begins. The trace is not trusted: an index that cannot be is taken as the next one's."""
        if self.next <= begun.job < len(self.jobs) and self.jobs[begun.job].id == begun.id:
            return begun.job
        return min(self.next, len(self.jobs) - 1)
