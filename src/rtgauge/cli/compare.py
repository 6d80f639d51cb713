"""rtgauge compare: systems side by side."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_store

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from rtgauge.compare.values import Comparison

SUMMARY = "runs and published systems side by side"
EXAMPLE = "rtgauge compare last reference:qnx-6.5 reference:ce7"
FORMATS = ("text", "json", "md", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "things",
        metavar="THING",
        nargs="+",
        help="a run (its id, a unique beginning of it, its path, or last), a series of repeats (series-..., "
        "last-series), or reference:SYSTEM[@PLATFORM] (rtgauge list systems)",
    )
    parser.add_argument("--format", default=None, help="text, json, md or html (default: text)")
    parser.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to (default: standard output)")
    parser.add_argument(
        "--across", action="store_true", help="mark the best also between systems on different platforms"
    )
    add_store(parser)
    parser.add_argument("--json", action="store_true", help="the same as --format json")


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import check_output, line, say, write_file
    from rtgauge.compare.align import align
    from rtgauge.compare.things import columns
    from rtgauge.errors import EXIT_OK, EXIT_UNDECIDED

    format = _format(args)
    check_output(args.output)
    made = align(columns(args.things, store_of(args)), across=args.across)
    reason = _nothing(made)
    if reason:
        say(reason)
        return EXIT_UNDECIDED
    if format == "text" and args.output == "-":
        from rtgauge.compare.terminal import lines

        for text in lines(made):
            line(text)
        return EXIT_OK
    write_file(args.output, _rendered(made, format))
    if args.output != "-":
        line(args.output)
    return EXIT_OK


def _format(args: argparse.Namespace) -> str:
    from rtgauge.errors import UsageError
    from rtgauge.registry import pick

    if args.json and args.format not in (None, "json"):
        raise UsageError(f"--json and --format {args.format} ask for different things: give one of them")
    name = "json" if args.json else args.format or "text"
    pick("format", name, dict.fromkeys(FORMATS))
    return str(name)


def _nothing(made: Comparison) -> str | None:
    """Why there is nothing to compare, in one line; None where there is."""
    from rtgauge.compare.why import nothing_comparable

    return nothing_comparable(made)


def _rendered(made: Comparison, format: str) -> str:
    if format == "json":
        import json

        from rtgauge.compare.export import to_json

        return json.dumps(to_json(made), indent=1, allow_nan=False) + "\n"
    if format == "text":
        from rtgauge.cli._output import clean
        from rtgauge.compare.terminal import lines

        return "".join(f"{clean(text)}\n" for text in lines(made))
    from rtgauge.compare.page import sections
    from rtgauge.report.formats import html, md

    if format == "md":
        return md.page(sections(made, charts=False))
    return html.page(sections(made, charts=True))
