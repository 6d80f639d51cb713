"""rtgauge run: only measure."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_measuring

SUMMARY = "measure, and keep every sample"
EXAMPLE = "rtgauge run local --tests 'THR-*' --samples 10000"
REPEATS_MOST = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", metavar="TARGET", nargs="+", help="what to measure, e.g. local")
    add_measuring(parser, "standard")
    parser.add_argument("--repeat", metavar="N", default="1", help="whole runs, one after the other")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write the results (JSON) to FILE as well")


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._measure import number, request_of
    from rtgauge.cli._output import check_output, json_out, line, say, write_output
    from rtgauge.session import run as run_session
    from rtgauge.targets import open_target

    repeat = number("--repeat", args.repeat, 1, REPEATS_MOST)
    requests = [
        request_of(args, target, audit=False, repeat=(n, repeat))
        for target in args.targets
        for n in range(1, repeat + 1)
    ]
    for target in args.targets:
        open_target(target, requests[0].store)  # a wrong address is told before anything is measured
    check_output(args.output)
    code, contents = 0, []
    for request in requests:
        finished = run_session(request)
        contents.append(finished.content)
        code = max(code, finished.exit_code)
        if finished.why:
            say(finished.why)
        if not args.json:
            line(finished.path)
        if finished.exit_code >= 128:  # stopped by the user: the rest as well
            break
    merged = contents[0] if len(requests) == 1 else contents
    if args.json:
        json_out(merged)
    if args.output:  # last: when it cannot be written, everything else is said
        write_output(args.output, merged)
    return code
