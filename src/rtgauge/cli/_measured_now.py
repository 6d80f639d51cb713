"""Targets among the things that are to be compared: they are measured first, as `rtgauge run` does, and kept."""

from __future__ import annotations

import argparse

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from collections.abc import Sequence
    from pathlib import Path

    from rtgauge.cli._measure import Stopped
    from rtgauge.session import Finished, Request

PROFILE = "quick"  # about a minute: who compares wants to see something


def add_measuring_now(parser: argparse.ArgumentParser) -> None:
    """The options of `rtgauge run`. Those that are not given stay None, so that one that is can be told."""
    from rtgauge.cli._measure import add_repeat
    from rtgauge.cli._options import add_measuring, add_require

    group = parser.add_argument_group("measuring", "of the targets among the things; --store and --json hold for all")
    add_measuring(group, PROFILE)  # type: ignore[arg-type]  # a group takes options as a parser does
    add_repeat(group)  # type: ignore[arg-type]
    add_require(group)  # type: ignore[arg-type]
    parser.set_defaults(**dict.fromkeys(_defaults()))


def _defaults() -> dict[str, object]:
    """Of each measuring option what stands where it is not given."""
    from rtgauge.cli._measure import add_repeat
    from rtgauge.cli._options import add_measuring, add_require

    parser = argparse.ArgumentParser(add_help=False)
    add_measuring(parser, PROFILE)
    add_repeat(parser)
    add_require(parser)
    return {name: value for name, value in vars(parser.parse_args([])).items() if name not in ("store", "json")}


def is_target(name: str) -> bool:
    """Whether a thing is a target by its kind. A run folder of such a name is written as a path: ./local."""
    from rtgauge.registry import plugins

    kind = name.partition(":")[0]
    return "/" not in kind and kind in plugins("rtgauge.targets", "open_target")


class Targets:
    """The targets among some things, in their order, and the requests to measure them."""

    def __init__(self, args: argparse.Namespace) -> None:
        """UsageError where an option makes no sense or nothing is to be measured with it."""
        from rtgauge.cli._measure import check_lab_options, jobs_of
        from rtgauge.errors import UsageError

        self.names = [name for name in args.things if is_target(name)]
        defaults = _defaults()
        given = [name for name in defaults if getattr(args, name) is not None]
        if given and not self.names:
            option = f"--{given[0].replace('_', '-')}"
            raise UsageError(f"{option} says how to measure, and none of these things is a target, e.g. local")
        for name, value in defaults.items():
            if getattr(args, name) is None:
                setattr(args, name, value)
        check_lab_options(args, self.names)
        self.requests = [_requests(args, name) for name in self.names]
        self.jobs = jobs_of(args)

    def measure(self) -> tuple[list[list[Path]], int, Stopped]:
        """The folders of each target's runs, the exit code, and what ended the rest early. What is kept is told."""
        from rtgauge.cli._measure import measured
        from rtgauge.cli._output import say

        folders: list[list[Path]] = [[] for _ in self.requests]
        whose = {id(one): place for place, group in enumerate(self.requests) for one in group}

        def take(request: Request, finished: Finished) -> None:
            folders[whose[id(request)]].append(finished.path)
            if finished.why:
                say(finished.why)
            say(f"{request.target} was measured: {finished.path}")

        code, stopped = measured([one for group in self.requests for one in group], take, self.jobs)
        return folders, code, stopped


def _requests(args: argparse.Namespace, name: str) -> Sequence[Request]:
    """UsageError where the target cannot be what it is asked for, before anything is measured."""
    from rtgauge._reserve import check
    from rtgauge.cli._measure import environments, requests_of
    from rtgauge.errors import UsageError
    from rtgauge.targets import open_target

    (environment, *others) = environments(args)
    if others:
        raise UsageError(
            "compare measures in one environment: give one --load and one --cpus, or use rtgauge run first"
        )
    requests = requests_of(args, name, *environment, audit=True)
    target = open_target(name, requests[0].store)
    if requests[0].wish.cpus == "reserved" and target.this_machine:
        check(max(requests[0].wish.cpu, 0))
    return requests
