"""rtgauge export: a stored run for other programs."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_store

SUMMARY = "write a stored run in the format of another program"
EXAMPLE = "rtgauge export last --format perfetto -o worst.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_name", metavar="RUN", help="a run's id, a unique beginning of it, its path, or last")
    parser.add_argument(
        "--format",
        required=True,
        help="perfetto: the kernel's events around the worst samples of a run with --blame, for ui.perfetto.dev",
    )
    parser.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to (default: standard output)")
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import check_output, line, say, write_file
    from rtgauge.errors import EXIT_OK
    from rtgauge.export import export, formats
    from rtgauge.registry import pick
    from rtgauge.store.places import find_run
    from rtgauge.store.readers import open_run

    pick("export format", args.format, formats())
    check_output(args.output)
    stored = open_run(find_run(args.run_name, store_of(args)))
    for problem in stored.problems:
        say(f"note: {problem}")
    write_file(args.output, export(stored, args.format))
    if args.output != "-":
        line(args.output)
    return EXIT_OK
