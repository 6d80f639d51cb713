"""rtgauge report: a stored run for readers."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_store

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from collections.abc import Sequence
    from pathlib import Path

    from rtgauge.repeats import Repeats

SUMMARY = "write the report of a stored run"
EXAMPLE = "rtgauge report last --format html -o report.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_name",
        metavar="RUN",
        nargs="+",
        help="a run's id, a unique beginning of it, its path, or last; of a series (series-..., last-series) the run "
        "with the gravest verdict. Where runs repeat each other, each report tells what differs from run to run; where "
        "they differ in loads or CPUs, it shows them side by side",
    )
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
    from rtgauge.store.readers import open_run
    from rtgauge.store.series import find_runs, side_by_side_of

    pick("report format", args.format, plugins("rtgauge.report.formats", "render"))
    if len(args.run_name) == 1:
        check_output(args.output)
    chosen = _chosen(args.run_name, store_of(args))
    several = len(chosen) > 1 and args.output not in (None, "-")
    if several:
        with writing(Path(args.output)):
            Path(args.output).mkdir(parents=True, exist_ok=True)
    side = side_by_side_of(find_runs(args.run_name, store_of(args))) if len(args.run_name) > 1 else None
    for folder, repeats in chosen.items():
        stored = open_run(folder)
        for problem in stored.problems:
            say(f"note: {problem}")
        file: str | Path = args.output or (folder / "report.html" if args.format == "html" else "-")
        if several:
            file = Path(args.output) / f"{folder.name}.{args.format}"
        write_report(stored, args.format, file, repeats, side)
        if file != "-":
            line(file)
    return EXIT_OK


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
