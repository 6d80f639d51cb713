"""rtgauge export: a stored run for other programs."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_store

SUMMARY = "write a stored run in the format of another program"
EXAMPLE = "rtgauge export last --test TMR-P-CYC --format csv -o samples.csv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_name", metavar="RUN", help="a run's id, a unique beginning of it, its path, or last")
    parser.add_argument(
        "--format",
        required=True,
        help="csv or parquet: every sample; hdrhistogram: a log with a histogram for each result; cyclictest-json: the "
        "periodic test as that program writes it; perfetto: the kernel's events around the worst samples of a run with "
        "--blame, for ui.perfetto.dev",
    )
    parser.add_argument("--test", metavar="ID", help="only the results of this test")
    parser.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="only results with this value of a parameter; may be given again",
    )
    parser.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to (default: standard output)")
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._measure import pair
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import check_output, fill_file, line, say
    from rtgauge.errors import EXIT_OK
    from rtgauge.export import choose, export_to, formats
    from rtgauge.export._samples import left_out
    from rtgauge.registry import pick
    from rtgauge.store.places import find_run
    from rtgauge.store.readers import open_run

    pick("export format", args.format, formats())
    params = dict(pair(text) for text in args.param)
    check_output(args.output)
    stored = open_run(find_run(args.run_name, store_of(args)))
    for problem in stored.problems:
        say(f"note: {problem}")
    for told in left_out(stored, choose(stored.results.get("results") or (), args.test, params)):
        say(f"note: {told}")
    fill_file(args.output, lambda file: export_to(file, stored, args.format, args.test, params))
    if args.output != "-":
        line(args.output)
    return EXIT_OK
