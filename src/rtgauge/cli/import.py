# ruff: noqa: N999 - the module is named as the command is
"""rtgauge import: the results of another program as a run."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_json, add_store

SUMMARY = "keep the results of another program as a run"
EXAMPLE = "rtgauge import cyclictest.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="what the program wrote or printed")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="cyclictest-json, cyclictest-histogram, rtla-hist, jitterdebugger or thread-metric (default: by content)",
    )
    parser.add_argument("--unit", help="us or ns: of the file's times, where it does not tell (cyclictest --nsecs)")
    parser.add_argument("--tag", metavar="TEXT", default="", help="a note kept with the run")
    add_store(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from rtgauge.cli._measure import TAG_MOST
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import json_out, line, say
    from rtgauge.errors import EXIT_OK, UsageError
    from rtgauge.store.imported import import_file

    if len(args.tag) > TAG_MOST:
        raise UsageError(f"--tag is longer than {TAG_MOST} characters")
    made = import_file(Path(args.file), store_of(args), args.format, args.unit, args.tag, args.command_line)
    if args.json:
        json_out(made.results)
        return EXIT_OK
    for problem in made.results["problems"]:
        say(f"note: {problem}")
    number = len(made.results["results"])
    line(f"{made.path.name}: {number} {'result' if number == 1 else 'results'} of {made.results['system']['engine']}")
    line(f"`rtgauge show {made.path.name}` shows them")
    return EXIT_OK
