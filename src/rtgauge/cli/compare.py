"""rtgauge compare: systems side by side."""

from __future__ import annotations

import argparse

from rtgauge.cli._measured_now import add_measuring_now

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from pathlib import Path

    from rtgauge.cli._measure import Stopped
    from rtgauge.cli._measured_now import Targets
    from rtgauge.compare.parity import Rules
    from rtgauge.compare.values import Column, Comparison

SUMMARY = "runs, targets and published systems side by side"
EXAMPLE = "rtgauge compare local reference:qnx-6.5"
FORMATS = ("text", "json", "md", "html", "pdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "things",
        metavar="THING",
        nargs="+",
        help="a run (its id, a unique beginning of it, its path, or last), a series of repeats (series-..., "
        "last-series), a target to measure now (e.g. local), or reference:SYSTEM[@PLATFORM] (rtgauge list systems)",
    )
    parser.add_argument("--format", default=None, help="text, json, md, html or pdf (default: text)")
    parser.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to (default: standard output)")
    parser.add_argument(
        "--parity", metavar="FILE", help="what must be equal before systems are ranked (TOML; see docs/parity.md)"
    )
    parser.add_argument("--across", action="store_true", help="rank systems against each other whatever differs")
    parser.add_argument(
        "--unit",
        metavar="UNIT",
        help="of the key tests: time or instructions (default: instructions where operating systems stand beside each "
        "other in virtual time on one board, else time)",
    )
    add_measuring_now(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._measured_now import Targets
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import say
    from rtgauge.compare.align import align
    from rtgauge.errors import EXIT_UNDECIDED

    format = _format(args)
    _check_output(args.output, format)
    _check_unit(args.unit)
    rules = _rules(args.parity)
    targets = Targets(args)
    if args.things == targets.names[:1]:  # before it is measured
        say(f"nothing to compare: {args.things[0]} is alone, name another run or system beside it")
        return EXIT_UNDECIDED
    found, code, stopped = _columns(args.things, store_of(args), targets, args.unit)
    made = align(found, args.across, rules, args.unit)
    reason = _nothing(made)
    if reason:
        say(reason)
    else:
        _tell(made, format, args.output)
    if stopped is not None:
        raise stopped
    return code or (EXIT_UNDECIDED if reason else 0)


def _columns(things: list[str], store: Path, targets: Targets, unit: str | None) -> tuple[list[Column], int, Stopped]:
    """All systems, the targets measured now; with the exit code of measuring, and what ended it early."""
    from rtgauge.cli._output import say
    from rtgauge.compare.instructions import in_instructions
    from rtgauge.compare.things import columns_of, of_run, of_series, once

    there = {
        name: columns_of(name, store) for name in things if name not in targets.names
    }  # wrong names are told first, and a unit that these have not
    if any(there.values()):
        in_instructions([column for every in there.values() for column in every], unit)
    folders, code, stopped = targets.measure() if targets.names else ([], 0, None)
    fresh = iter(zip(targets.requests, folders, strict=True))
    found: list[Column] = []
    for name in things:
        if name in there:
            found += there[name]
            continue
        requests, paths = next(fresh)
        if not paths:
            say(f"{name} was not measured")
        else:
            found.append(of_run(paths[0]) if len(requests) == 1 else of_series(str(requests[0].series), paths))
    return once(found), code, stopped


def _rules(file: str | None) -> Rules:
    from pathlib import Path

    from rtgauge.compare.parity import EQUAL, read

    return EQUAL if file is None else read(Path(file))


def _format(args: argparse.Namespace) -> str:
    from rtgauge.errors import UsageError
    from rtgauge.registry import pick

    if args.json and args.format not in (None, "json"):
        raise UsageError(f"--json and --format {args.format} ask for different things: give one of them")
    name = "json" if args.json else args.format or "text"
    pick("format", name, dict.fromkeys(FORMATS))
    return str(name)


def _check_unit(unit: str | None) -> None:
    from rtgauge.compare.instructions import UNITS
    from rtgauge.registry import pick

    if unit is not None:
        pick("unit", unit, dict.fromkeys(UNITS))


def _check_output(file: str, format: str) -> None:
    import sys

    from rtgauge.cli._output import check_output
    from rtgauge.errors import UsageError

    check_output(file)
    if format == "pdf" and file == "-" and sys.stdout.isatty():
        raise UsageError("--format pdf is nothing for a terminal: name a file with -o")


def _nothing(made: Comparison) -> str | None:
    """Why there is nothing to compare, in one line; None where there is."""
    from rtgauge.compare.why import nothing_comparable

    return nothing_comparable(made)


def _tell(made: Comparison, format: str, file: str) -> None:
    from rtgauge.cli._output import line, write_file

    if format == "text" and file == "-":
        from rtgauge.compare.terminal import lines

        for text in lines(made):
            line(text)
        return
    write_file(file, _rendered(made, format))
    if file != "-":
        line(file)


def _rendered(made: Comparison, format: str) -> str | bytes:
    if format == "json":
        import json

        from rtgauge.compare.export import to_json

        return json.dumps(to_json(made), indent=1, allow_nan=False) + "\n"
    if format == "text":
        from rtgauge.cli._output import clean
        from rtgauge.compare.terminal import lines

        return "".join(f"{clean(text)}\n" for text in lines(made))
    return _page(made, format)


def _page(made: Comparison, format: str) -> str | bytes:
    from rtgauge.compare.page import sections

    if format == "md":
        from rtgauge.report.formats import md

        return md.page(sections(made, charts=False))
    if format == "html":
        from rtgauge.report.formats import html

        return html.page(sections(made, charts=True))
    from rtgauge.report.formats import pdf

    created = max((column.created for column in made.columns), default="")
    return pdf.page(sections(made, charts=True, full=False), title="Comparison", created=created)
