"""From the arguments of `run` and `evaluate` to requests."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from rtgauge.cli._options import store_of
from rtgauge.errors import EXIT_FAILED, EXIT_SIGNAL, RtgaugeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rtgauge.plan import Wish
    from rtgauge.requirements import Requirement
    from rtgauge.session import Finished, Request

    Stopped = RtgaugeError | KeyboardInterrupt | None

TAG_MOST = 200  # characters
REPEATS_MOST = 1000


def wish_of(args: argparse.Namespace, load: str, cpus: str) -> Wish:
    """What the measuring options ask for, in one of their environments. UsageError where a value makes no sense."""
    from rtgauge.plan import MOST_SAMPLES, PRIORITIES, PROFILES, Wish
    from rtgauge.registry import pick
    from rtgauge.suites import suite
    from rtgauge.units import parse_duration

    params = [pair(text) for text in args.param]
    if args.interval is not None:
        parse_duration(args.interval, "--interval")  # says what is wrong with it by itself
        params.append(("interval", args.interval))
    if args.samples is not None and args.duration is not None:
        raise UsageError("--samples and --duration both set the number of samples: give one of them")
    pick("profile", args.profile, dict.fromkeys(PROFILES))
    pick("cache", args.cache, dict.fromkeys(("hot", "dirty")))
    pick("cpus", cpus, dict.fromkeys(("all", "one", "reserved")))
    if args.suite is not None:
        suite(args.suite)  # says what is wrong with it by itself
    return Wish(
        tests=tuple(args.tests),
        params=tuple(params),
        suite=args.suite,
        profile=args.profile,
        samples=None if args.samples is None else number("--samples", args.samples, 1, MOST_SAMPLES),
        duration_ns=None if args.duration is None else parse_duration(args.duration, "--duration"),
        cache=args.cache,
        priority=number("--priority", args.priority, *PRIORITIES),
        cpu=-1 if args.cpu is None else number("--cpu", args.cpu, 0, 4095),
        load=load,
        cpus=cpus,  # type: ignore[arg-type]  # picked above
        blame=args.blame or args.break_on is not None,
        break_on_ns=_above_zero("--break-on", args.break_on) or 0,
        directory=args.directory,
        live=not args.no_live and not args.json and sys.stderr.isatty(),
    )


def number(option: str, text: str, low: int, high: int) -> int:
    """A whole number of an option. UsageError names the range."""
    if not re.fullmatch(r"[0-9]{1,18}", text) or not low <= int(text) <= high:
        raise UsageError(f"{option} must be a whole number from {low} to {high}, got {text!r}")
    return int(text)


def deadline_of(args: argparse.Namespace) -> int | None:
    return _above_zero("--deadline", args.deadline)


def requirements_of(args: argparse.Namespace) -> tuple[Requirement, ...]:
    """Those of the files that `--require` names; `rtgauge run` does not judge by any."""
    files = getattr(args, "require", ())
    if not files:
        return ()
    from rtgauge.requirements import read_all

    return read_all(files)


def _above_zero(option: str, text: str | None) -> int | None:
    """A duration in ns, None where the option was not given."""
    if text is None:
        return None
    from rtgauge.units import parse_duration

    duration = parse_duration(text, option)
    if duration <= 0:
        raise UsageError(f"{option} must be above zero, got {text!r}")
    return duration


def add_repeat(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repeat",
        metavar="N",
        default="1",
        help="whole runs, one after the other; then what differs from run to run is shown beside the spread within",
    )
    parser.add_argument(
        "--replicas",
        metavar="N",
        help="lab: whole runs like --repeat, which would all be the same in exact time; varies what may vary",
    )


def environments(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Load and CPUs of each environment that is asked for: every combination of their values, in their order."""
    loads, cpus = dict.fromkeys(args.load or ("none",)), dict.fromkeys(args.cpus or ("one",))
    return [(load, where) for where in cpus for load in loads]


def requests_of(args: argparse.Namespace, target: str, load: str, cpus: str, *, audit: bool) -> list[Request]:
    """The requests for all runs on `target` in one environment; several share a series."""
    from rtgauge.session import Request
    from rtgauge.store.series import new_series

    targets = _targets(args, target)
    if len(args.tag) > TAG_MOST:
        raise UsageError(f"--tag is longer than {TAG_MOST} characters")
    series = new_series(target) if len(targets) > 1 else None
    requirements = requirements_of(args)
    return [
        Request(
            target=one,
            wish=wish_of(args, load, cpus),
            store=store_of(args),
            deadline_ns=deadline_of(args),
            requirements=requirements,
            tune=args.tune,
            tag=args.tag,
            audit=audit,
            command=args.command_line,
            repeat=(n, len(targets)),
            series=series,
        )
        for n, one in enumerate(targets, start=1)
    ]


def _targets(args: argparse.Namespace, target: str) -> list[str]:
    """The address for each of the runs on `target`."""
    from rtgauge.lab.address import with_options

    repeat = number("--repeat", args.repeat, 1, REPEATS_MOST)
    kernel, append = args.kernel or "", args.kernel_append or ""
    if args.replicas is None:
        return [with_options(target, kernel=kernel, append=append)] * repeat
    if repeat > 1:
        raise UsageError("--repeat and --replicas both set the number of runs: give one of them")
    replicas = number("--replicas", args.replicas, 1, REPEATS_MOST)
    return [with_options(target, kernel=kernel, append=append, replica=n) for n in range(replicas)]


def measured(requests: Sequence[Request], take: Callable[[Request, Finished], None]) -> tuple[int, Stopped]:
    """Runs all requests until one says that the user wants an end, or broke its limit. The exit code, and what ended
    the rest early: it is raised at once when there is nothing yet, else the caller tells what there is and raises
    it."""
    from rtgauge.cli._output import say
    from rtgauge.session import run as run_session

    code = 0
    for place, request in enumerate(requests):
        try:
            if len(requests) > 1 and (what := _announced(request, requests)):
                say(what)
            finished = run_session(request)
        except (RtgaugeError, KeyboardInterrupt) as error:
            if not place:
                raise
            return code, error
        code = max(code, finished.exit_code)
        take(request, finished)
        if finished.exit_code >= EXIT_SIGNAL or finished.exit_code == EXIT_FAILED:  # a sample broke the limit
            break
    return code, None


def _announced(request: Request, requests: Sequence[Request]) -> str:
    """What comes now, as far as it is not the same for all."""
    wish = request.wish
    told = [f"run {request.repeat[0]} of {request.repeat[1]}"] if request.repeat[1] > 1 else []
    told += [f"load {wish.load}"] if len({one.wish.load for one in requests}) > 1 else []
    told += [f"cpus {wish.cpus}"] if len({one.wish.cpus for one in requests}) > 1 else []
    return ", ".join(told)


def pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals or not value:
        raise UsageError(f"--param takes NAME=VALUE, got {text!r}")
    return name, value
