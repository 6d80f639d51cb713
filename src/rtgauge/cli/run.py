"""rtgauge run: only measure."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_measuring

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from rtgauge.session import Finished, Request

SUMMARY = "measure, and keep every sample"
EXAMPLE = "rtgauge run local --tests 'THR-*' --samples 10000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from rtgauge.cli._measure import add_repeat

    parser.add_argument("targets", metavar="TARGET", nargs="+", help="what to measure, e.g. local")
    add_measuring(parser, "standard")
    add_repeat(parser)
    parser.add_argument("-o", dest="output", metavar="FILE", help="write the results (JSON) to FILE as well")


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._measure import check_lab_options, environments, jobs_of, measured, requests_of
    from rtgauge.cli._output import check_output, json_out, line, say, write_output

    check_lab_options(args, args.targets)
    jobs = jobs_of(args)
    places = [(target, *environment) for target in args.targets for environment in environments(args)]
    groups = [_Group(requests_of(args, *place, audit=False)) for place in places]
    for group in groups:
        _check(group.requests[0])  # what cannot be is told before anything is measured
    check_output(args.output)
    whose = {id(request): group for group in groups for request in group.requests}

    def take(request: Request, finished: Finished) -> None:
        whose[id(request)].paths.append(finished.path)
        if args.json or args.output:
            whose[id(request)].contents.append(finished.content)
        if finished.why:
            say(finished.why)
        if not args.json:
            line(finished.path)

    code, stopped = measured(_in_turn(groups), take, jobs)
    per_target = len(groups) // len(args.targets)
    of_target = [groups[at : at + per_target] for at in range(0, len(groups), per_target)]
    merged = [one for some in of_target for one in _told(some, quiet=args.json)]
    content = merged[0] if len(args.targets) == 1 and merged else merged
    if args.json:
        json_out(content)
    if args.output:  # last: when it cannot be written, everything else is said
        write_output(args.output, content)
    if stopped is not None:
        raise stopped
    return code


class _Group:
    """The runs of one target in one environment."""

    def __init__(self, requests: list[Request]) -> None:
        self.requests = requests
        self.paths: list[Path] = []
        self.contents: list[Any] = []


def _in_turn(groups: Sequence[_Group]) -> list[Request]:
    """Target by target; the repeats outside of the environments, so that what drifts meets all of them alike."""
    targets = dict.fromkeys(group.requests[0].target for group in groups)
    return [
        request
        for target in targets
        for repeat in zip(*(g.requests for g in groups if g.requests[0].target == target), strict=True)
        for request in repeat
    ]


def _check(request: Request) -> None:
    from rtgauge._reserve import check
    from rtgauge.targets import open_target

    target = open_target(request.target, request.store)
    if request.wish.cpus == "reserved" and target.this_machine:
        check(max(request.wish.cpu, 0))


def _told(groups: Sequence[_Group], quiet: bool) -> list[Any]:
    """What there is of one target, for JSON: the content of results.json of one run; a map of repeats with their run
    to run; a map of environments with the table of all. Shown as well unless `quiet`."""
    begun = [group for group in groups if group.paths]
    every = [one for group in begun for one in _of_group(group, quiet)]
    return [_beside(groups, every, quiet)] if len(groups) > 1 and begun else every


def _of_group(group: _Group, quiet: bool) -> list[Any]:
    if group.requests[0].series is None:
        return group.contents
    return [{"run_to_run": _together(group.paths, quiet), "runs": group.contents}]


def _beside(groups: Sequence[_Group], contents: Sequence[Any], quiet: bool) -> dict[str, Any]:
    from rtgauge.cli._output import line, say
    from rtgauge.cli._side_by_side import show_side_by_side
    from rtgauge.repeats.side_by_side import to_json
    from rtgauge.store.series import side_by_side_of

    side = side_by_side_of(path for group in groups for path in group.paths)
    if side is None:
        say("one environment has nothing to be compared with")
    elif not quiet:
        line()
        show_side_by_side(side)
    return {"side_by_side": None if side is None else to_json(side), "environments": list(contents)}


def _together(paths: Sequence[Path], quiet: bool) -> dict[str, Any] | None:
    """What the repeats say together, shown unless `quiet`; None where there are fewer than two."""
    from rtgauge.cli._output import line, say
    from rtgauge.cli._repeats import show_repeats
    from rtgauge.repeats import to_json
    from rtgauge.store.series import repeats_of

    repeats = repeats_of(paths)
    if repeats is None:
        say("one run has no spread between runs")
        return None
    if not quiet:
        line()
        show_repeats(repeats)
    return to_json(repeats)
