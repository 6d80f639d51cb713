"""rtgauge selftest: can the tests fail, and are the figures right? Nothing of this machine is measured."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rtgauge.cli._options import add_json

if TYPE_CHECKING:
    from rtgauge.selftest.run import Case

SUMMARY = "prove that each fault of a system is caught by the tests that are to catch it"
EXAMPLE = "rtgauge selftest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fault",
        metavar="NAME[:K]",
        action="append",
        default=[],
        help="only this fault of the fake system, with the number K where it takes one; may be given again",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._output import json_out, line
    from rtgauge.errors import EXIT_FAILED, EXIT_OK
    from rtgauge.selftest.run import check_k, selftest

    for fault in args.fault:
        check_k(fault)
    outcome = selftest(args.fault, None if args.json else _show)
    if args.json:
        json_out(outcome.as_dict())
    else:
        line(
            f"{outcome.results} results of the correct system as known; {len(outcome.cases)} faults, "
            f"{outcome.missed} missed, {outcome.false_alarms} false alarms"
        )
    return EXIT_FAILED if outcome.missed or outcome.false_alarms else EXIT_OK


def _show(case: Case) -> None:
    from rtgauge.cli._output import line

    bad = "MISSED" if case.missing else "FALSE ALARM" if case.unexpected else "ok"
    line(f"{bad:<11}  {case.fault}: {case.what}" + (f" [{', '.join(case.caught_by)}]" if case.caught_by else ""))
    for sign in case.missing:
        line(f"  not said: {sign}")
    for lines in case.unexpected.values():
        for text in lines:
            line(f"  unexpected: {text}")
