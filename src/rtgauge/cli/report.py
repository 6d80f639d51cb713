"""rtgauge report: a stored run for readers."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_store

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from rtgauge.repeats import Repeats

SUMMARY = "write the report of a stored run"
EXAMPLE = "rtgauge report last -o report.pdf"
DEFAULT = "html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_name",
        metavar="RUN",
        nargs="+",
        help="a run's id, a unique beginning of it, its path, or last; of a series (series-..., last-series) the run "
        "with the gravest verdict. Where runs repeat each other, each report tells what differs from run to run; where "
        "they differ in loads or CPUs, it shows them side by side. Several runs give a report each",
    )
    parser.add_argument(
        "--format", help="html, pdf, md, json or junit (default: what the end of -o says, .xml is junit; else html)"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="where to; a folder when there are several runs (default: html beside the run, others to standard output)",
    )
    parser.add_argument(
        "--opinions", metavar="FILE", help="a questionnaire that was filled in, for what no test can rate (TOML)"
    )
    parser.add_argument(
        "--vendor", metavar="FILE", help="comments of the system's vendor, plain text or Markdown, shown as paragraphs"
    )
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import line, say
    from rtgauge.cli._report import write_report
    from rtgauge.errors import EXIT_OK
    from rtgauge.report import suffix_of
    from rtgauge.store.files import writing
    from rtgauge.store.readers import open_run
    from rtgauge.store.series import find_runs, side_by_side_of

    format = _format(args)
    opinions, vendor = _opinions(args.opinions), _vendor(args.vendor)
    if len(args.run_name) == 1:
        _check(args.output, format, several=False)  # also where there is no such run
    chosen = _chosen(args.run_name, store_of(args))
    several = len(chosen) > 1
    _check(args.output, format, several)
    if several and args.output not in (None, "-"):
        with writing(Path(args.output)):
            Path(args.output).mkdir(parents=True, exist_ok=True)
    side = side_by_side_of(find_runs(args.run_name, store_of(args))) if len(args.run_name) > 1 else None
    for folder, repeats in chosen.items():
        stored = open_run(folder)
        for problem in stored.problems:
            say(f"note: {problem}")
        file: str | Path = args.output or (folder / "report.html" if format == DEFAULT else "-")
        if several and args.output not in (None, "-"):
            file = Path(args.output) / f"{folder.name}.{suffix_of(format)}"
        write_report(stored, format, file, repeats, side, opinions=opinions, vendor=vendor)
        if file != "-":
            line(file)
    return EXIT_OK


def _format(args: argparse.Namespace) -> str:
    """The format that was named, else that of the file's name."""
    from rtgauge.registry import pick
    from rtgauge.report import format_names, format_of

    if args.format is not None:
        return pick("report format", args.format, {name: name for name in format_names()})
    named = args.output if args.output not in (None, "-") and len(args.run_name) == 1 else ""
    return format_of(named) or DEFAULT


def _check(output: str | None, format: str, several: bool) -> None:
    """What cannot be written is said before the work. UsageError says what is wrong."""
    import sys

    from rtgauge.cli._output import check_output
    from rtgauge.errors import UsageError
    from rtgauge.report import is_binary

    if not several:
        check_output(output)
    to_stream = output == "-" or (output is None and format != DEFAULT)
    if several and to_stream and format != "md":
        raise UsageError(f"several runs give a {format} report each: name a folder for them, -o FOLDER")
    if to_stream and is_binary(format) and sys.stdout.isatty():
        raise UsageError(f"{format} is no text for a terminal: name a file, -o report.{format}")


def _opinions(file: str | None) -> Mapping[str, Any]:
    if file is None:
        return {}
    from rtgauge.ratings import read_opinions

    return read_opinions(file)


def _vendor(file: str | None) -> str:
    from rtgauge.report import read_vendor

    return "" if file is None else read_vendor(file)


def _chosen(names: Sequence[str], store: Path) -> dict[Path, Repeats | None]:
    """The runs to report on, each with those that it repeats: the others that were named, else its own series."""
    from rtgauge.store.places import find_run
    from rtgauge.store.readers import read_manifest
    from rtgauge.store.series import find_series, gravest, names_series, repeats_of, siblings

    chosen: dict[Path, Repeats | None] = {}
    for name in names:
        if names_series(name):
            folders = find_series(name, store)
            repeats = repeats_of(folders)
            chosen[gravest(folders, repeats)] = repeats
    runs = list(dict.fromkeys(find_run(name, store) for name in names if not names_series(name)))
    together = repeats_of(runs) if len(runs) > 1 else None
    for folder in runs:
        alike = together is not None and not together.unequal
        chosen[folder] = together if alike else repeats_of(siblings(folder, read_manifest(folder)[0]))
    return chosen
