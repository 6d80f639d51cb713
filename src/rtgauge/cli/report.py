"""rtgauge report: a stored run for readers."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_run, add_store

SUMMARY = "write the report of a stored run"
EXAMPLE = "rtgauge report last --format html -o report.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser, nargs="+")
    parser.add_argument("--format", default="html", help="html, md or json (default: html)")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="where to; a folder when there are several runs (default: html beside the run, others to standard output)",
    )
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import check_output, line, say
    from rtgauge.cli._report import write_report
    from rtgauge.errors import EXIT_OK
    from rtgauge.registry import pick, plugins
    from rtgauge.store.files import writing
    from rtgauge.store.places import find_run
    from rtgauge.store.readers import open_run

    pick("report format", args.format, plugins("rtgauge.report.formats", "render"))
    if len(args.run_name) == 1:
        check_output(args.output)
    folders = [find_run(name, store_of(args)) for name in args.run_name]
    several = len(folders) > 1 and args.output not in (None, "-")
    if several:
        with writing(Path(args.output)):
            Path(args.output).mkdir(parents=True, exist_ok=True)
    for folder in folders:
        stored = open_run(folder)
        for problem in stored.problems:
            say(f"note: {problem}")
        file: str | Path = args.output or (folder / "report.html" if args.format == "html" else "-")
        if several:
            file = Path(args.output) / f"{folder.name}.{args.format}"
        write_report(stored, args.format, file)
        if file != "-":
            line(file)
    return EXIT_OK
