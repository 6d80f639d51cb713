"""The values that flow through rtgauge, all frozen: RunSpec -> Trace -> Samples -> Summary -> Verdict.

Each stage of the pipeline takes and returns values of this module and nothing else. Times are nanoseconds unless a
name says otherwise; ticks are raw counts of the target's stamp clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rtgauge._accumulated import Accumulated as Accumulated
from rtgauge._accumulated import Extreme as Extreme
from rtgauge._accumulated import Pile as Pile
from rtgauge._accumulated import unwrapped_to

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Param = str | int
"""A parameter's value: text for a choice, a number, or nanoseconds for a duration."""

Status = Literal["ok", "pass", "fail", "not-supported", "not-permitted", "invalid", "inconclusive"]
Outcome = Literal["done", "not-supported", "not-permitted", "invalid", "inconclusive"]
Ruling = Literal["pass", "fail", "inconclusive", "invalid"]


# ---- what is asked for ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    """One test with one set of parameters, as asked of the engine."""

    id: str
    samples: int
    params: Mapping[str, Param] = field(default_factory=dict)


@dataclass(frozen=True)
class RunSpec:
    """Everything that the engine is told: tests, parameters, environment and limits."""

    jobs: tuple[Job, ...]
    level: int = 79  # highest level (0 = lowest real-time priority) that a test may use
    cpu: int = -1  # CPU under test by the system's number; -1: the last one allowed
    memory: int = 64 << 20  # bytes of sample memory
    time_ms: int = 3_600_000  # the engine ends itself after this
    cache: Literal["hot", "dirty"] = "hot"
    environment: Mapping[str, str] = field(default_factory=lambda: {"load": "none", "cache": "hot", "cpus": "one"})
    loads: tuple[str, ...] = ()  # that the engine itself runs beside the tests, by their names in its list
    cpus: Literal["all", "one", "reserved"] = "one"  # where loads may run: anywhere, beside the test, never there
    blame: bool = False  # the kernel's own events are recorded, and those around the worst samples kept
    break_on_ns: int = 0  # a test ends at its first sample above this; 0: never
    accumulate: bool = False  # samples beyond `raw` of each series are folded into figures and bins, not sent
    raw: int = 0  # samples of each series that are sent all the same, the first ones
    bins: int = 0  # for each series; 0: as many as the engine thinks right
    beyond: int = 0  # values kept beside the bins, where `bins` is given
    live: bool = False  # figures of a test under way are sent while it samples

    def as_dict(self) -> dict[str, Any]:
        """As it stands in manifest.json and results.json."""
        return {
            "jobs": [{"id": job.id, "samples": job.samples, "params": dict(job.params)} for job in self.jobs],
            "level": self.level,
            "cpu": self.cpu,
            "memory": self.memory,
            "time_ms": self.time_ms,
            "cache": self.cache,
            "environment": dict(self.environment),
            "loads": list(self.loads),
            "cpus": self.cpus,
            "blame": self.blame,
            "break_on_ns": self.break_on_ns,
            "accumulate": self.accumulate,
            "live": self.live,
        } | ({"raw": self.raw, "bins": self.bins, "beyond": self.beyond} if self.accumulate else {})


# ---- what came back -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ParamInfo:
    name: str
    kind: Literal["choice", "number", "duration"]
    sweep: str  # values run by default, separated by spaces
    legal: str  # choices separated by spaces, or "min..max"
    what: str


@dataclass(frozen=True)
class SeriesInfo:
    name: str  # "" when it is the test's only one
    unit: str
    start: str
    stop: str
    thread: str
    aux: str
    source: Literal["stamp", "os", "value", "host"]  # host: computed from the other series, as `analyse` says
    analyse: tuple[str, ...]


@dataclass(frozen=True)
class Descriptor:
    """A test as it describes itself."""

    id: str
    title: str
    question: str
    needs: tuple[str, ...]
    samples: tuple[int, int, int]  # quick, standard, full
    about_ns: int
    about_ms: int
    params: tuple[ParamInfo, ...]
    series: tuple[SeriesInfo, ...]


@dataclass(frozen=True)
class ClockInfo:
    """Facts of the stamp clock; rate is rate_num / rate_den ticks per second."""

    name: str
    why: str
    rejected: tuple[tuple[str, str], ...]  # (name, why)
    width: int
    direction: int
    rate_num: int
    rate_den: int
    rate_ppb: int
    resolution: int  # ticks
    overhead: int  # ticks
    monotonic: bool | None
    cpu_offset: int  # ticks
    anchor_stamp: int
    anchor_ns: int
    os_resolution: int
    os_overhead: int

    @property
    def ns_per_tick(self) -> float:
        return self.rate_den * 1e9 / self.rate_num


@dataclass(frozen=True)
class SeriesTrace:
    """The raw samples of one series, in the order in which they were recorded: all of them, or, where the target
    accumulated the rest, the first ones."""

    info: SeriesInfo
    start: NDArray[np.uint64]  # ticks (ns for source os)
    ticks: NDArray[np.int64] | NDArray[np.int32]  # stop - start, unwrapped; the value itself for source value
    aux: NDArray[np.uint16]
    resumed: tuple[int, ...] = ()  # positions in the arrays of samples that follow a pause for draining
    missing: tuple[tuple[int, int], ...] = ()  # (first index, count) lost with damaged blocks, by index on the target
    recorded: int = 0  # as the target counted
    dropped: int = 0  # samples that found no room on the target
    bits: int = 64  # of the target's stamps; times by the OS's clock wrap there too
    accumulated: Accumulated | None = None

    @property
    def lost(self) -> int:
        return self.dropped + sum(count for _, count in self.missing)

    @property
    def least(self) -> int | None:
        """The smallest raw value of all; None without any."""
        least = [int(self.ticks.min())] if len(self.ticks) else []
        if self.accumulated is not None:
            least.append(self.accumulated.measured.min)
        return min(least, default=None)


@dataclass(frozen=True)
class Check:
    name: str
    role: Literal["property", "control", "report"]
    holds: bool
    what: str


@dataclass(frozen=True)
class Evidence:
    name: str
    value: str | int
    unit: str = ""


@dataclass(frozen=True)
class LoadInfo:
    """A load as the engine that has it describes it."""

    name: str
    what: str
    degree: str  # in words
    unit: str  # what is counted: "ns" of work, or a plural
    wanted: int  # of them each second for each worker; 0: as many as it can
    every_cpu: bool = False  # one worker for each CPU that loads may use; else one
    other_cpus: bool = False  # not on the CPU under test, unless loads run anywhere


@dataclass(frozen=True)
class LoadReport:
    """What a load did while a test ran."""

    name: str
    implementation: str  # "engine", or the program
    version: str
    args: str
    unit: str
    wanted: int  # each second; 0: as many as it can
    achieved: int  # each second
    exposure_ns: int
    reached: bool
    note: str | None = None


EventKind = Literal[
    "switch", "waking", "irq-entry", "irq-exit", "softirq-entry", "softirq-exit", "vector-entry", "vector-exit",
    "timer-due", "timer-exit", "noise", "place", "irqs-off", "irqs-on",
]  # fmt: skip


@dataclass(frozen=True)
class KernelEvent:
    """Something that the system itself recorded. Times are stamps of the test's clock."""

    at: int
    cpu: int  # where it happened
    kind: EventKind
    id: int  # thread that runs next or is woken; number of the interrupt, softirq or vector; place in a stack; else 0
    other: int  # thread that was running: for a switch the one before it; 0 is the idle one
    level: int  # priority of thread `id` as the kernel numbers it; -1: none or unknown
    name: str  # of the thread, interrupt, softirq or vector, the timer's or the kernel's function; "" unknown
    prev_state: str  # of the thread before a switch, in the kernel's letters; of a noise, what it was
    due_ns: int  # timer-due: when the timer was due, by the sleep clock; noise: how long it lasted; 0 unknown


@dataclass(frozen=True)
class EventWindow:
    """The system's events around one sample, by time; those of other CPUs where they matter to it.

    `start` and `stop` are the sample's, in stamps also where its series counts by the sleep clock.
    """

    series: int
    index: int  # of the sample, on the target
    begin: int
    end: int
    start: int
    stop: int
    cpu: int  # of the sample
    missed: int  # events of this window that found no room on the target
    lost_by_kernel: int  # events that the kernel overwrote, some perhaps of this window's beginning
    events: tuple[KernelEvent, ...] = ()
    complete: bool = True  # every part of it arrived


@dataclass(frozen=True)
class TestTrace:
    """One job as it ran. `outcome` is None when the trace ends before the test did."""

    __test__ = False  # not a pytest class

    job: int
    descriptor: Descriptor
    params: Mapping[str, Param]
    samples: int  # wanted
    mode: Literal["store", "chunk", "accumulate"]
    cpu: int
    begin_ns: int
    end_ns: int
    series: tuple[SeriesTrace, ...]
    checks: tuple[Check, ...] = ()
    unchecked: tuple[tuple[str, str], ...] = ()  # (name, why)
    evidence: tuple[Evidence, ...] = ()
    loads: tuple[LoadReport, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)  # after minus before
    outcome: Outcome | None = None
    reason: str | None = None
    stopped: bool = False
    clock: ClockInfo | None = None  # of the engine's start that ran this test
    windows: tuple[EventWindow, ...] = ()  # around the worst samples, where the run recorded them
    damaged: bool = False  # records of this test were lost: what is absent proves nothing
    image: str = ""  # of several that a system is built as, the one that ran this test


@dataclass(frozen=True)
class Trace:
    """All that is whole in a trace, and what is not (`problems`, one line each)."""

    engine: str
    port: str
    build: Mapping[str, str]
    facts: Mapping[str, str | int]
    clock: ClockInfo | None  # of the first start; each test names its own
    tests: tuple[TestTrace, ...]
    descriptors: tuple[Descriptor, ...] = ()  # of op list
    loads: tuple[LoadInfo, ...] = ()  # of op list
    sample_memory: int = 0
    complete: bool = False  # every sequence that began has its run-end, which reports no error
    why: str | None = None  # the engine's own error
    problems: tuple[str, ...] = ()


# ---- what it means --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Samples:
    """One series in its unit, computed from the raw ticks on demand: a series may hold ten million samples, so `value`
    and `at` are not stored. Each use of either makes a new array: keep it in a variable, and let it go.
    """

    id: str
    params: Mapping[str, Param]  # with "part" where the test has several series
    raw: SeriesTrace
    unit: str
    scale: float  # `unit` for one tick
    overhead_ticks: int  # subtracted from every sample
    resolution_ticks: int  # smallest step that the clock shows, at least 1
    origin: int  # raw start that is second `origin_s`
    origin_s: float  # s since the run's first clock anchor
    tick_s: float  # s for one tick of `raw.start`; negative for a clock that counts down
    width: int  # bits after which `raw.start` wraps
    cpu: int  # of the test; per sample where aux is "cpu"
    synthetic: NDArray[np.float64]  # values entered for skipped activations (TMR-P-CYC), in `unit`
    tick_ns: int | None = None  # period of the OS's tick where the test measured it
    overruns: int = 0  # activations skipped; more than len(synthetic) when some have no value
    problems: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        return len(self.raw.ticks)

    @property
    def overhead(self) -> float:
        """What was subtracted, in `unit`."""
        return self.overhead_ticks * self.scale

    @property
    def resolution(self) -> float:
        """One step of the clock, in `unit`."""
        return self.resolution_ticks * self.scale

    @property
    def value(self) -> NDArray[np.float64]:
        """Every sample in `unit`, the overhead subtracted. Below zero where the overhead was larger."""
        value = self.raw.ticks.astype("float64")
        value -= self.overhead_ticks
        value *= self.scale
        return value

    @property
    def at(self) -> NDArray[np.float64]:
        """When each sample started, in s since the run's first clock anchor."""
        return self.at_of(slice(None))

    def at_of(self, which: slice | NDArray[np.int64]) -> NDArray[np.float64]:
        """`at[which]`, without the whole array where the clock does not wrap.

        A clock narrower than 64 bits is unwrapped from sample to sample, so a gap of more than half its range between
        two samples cannot be told from a shorter one.
        """
        import numpy as np

        spare = np.int64(64 - self.width)
        if not spare:
            since = (self.raw.start[which] - np.uint64(self.origin)).view(np.int64)
        else:
            steps = np.diff(self.raw.start, prepend=np.uint64(self.origin)).view(np.int64)
            since = np.cumsum((steps << spare) >> spare)[which]
        at: NDArray[np.float64] = since * self.tick_s
        at += self.origin_s
        return at

    def at_accumulated(self, start: int, since: int) -> float:
        """When a sample began that was accumulated: its raw start, and the ticks since the first of them began."""
        import numpy as np

        kept = self.raw.accumulated
        if kept is None:
            raise ValueError("nothing was accumulated")
        if self.width == 64:
            ticks = (start - self.origin + (1 << 63)) % (1 << 64) - (1 << 63)
        else:
            ticks = unwrapped_to(kept.first_start, self.raw.start, self.origin, self.width) + (
                since if self.tick_s > 0 else -since
            )
        return float(np.int64(ticks) * self.tick_s + self.origin_s)


@dataclass(frozen=True)
class Worst:
    value: float
    at: float  # s since the run began
    cpu: int
    index: int


@dataclass(frozen=True)
class Summary:
    """The figures of one series. Percentiles only where the quantity supports them (p99.9 needs 1 000 samples)."""

    n: int
    lost: int
    negatives: int
    exposure_s: float
    min: float
    avg: float
    max: float
    median: float
    percentiles: Mapping[str, float]  # "50", "99", "99.9", "99.99"
    first: float | None  # None when the first sample is among the lost
    max_after_first: float | None
    worst: tuple[Worst, ...]  # ten largest, largest first
    histogram: tuple[tuple[float, float, int], ...]  # (from, to, count) of [from, to); no empty ones, nothing clamped
    clusters: tuple[Mapping[str, Any], ...]
    period: Mapping[str, Any] | None
    unmeasurable: bool  # more than half within overhead plus one step: shown as "< resolution"
    overhead: float  # what was subtracted from each raw sample, in the unit
    resolution: float  # one step of the clock, in the unit
    synthetic: Mapping[str, Any] | None = None  # the same figures with synthetic samples, and overruns
    accumulated: Mapping[str, Any] | None = None  # how the samples beyond the raw ones were kept
    analysis: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()  # what could not be computed, and why


@dataclass(frozen=True)
class Between:
    """One figure over several whole runs of the same, in its unit. Intervals hold at 95 %."""

    values: tuple[float, ...]  # of each run, in the order of the runs
    min: float
    median: float
    max: float
    mean: float
    sd: float  # standard deviation between the runs
    mean_interval: tuple[float, float]  # Student's t
    median_interval: tuple[float, float] | None  # by order statistics; None with fewer than six runs
    standard_error: float | None  # that independent samples of one run would have; None where unknown (extremes)
    ratio: float | None  # sd / standard_error: above 1, runs differ more than the samples within them tell
    chance: float | None  # of such a ratio in runs that do not differ

    @property
    def n(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Verdict:
    """A ruling and why, in one line each."""

    ruling: Ruling
    reason: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """One entry of results.json (`results`): one series of one test, or the checks of a behaviour test."""

    id: str
    params: Mapping[str, Param]
    environment: Mapping[str, str]
    status: Status
    reason: str | None
    unit: str | None
    summary: Summary | None
    mode: str
    checks: tuple[Check, ...] = ()
    unchecked: tuple[tuple[str, str], ...] = ()
    evidence: tuple[Evidence, ...] = ()
    loads: tuple[LoadReport, ...] = ()
    descriptor: Descriptor | None = None
    series: SeriesInfo | None = None
    counters: Mapping[str, int] = field(default_factory=dict)
    exposure_s: float | None = None  # time under observation; None when the test did not end
    blame: Mapping[str, Any] | None = None  # of its worst samples, where the system's events were kept
    extremes: Mapping[str, Any] | None = None  # what is known beyond its largest sample, as results.json has it


@dataclass(frozen=True)
class Evaluation:
    """What a run means: everything that results.json holds and that can be computed again from trace and spec."""

    results: tuple[Result, ...]
    verdict: Verdict
    series: tuple[Samples | None, ...]  # one for each result; None where it has no samples
    exposure_s: float  # time in which tests ran
    problems: tuple[str, ...] = ()
    requirements: tuple[Mapping[str, Any], ...] = ()  # and the ruling on each, as results.json has them
