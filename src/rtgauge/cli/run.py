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
    from rtgauge.cli._measure import measured, requests_of
    from rtgauge.cli._output import check_output, json_out, line, say, write_output
    from rtgauge.targets import open_target

    groups = [requests_of(args, target, audit=False) for target in args.targets]
    for requests in groups:
        open_target(requests[0].target, requests[0].store)  # a wrong address is told before anything is measured
    check_output(args.output)
    paths: dict[str | None, list[Path]] = {}
    contents: dict[str | None, list[Any]] = {}

    def take(request: Request, finished: Finished) -> None:
        paths.setdefault(request.series, []).append(finished.path)
        if args.json or args.output:
            contents.setdefault(request.series, []).append(finished.content)
        if finished.why:
            say(finished.why)
        if not args.json:
            line(finished.path)

    code, stopped = measured([request for requests in groups for request in requests], take)
    told = [_together(paths[series], args.json) for series in paths] if groups[0][0].series else []
    merged = _merged(list(contents.values()), told, len(groups))
    if args.json:
        json_out(merged)
    if args.output:  # last: when it cannot be written, everything else is said
        write_output(args.output, merged)
    if stopped is not None:
        raise stopped
    return code


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


def _merged(contents: Sequence[list[Any]], told: Sequence[dict[str, Any] | None], targets: int) -> Any:
    """The content of results.json of one run; of several runs a list; of repeats a map with their run to run."""
    if told:
        every = [{"run_to_run": one, "runs": runs} for one, runs in zip(told, contents, strict=False)]
        return every[0] if targets == 1 and every else every
    runs = [content for of_one in contents for content in of_one]
    return runs[0] if targets == 1 and runs else runs
