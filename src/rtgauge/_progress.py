"""What the user sees while a run goes on, on standard error: a bar on a terminal, else a line for each test."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from rtgauge._live import figures
from rtgauge.findings.latency import is_latency
from rtgauge.plan import label
from rtgauge.report.display import plain
from rtgauge.units import format_ns

if TYPE_CHECKING:
    from rtgauge.model import SeriesInfo
    from rtgauge.plan import Plan
    from rtgauge.trace.events import Event, LiveRead, TestBegun

_REFRESH_S = 0.25  # drawing more often would only disturb


class Follower:
    """Where the run is: the test, the time left by the plan's estimates, the worst latency so far with its test."""

    def __init__(self, plan: Plan, now: Callable[[], float] = time.monotonic) -> None:
        self.estimates, self._now = plan.estimates, now
        self._descriptors = {descriptor.id: descriptor for descriptor in plan.descriptors}
        self.test = ""  # under way, with its parameters
        self.position = -1  # of the job under way
        self.worst: tuple[float, str] | None = None  # the largest latency (ns), its test
        self.test_worst: float | None = None  # the largest time of the test under way, ns
        self._under_way: TestBegun | None = None
        self._live: dict[int, LiveRead] = {}  # the last figures of each series of the test under way
        self._begun = now()

    def take(self, events: Sequence[Event]) -> list[str]:
        """Follows the run; returns a line for each test that ended."""
        from rtgauge.trace.events import BlockRead, LiveRead, TestBegun, TestEnded

        lines = []
        for event in events:
            if isinstance(event, TestBegun):
                self.position += 1
                self.test, self.test_worst, self._begun = self._name(event), None, self._now()
                self._under_way = event
                self._live = {}
            elif isinstance(event, BlockRead):
                self._worst_of(event.series, event.worst, event.unit)
            elif isinstance(event, LiveRead):
                self._live = {**self._live, event.series: event}  # another thread draws
                self._worst_of(event.series, max((line.max for line in event.lines), default=None), event.unit)
            elif isinstance(event, TestEnded):
                self._live = {}
                lines.append(self._ended(event.outcome, event.reason))
        return lines

    def left_s(self) -> float:
        """Seconds left by the estimates."""
        position = max(0, self.position)
        here = self.estimates[position] if position < len(self.estimates) else 0.0
        return max(0.0, here - (self._now() - self._begun)) + sum(self.estimates[position + 1 :])

    def share(self) -> float:
        """Share of the run that is done, 0 to 1."""
        total = sum(self.estimates)
        return 1.0 if not total else min(1.0, max(0.0, 1.0 - self.left_s() / total))

    def status(self) -> str:
        worst = f"worst so far {format_ns(self.worst[0])} in {self.worst[1].partition(' ')[0]}; " if self.worst else ""
        return f"{worst}now {self.test or 'calibrating'}"

    def _name(self, begun: TestBegun) -> str:
        return plain(label(begun.id, begun.params, self._descriptors.get(begun.id)))

    def figures(self, width: int, height: int, unicode: bool = True) -> list[str]:
        """Those of the test under way, as far as it tells them, for a terminal of that size."""
        described = self._descriptors.get(self._under_way.id) if self._under_way else None
        return figures(self._live, described, width, height, unicode)

    def _worst_of(self, index: int, value: float | None, unit: str) -> None:
        if value is None or unit != "ns":
            return
        series = self._series(index)
        if series is not None and series.source == "value":
            return
        self.test_worst = max(value, self.test_worst or value)
        if self._is_latency(series) and (self.worst is None or value > self.worst[0]):
            self.worst = (value, self.test)

    def _series(self, index: int) -> SeriesInfo | None:
        """What the test under way says of one of its series."""
        described = self._descriptors.get(self._under_way.id) if self._under_way else None
        return described.series[index] if described and index < len(described.series) else None

    def _is_latency(self, series: SeriesInfo | None) -> bool:
        test = self._under_way
        source, analyses = (series.source, series.analyse) if series else (None, ())
        return test is not None and is_latency(test.id, test.params, "ns", source, analyses)

    def _ended(self, outcome: str, reason: str | None) -> str:
        what = f"{outcome}: {reason}" if reason else outcome
        worst = f", worst {format_ns(self.test_worst)}" if self.test_worst is not None else ""
        return plain(f"[{self.position + 1}/{len(self.estimates)}] {self.test}: {what}{worst}")


@contextlib.contextmanager
def shown(plan: Plan, stream: TextIO | None = None) -> Iterator[Callable[[Sequence[Event]], None]]:
    """A function to be given the events of the run as they come."""
    stream = stream or sys.stderr
    follower = Follower(plan)
    if stream.isatty():
        with _bar(follower, stream) as take:
            yield take
        return

    def write(events: Sequence[Event]) -> None:
        for line in follower.take(events):
            with contextlib.suppress(OSError, ValueError):  # nobody reads it: the run goes on
                encoding = stream.encoding or "ascii"
                stream.write(line.encode(encoding, "replace").decode(encoding) + "\n")
                stream.flush()

    yield write


@contextlib.contextmanager
def _bar(follower: Follower, stream: TextIO) -> Iterator[Callable[[Sequence[Event]], None]]:
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column
    from rich.text import Text

    class Status(TextColumn):
        def render(self, task: object) -> Text:  # noqa: ARG002 - follower knows more than the task
            return Text(plain(follower.status()), overflow="ellipsis", no_wrap=True)

    class Left(TextColumn):
        def render(self, task: object) -> Text:  # noqa: ARG002
            left = int(follower.left_s())
            return Text(f"{left // 60}:{left % 60:02d} left")

    console = Console(file=stream)

    class WithFigures(Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            size, unicode = console.size, (console.encoding or "").startswith("utf")
            for line in follower.figures(size.width, size.height, unicode):
                yield Text(line, overflow="crop", no_wrap=True)
            yield self.make_tasks_table(self.tasks)

    columns = (
        BarColumn(bar_width=20),
        Left("", table_column=Column(min_width=9, no_wrap=True)),
        Status("", table_column=Column(ratio=1)),  # what does not fit is cut here only
    )
    with WithFigures(*columns, console=console, transient=True, expand=True, refresh_per_second=2) as progress:
        task = progress.add_task("", total=1.0)
        drawn = 0.0

        def take(events: Sequence[Event]) -> None:
            nonlocal drawn
            for line in follower.take(events):
                console.print(Text(line))
            if time.monotonic() - drawn > _REFRESH_S:
                progress.update(task, completed=follower.share())
                drawn = time.monotonic()

        yield take
