"""From the arguments of `run` and `evaluate` to requests."""

from __future__ import annotations

import argparse
import re
import sys
from itertools import groupby
from typing import TYPE_CHECKING

from rtgauge.cli._options import store_of, use_lab
from rtgauge.errors import EXIT_FAILED, EXIT_SIGNAL, RtgaugeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from rtgauge.plan import Wish
    from rtgauge.requirements import Requirement
    from rtgauge.session import Finished, Request

    Stopped = RtgaugeError | KeyboardInterrupt | None

TAG_MOST = 200  # characters
REPEATS_MOST = 1000
JOBS_MOST = 256


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
    parser.add_argument(
        "--jobs",
        metavar="N",
        help="lab: so many runs side by side, which changes no figure (default: one for each core, as memory allows)",
    )


def environments(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Load and CPUs of each environment that is asked for: every combination of their values, in their order."""
    loads, cpus = dict.fromkeys(args.load or ("none",)), dict.fromkeys(args.cpus or ("one",))
    return [(load, where) for where in cpus for load in loads]


def check_lab_options(args: argparse.Namespace, targets: Sequence[str]) -> None:
    """UsageError where a kernel of the user's would be dropped in silence, as no target of the command takes it."""
    from rtgauge.lab.address import check_options

    use_lab(args)
    paths = {"--kernel": args.kernel, "--freertos-kernel": args.freertos_kernel}
    for option, text in paths.items():
        if text == "":
            raise UsageError(f"{option} must be a path, got nothing")
    given = {**paths, "--kernel-append": args.kernel_append}
    check_options(targets, [option for option, text in given.items() if text])


def requests_of(args: argparse.Namespace, target: str, load: str, cpus: str, *, audit: bool) -> list[Request]:
    """The requests for all runs on `target` in one environment; several share a series."""
    from rtgauge.session import Request
    from rtgauge.store.series import new_series

    use_lab(args)
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
    from functools import partial

    from rtgauge.lab.address import with_options

    repeat = number("--repeat", args.repeat, 1, REPEATS_MOST)
    own = partial(
        with_options,
        target,
        kernel=args.kernel or "",
        append=args.kernel_append or "",
        freertos=args.freertos_kernel or "",
    )
    if args.replicas is None:
        return [own()] * repeat
    if repeat > 1:
        raise UsageError("--repeat and --replicas both set the number of runs: give one of them")
    replicas = number("--replicas", args.replicas, 1, REPEATS_MOST)
    return [own(replica=n) for n in range(replicas)]


def jobs_of(args: argparse.Namespace) -> int | None:
    """How many runs may go on side by side; None where that is left to us."""
    return None if args.jobs is None else number("--jobs", args.jobs, 1, JOBS_MOST)


def measured(
    requests: Sequence[Request], take: Callable[[Request, Finished], None], jobs: int | None = None
) -> tuple[int, Stopped]:
    """Runs all requests until one says that the user wants an end, or broke its limit; those that nothing disturbs side
    by side, at most `jobs` of them. The exit code, and what ended the rest early: it is raised at once when there is
    nothing yet, else the caller tells what there is and raises it."""
    code, taken = 0, 0
    stopped: Stopped = None
    last = False

    def keep(request: Request, outcome: Finished | RtgaugeError | KeyboardInterrupt) -> None:
        nonlocal code, taken, stopped, last
        if isinstance(outcome, (RtgaugeError, KeyboardInterrupt)):
            stopped = stopped or outcome
            return
        code, taken = max(code, outcome.exit_code), taken + 1
        last = last or outcome.exit_code >= EXIT_SIGNAL or outcome.exit_code == EXIT_FAILED  # broke its limit
        take(request, outcome)

    for batch in _batches(requests, jobs):
        try:
            _run_all(batch, requests, jobs, keep)
        except (RtgaugeError, KeyboardInterrupt) as error:
            stopped = stopped or error
        if stopped is not None and not taken:
            raise stopped
        if stopped is not None or last:
            break
    return code, stopped


def _batches(requests: Sequence[Request], jobs: int | None) -> Iterator[Sequence[Request]]:
    """Neighbours that may run side by side, others alone."""
    if jobs == 1 or len(requests) == 1:
        yield from ([one] for one in requests)
        return
    from rtgauge.targets import open_target

    def exact(request: Request) -> bool:
        return getattr(open_target(request.target, request.store), "exact", False)

    for together, batch in groupby(requests, exact):
        if together:
            yield list(batch)
        else:
            yield from ([one] for one in batch)


def _run_all(
    batch: Sequence[Request], requests: Sequence[Request], jobs: int | None, keep: Callable[[Request, Any], None]
) -> None:
    """One alone here, with all that a terminal can show; several in processes of their own."""
    from rtgauge.cli._output import say, tell

    names = [_announced(one, requests) or one.target for one in batch]
    if len(batch) == 1:
        from rtgauge.session import run as run_session

        if len(requests) > 1:
            say(names[0])
        keep(batch[0], run_session(batch[0]))
        return
    from dataclasses import replace

    from rtgauge.cli._beside import most_at_once, run_beside

    def take(place: int, outcome: Finished | RtgaugeError | KeyboardInterrupt) -> None:
        if isinstance(outcome, RtgaugeError):
            outcome = type(outcome)(f"{names[place]}: {outcome}")
        elif not isinstance(outcome, KeyboardInterrupt) and outcome.why:
            outcome = replace(outcome, why=f"{names[place]}: {outcome.why}")
        keep(batch[place], outcome)

    def show(place: int, text: str) -> None:
        """A line that a run has written: what is said, or a test that ended."""
        said = text.removeprefix("rtgauge: ")
        (say if said != text else tell)(f"{names[place]}: {said}")

    run_beside(batch, jobs or most_at_once(), take, show)


def _announced(request: Request, requests: Sequence[Request]) -> str:
    """What comes now, as far as it is not the same for all."""
    wish = request.wish
    told = [_named(request)] if len({_named(one) for one in requests}) > 1 else []
    told += [f"run {request.repeat[0]} of {request.repeat[1]}"] if request.repeat[1] > 1 else []
    told += [f"load {wish.load}"] if len({one.wish.load for one in requests}) > 1 else []
    told += [f"cpus {wish.cpus}"] if len({one.wish.cpus for one in requests}) > 1 else []
    return ", ".join(told)


def _named(request: Request) -> str:
    """Its target; replicas are repeats of one."""
    return re.sub(r"[?&]replica=[0-9]+", "", request.target)


def pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals or not value:
        raise UsageError(f"--param takes NAME=VALUE, got {text!r}")
    return name, value
