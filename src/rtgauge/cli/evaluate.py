"""rtgauge evaluate: the main job."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_measuring, add_require

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from rtgauge.errors import StoreError
    from rtgauge.repeats import Repeats
    from rtgauge.session import Finished, Request

SUMMARY = "audit, measure and judge a system, and write the report"
EXAMPLE = "rtgauge evaluate --deadline 100us --require limits.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from rtgauge.cli._measure import add_repeat

    parser.add_argument("target", metavar="TARGET", nargs="?", default="local", help="default: local")
    add_measuring(parser, "quick")
    add_require(parser)
    add_repeat(parser)
    parser.add_argument("-o", dest="output", metavar="FILE", help="write the report (HTML) to FILE as well")


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._measure import check_lab_options, environments, jobs_of, measured, requests_of
    from rtgauge.cli._output import check_output, json_out, line, say
    from rtgauge.cli._report import write_report
    from rtgauge.cli._requirements import gravest_of, show_requirements
    from rtgauge.errors import UsageError
    from rtgauge.store.readers import open_run
    from rtgauge.store.series import gravest, repeats_of

    check_output(args.output)
    check_lab_options(args, [args.target])
    paths: list[Path] = []
    contents: list[Mapping[str, Any]] = []
    judged: list[Sequence[Mapping[str, Any]]] = []  # of each run

    def take(_: Request, finished: Finished) -> None:
        paths.append(finished.path)
        contents[:] = [*(contents if args.json else ()), finished.content]
        judged.append(finished.content.get("requirements") or ())
        if finished.why:
            say(finished.why)

    (environment, *others) = environments(args)
    if others:
        raise UsageError("evaluate judges one environment: give one --load and one --cpus, or use rtgauge run")
    requests = requests_of(args, args.target, *environment, audit=True)
    code, stopped = measured(requests, take, jobs_of(args))
    repeats = repeats_of(paths)
    shown = gravest(paths, repeats)
    report = shown / "report.html"
    refused = _refused(shown, report, repeats)
    verdict = _verdict(contents[-1], repeats)
    if args.json:
        # one run: the content of results.json and nothing else
        json_out(contents[0] if len(requests) == 1 else _content(contents, repeats))
        if not refused:
            say(f"report: {report}")
    else:
        _show(repeats)
        show_requirements(gravest_of(judged))
        line(f"verdict: {verdict.get('ruling')}: {verdict.get('reason')}")
        line(f"report: {f'none: {refused}' if refused else report}")
    if stopped or refused:
        raise stopped or refused  # type: ignore[misc]
    if args.output:
        write_report(open_run(shown), "html", args.output, repeats)
    return code or exit_code(str(verdict.get("ruling")))


def _refused(path: Path, file: Path, repeats: Repeats | None) -> StoreError | None:
    """Writes the report. Why it could not be written, if so: the verdict is known all the same."""
    from rtgauge.cli._report import write_report
    from rtgauge.errors import StoreError
    from rtgauge.store.readers import open_run

    try:
        write_report(open_run(path), "html", file, repeats)
    except StoreError as error:
        return error
    return None


def _verdict(content: Mapping[str, Any], repeats: Repeats | None) -> Mapping[str, Any]:
    """The gravest of all runs."""
    if repeats is None:
        return content.get("verdict") or {}
    return {"ruling": repeats.ruling, "reason": repeats.reason}


def _content(contents: list[Mapping[str, Any]], repeats: Repeats | None) -> Mapping[str, Any]:
    """Of repeats, as of `rtgauge run`."""
    from rtgauge.repeats import to_json

    return {"run_to_run": None if repeats is None else to_json(repeats), "runs": contents}


def _show(repeats: Repeats | None) -> None:
    from rtgauge.cli._output import line
    from rtgauge.cli._repeats import show_repeats

    if repeats is not None:
        show_repeats(repeats)
        line()


def exit_code(ruling: str) -> int:
    """The exit code of a judgement."""
    from rtgauge.errors import EXIT_FAILED, EXIT_OK, EXIT_UNDECIDED

    return {"pass": EXIT_OK, "fail": EXIT_FAILED}.get(ruling, EXIT_UNDECIDED)
