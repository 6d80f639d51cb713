"""rtgauge evaluate: the main job."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_measuring

SUMMARY = "audit, measure and judge a system, and write the report"
EXAMPLE = "rtgauge evaluate --deadline 100us"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", nargs="?", default="local", help="default: local")
    add_measuring(parser, "quick")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write the report (HTML) to FILE as well")


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._measure import request_of
    from rtgauge.cli._output import check_output, json_out, line, say
    from rtgauge.cli._report import write_report
    from rtgauge.errors import StoreError
    from rtgauge.session import run as run_session
    from rtgauge.store.readers import open_run

    check_output(args.output)
    finished = run_session(request_of(args, args.target, audit=True))
    report, refused = finished.path / "report.html", None
    try:
        write_report(open_run(finished.path), "html", report)
    except StoreError as error:  # the verdict is known all the same
        refused = error
    if finished.why:
        say(finished.why)
    verdict = finished.content.get("verdict") or {}
    if args.json:
        json_out(finished.content)  # the content of results.json and nothing else
        if not refused:
            say(f"report: {report}")
    else:
        line(f"verdict: {verdict.get('ruling')}: {verdict.get('reason')}")
        line(f"report: {f'none: {refused}' if refused else report}")
    if refused:
        raise refused
    if args.output:
        write_report(open_run(finished.path), "html", args.output)
    return finished.exit_code or exit_code(str(verdict.get("ruling")))


def exit_code(ruling: str) -> int:
    """The exit code of a judgement."""
    from rtgauge.errors import EXIT_FAILED, EXIT_OK, EXIT_UNDECIDED

    return {"pass": EXIT_OK, "fail": EXIT_FAILED}.get(ruling, EXIT_UNDECIDED)
