"""What to run: descriptors x names x parameters x profile -> jobs, with an estimate of their time and memory."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from rtgauge.errors import UsageError
from rtgauge.model import Descriptor, Job, Param, ParamInfo, RunSpec
from rtgauge.recording import STORE_BYTES, recording
from rtgauge.suites import suite
from rtgauge.units import canonical_duration, parse_duration

PROFILES = ("quick", "standard", "full")
FAMILIES = (
    "CAL CLK THR SEM MUT IRQ TMR CPU SYN MSG SIG MEM FS SMP SCD NSE API SYS".split()  # noqa: SIM905 - reads better
)
CORRECTION = "CAL-P-TRC"  # its minimum is subtracted from the samples of every other test
PRIORITIES = (1, 98)  # as the system counts them; 99 stays free for the engine's watchdog
SERIES_MOST = 6
MOST_SAMPLES = 10**9  # of a series; the engine counts in 32 bits, and rounds up to whole turns
MOST_JOBS = 500  # they travel in one frame
DIRTY_NS = 10_000_000  # about what reading through twice the largest cache takes, before each sample
DIRTY_FEWER, DIRTY_LEAST = 20, 200  # so a profile has fewer samples then, but so many at least
SLACK_S = 30.0  # what a job may take beyond three times its estimate
# Seconds that a sample may take on a system that is slow by far, where the test itself finds what it takes; and all.
SEARCHED_S, SEARCHED_MOST_S = {"IRQ-S-SUS": 5e-3}, 600.0
_PACING = ("interval", "period")  # parameters that one sample waits for


@dataclass(frozen=True)
class Wish:
    """What the user asked for; the defaults are those of `rtgauge run`."""

    tests: tuple[str, ...] = ()  # patterns of ids; none: all
    params: tuple[tuple[str, str], ...] = ()  # name and value; several values of a name are all run
    suite: str | None = None  # its tests, with its parameters; `tests` and `params` choose among them
    profile: str = "standard"
    samples: int | None = None
    duration_ns: int | None = None  # of the whole run
    cache: Literal["hot", "dirty"] = "hot"
    priority: int = 80
    cpu: int = -1
    environment: Mapping[str, str] = field(default_factory=dict)  # beside load, cache and cpus
    load: str = "none"
    loads: tuple[str, ...] = ()  # those of them that the engine runs
    cpus: Literal["all", "one", "reserved"] = "one"
    blame: bool = False
    break_on_ns: int = 0
    directory: str | None = None  # where the tests of files work; None: the store's file system
    live: bool = False  # somebody watches
    store_bytes: int = STORE_BYTES  # of samples that are all kept; a run that wants more accumulates the rest


@dataclass(frozen=True)
class Plan:
    """The jobs in the order in which they run, and for each its estimate in seconds."""

    spec: RunSpec
    descriptors: tuple[Descriptor, ...]  # of each job
    estimates: tuple[float, ...]

    @property
    def limits(self) -> tuple[float, ...]:
        """Seconds after which a job counts as hung."""
        searched = (min(SEARCHED_MOST_S, job.samples * SEARCHED_S.get(job.id, 0.0)) for job in self.spec.jobs)
        return tuple(3 * (known + more) + SLACK_S for known, more in zip(self.estimates, searched, strict=True))


def make_plan(descriptors: Sequence[Descriptor], wish: Wish, available: int | None = None) -> Plan:
    """The plan for `wish`. `available`: bytes of free memory, by default those of this machine.

    Raises UsageError, with the legal values, for whatever does not exist or is out of its range.
    """
    chosen = select(_in_suite(descriptors, wish), wish.tests)
    named = _named_values(chosen, wish.params)
    pairs = [(d, ps) for d in chosen for own in _of_suite(d, wish) for ps in combinations(d, {**own, **named})]
    if len(pairs) > MOST_JOBS:
        raise UsageError(f"{len(pairs)} combinations of parameters are too many for one run, {MOST_JOBS} are the most")
    samples = _samples(pairs, wish)
    jobs = tuple(Job(d.id, n, params) for (d, params), n in zip(pairs, samples, strict=True))
    estimates = tuple(_seconds(d, params, n, wish) for (d, params), n in zip(pairs, samples, strict=True))
    sizes = [(d, n) for (d, _), n in zip(pairs, samples, strict=True)]
    recorded = recording(sizes, available_memory() if available is None else available, wish.store_bytes)
    low, high = PRIORITIES
    if not low <= wish.priority <= high:
        raise UsageError(f"priority {wish.priority} is out of range: {low} to {high}")
    spec = RunSpec(
        jobs=jobs,
        level=wish.priority - low,
        cpu=wish.cpu,
        memory=recorded.memory,
        time_ms=int(1000 * sum(3 * e + SLACK_S for e in estimates)),
        cache=wish.cache,
        environment={"load": wish.load, "cache": wish.cache, "cpus": wish.cpus, **wish.environment},
        loads=wish.loads,
        cpus=wish.cpus,
        blame=wish.blame,
        break_on_ns=wish.break_on_ns,
        accumulate=recorded.accumulate,
        raw=recorded.raw,
        live=wish.live,
    )
    return Plan(spec, tuple(d for d, _ in pairs), estimates)


def _in_suite(descriptors: Sequence[Descriptor], wish: Wish) -> list[Descriptor]:
    """The tests of the suite, and what corrects their figures; all where there is no suite."""
    if wish.suite is None:
        return list(descriptors)
    wanted = {entry.test for entry in suite(wish.suite).entries}
    missing = sorted(wanted - {d.id for d in descriptors})
    if missing:
        raise UsageError(f"suite {wish.suite} needs tests that this target does not have: {', '.join(missing)}")
    return [d for d in descriptors if d.id in wanted or d.id == CORRECTION]


def _of_suite(descriptor: Descriptor, wish: Wish) -> list[Mapping[str, Sequence[str]]]:
    """The values of parameters with which the suite has the test, once for each of its entries."""
    entries = suite(wish.suite).entries if wish.suite is not None else ()
    return [entry.params for entry in entries if entry.test == descriptor.id] or [{}]


def select(descriptors: Sequence[Descriptor], patterns: Sequence[str]) -> list[Descriptor]:
    """The tests that match, in the catalogue's order; the correction first when any figure needs it."""
    ordered = sorted(descriptors, key=lambda d: (_family(d.id), d.id))
    if patterns:
        for pattern in patterns:
            if not any(_matches(d.id, pattern) for d in ordered):
                raise UsageError(f"no test matches {pattern!r}: legal are {', '.join(d.id for d in ordered)}")
        chosen = [d for d in ordered if any(_matches(d.id, p) for p in patterns)]
    else:
        chosen = ordered
    correction = [d for d in ordered if d.id == CORRECTION]
    others = [d for d in chosen if d.id != CORRECTION]
    if len(others) < len(chosen) or any("-B-" not in d.id for d in others):
        return correction + others
    return others


def combinations(descriptor: Descriptor, named: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Param]]:
    """Every combination of the test's parameters, from the named values or the sweep, the last one fastest."""
    values = [
        [read_value(descriptor.id, info, text) for text in named.get(info.name, info.sweep.split())]
        for info in descriptor.params
    ]
    for combination in itertools.product(*values):
        yield {info.name: value for info, value in zip(descriptor.params, combination, strict=True)}


def read_value(test: str, info: ParamInfo, text: str) -> Param:
    """A value as the engine gets it. UsageError names what is legal."""
    where = f"{info.name} of {test}"
    if info.kind == "choice":
        if text not in info.legal.split():
            raise UsageError(f"{where} cannot be {text!r}: legal are {', '.join(info.legal.split())}")
        return text
    low, _, high = info.legal.partition("..")
    if info.kind == "duration":
        value = parse_duration(text, where)
        inside = parse_duration(low) <= value <= parse_duration(high)
    else:
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise UsageError(f"{where} must be a whole number from {low} to {high}, got {text!r}")
        value = int(text)
        inside = int(low) <= value <= int(high)
    if not inside:
        raise UsageError(f"{where} is out of range: {text} is not within {low} to {high}")
    return value


def label(test: str, params: Mapping[str, Param], descriptor: Descriptor | None = None) -> str:
    """A job in words. With its descriptor durations are shown with their unit."""
    durations = {info.name for info in descriptor.params if info.kind == "duration"} if descriptor else set()
    words = [
        f"{name}={canonical_duration(value) if name in durations and isinstance(value, int) else value}"
        for name, value in params.items()
    ]
    return " ".join([test, *words])


def available_memory() -> int:
    """Bytes that can be used without pushing others out, also within the container that we may be in."""
    return min([_free_memory(), *_free_in_group()])


def _free_in_group(group: Path = Path("/sys/fs/cgroup")) -> list[int]:
    """What the control group leaves, where there is one with a limit."""
    try:
        return [max(0, int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))]
    except (OSError, ValueError):
        return []


def _free_memory() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123 - a line of a system file
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (ValueError, OSError):
        return 1 << 30


def _named_values(chosen: Sequence[Descriptor], params: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    legal = sorted({info.name for d in chosen for info in d.params})
    named: dict[str, list[str]] = {}
    for name, text in params:
        if name not in legal:
            raise UsageError(
                f"none of the selected tests has a parameter {name!r}: legal are {', '.join(legal) or 'none'}"
            )
        values = named.setdefault(name, [])
        if text not in values:
            values.append(text)
    return named


def _samples(pairs: Sequence[tuple[Descriptor, Mapping[str, Param]]], wish: Wish) -> list[int]:
    """Samples of each job: the profile's, or the number asked for, or scaled so that the run takes the duration.

    Only jobs whose samples are the exposure change; behaviour tests, and the correction beside others, stay.
    """
    if wish.profile not in PROFILES:
        raise UsageError(f"unknown profile {wish.profile!r}: legal are {', '.join(PROFILES)}")
    counts = [_profile_samples(d, wish) for d, _ in pairs]
    others = any(d.id != CORRECTION and d.series for d, _ in pairs)
    scaled = [bool(d.series) and "-B-" not in d.id and (d.id != CORRECTION or not others) for d, _ in pairs]
    if wish.samples is not None:
        if not 1 <= wish.samples <= MOST_SAMPLES:
            raise UsageError(f"samples {wish.samples} is out of range: 1 to {MOST_SAMPLES}")
        return [wish.samples if s else n for n, s in zip(counts, scaled, strict=True)]
    if wish.duration_ns is None:
        return counts
    sampling = sum(_pace_ns(d, p, wish) * n for (d, p), n, s in zip(pairs, counts, scaled, strict=True) if s)
    fixed = sum(1e9 * _seconds(d, p, 0 if s else n, wish) for (d, p), n, s in zip(pairs, counts, scaled, strict=True))
    if not sampling:
        raise UsageError("none of the selected tests has an exposure that a duration could set")
    if wish.duration_ns <= fixed:
        raise UsageError(f"the duration is too short: the selected tests take {fixed / 1e9:.1f} s without any sample")
    factor = (wish.duration_ns - fixed) / sampling
    return [min(MOST_SAMPLES, max(1, round(n * factor))) if s else n for n, s in zip(counts, scaled, strict=True)]


def _profile_samples(descriptor: Descriptor, wish: Wish) -> int:
    wanted = descriptor.samples[PROFILES.index(wish.profile)]
    return max(min(wanted, DIRTY_LEAST), wanted // DIRTY_FEWER) if _dirtied(descriptor, wish) else wanted


def _dirtied(descriptor: Descriptor, wish: Wish) -> bool:
    return wish.cache == "dirty" and "turn-by-turn" in descriptor.needs


def _pace_ns(descriptor: Descriptor, params: Mapping[str, Param], wish: Wish) -> int:
    """About what one sample takes. A parameter that paces the test says it better than the descriptor."""
    paces = [value for name, value in params.items() if name in _PACING and isinstance(value, int)]
    return max([descriptor.about_ns, *paces]) + (DIRTY_NS if _dirtied(descriptor, wish) else 0)


def _seconds(descriptor: Descriptor, params: Mapping[str, Param], samples: int, wish: Wish) -> float:
    return descriptor.about_ms / 1e3 + samples * _pace_ns(descriptor, params, wish) / 1e9


def _family(test: str) -> int:
    name = test.partition("-")[0]
    return FAMILIES.index(name) if name in FAMILIES else len(FAMILIES)


def _matches(test: str, pattern: str) -> bool:
    return fnmatchcase(test, pattern.upper())
