"""rtgauge audit: the system's configuration, or a running program, against what is known to disturb deadlines."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rtgauge.cli._options import add_json
from rtgauge.errors import EXIT_FAILED, EXIT_OK, UsageError

if TYPE_CHECKING:
    from rtgauge.audit import Finding
    from rtgauge.audit.app import AppAudit

SUMMARY = "check this system's configuration, or a running program, against real-time guidelines"
EXAMPLE = "rtgauge audit --json"
TARGETS = {"local": "this machine"}
STYLES = {"fail": "bold red", "warn": "yellow", "unknown": "cyan", "ok": "green"}
WATCHED = (
    "The program was only watched, nothing in it was changed. What did not happen during the watch was not seen: "
    "watch under full load, and for longer (--watch)."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", nargs="?", default="local", help="local (default): this machine")
    parser.add_argument("--app", metavar="PID", help="watch this running program instead of the configuration")
    parser.add_argument("--watch", metavar="SECONDS", help="how long to watch the program (default: 2)")
    parser.add_argument(
        "--no-trace", action="store_true", help="with --app: no kernel events, which cost time at each system call"
    )
    parser.add_argument("--evidence", action="store_true", help="print for each finding what was read")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.registry import pick

    pick("target of audit", args.target, TARGETS)
    findings = _system(args) if args.app is None else _program(args)
    return EXIT_FAILED if any(finding.status == "fail" for finding in findings) else EXIT_OK


def _system(args: argparse.Namespace) -> list[Finding]:
    from rtgauge.audit import ON_PURPOSE, run_audit
    from rtgauge.cli._output import json_out

    if args.watch is not None or args.no_trace:
        raise UsageError("--watch and --no-trace belong to --app PID: the configuration is read at once")
    findings = run_audit()
    if args.json:
        json_out([finding.as_dict() for finding in findings])
    else:
        _print(findings, args.evidence, ON_PURPOSE)
    return findings


def _program(args: argparse.Namespace) -> list[Finding]:
    from rtgauge.audit.app import WATCH, run_app_audit
    from rtgauge.cli._output import json_out, say

    pid, seconds = _pid(args.app), WATCH if args.watch is None else _seconds(args.watch)
    if not args.json:
        say(f"watching process {pid} for {seconds:g} s")
    audit = run_app_audit(pid, seconds, not args.no_trace)
    if args.json:
        json_out({"app": audit.app, "findings": [finding.as_dict() for finding in audit.findings]})
    else:
        _head(audit)
        _print(audit.findings, args.evidence, WATCHED)
    return audit.findings


def _pid(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) < 1 << 22:
        raise UsageError(f"--app {text!r} is not the number of a process, 1 to {(1 << 22) - 1}")
    return int(text)


def _seconds(text: str) -> float:
    """Seconds of a bare number, as the option's name says, or of a time with its unit."""
    from rtgauge.audit.app import LONGEST, SHORTEST
    from rtgauge.units import parse_duration

    seconds = parse_duration(text if text[-1:].isalpha() else f"{text}s", "--watch") / 1e9
    if not SHORTEST <= seconds <= LONGEST:
        raise UsageError(f"--watch {text}: from {SHORTEST:g} s to {LONGEST:g} s")
    return seconds


def _head(audit: AppAudit) -> None:
    from rtgauge.cli._output import line

    app = audit.app
    trace = app["trace"]
    calls = (
        f"{trace['events']} kernel events, {trace['lost']} lost" if trace else f"no kernel events: {app['no_trace']}"
    )
    line(f"{app['name']} ({app['program'] or 'program unknown'}), process {app['pid']}, {len(app['threads'])} threads")
    line(f"watched {app['watched_s']:g} s; judged: {app['judged']}; {calls}")
    line()


def _print(findings: list[Finding], with_evidence: bool, end: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from rtgauge.cli._output import clean, rich_console

    console = rich_console()
    grid = Table.grid(padding=(0, 1))
    for finding in findings:
        head = Text.assemble((clean(finding.check), "bold"), f": {clean(finding.summary)}")
        grid.add_row(Text(finding.status, STYLES[finding.status]), head)
        rows = [] if finding.status == "ok" else [("why", finding.why), ("fix", finding.fix)]
        if with_evidence:
            rows += [("read", f"{source}: {value}") for source, value in finding.evidence]
        for name, text in rows:
            if text:
                grid.add_row("", Text(f"{name}: {clean(text)}", "" if name == "fix" else "dim"))
    console.print(grid)
    counts = [f"{sum(finding.status == status for finding in findings)} {status}" for status in STYLES]
    console.print(f"\n{', '.join(counts)}. {end}")
