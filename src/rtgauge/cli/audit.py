"""rtgauge audit: the system's configuration against what is known to disturb deadlines."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rtgauge.cli._options import add_json
from rtgauge.errors import EXIT_FAILED, EXIT_OK

if TYPE_CHECKING:
    from rtgauge.audit import Finding

SUMMARY = "check this system's configuration against real-time guidelines"
EXAMPLE = "rtgauge audit --json"
TARGETS = {"local": "this machine"}
STYLES = {"fail": "bold red", "warn": "yellow", "unknown": "cyan", "ok": "green"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", nargs="?", default="local", help="local (default): this machine")
    parser.add_argument("--evidence", action="store_true", help="print for each finding what was read")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.audit import run_audit
    from rtgauge.cli._output import json_out
    from rtgauge.registry import pick

    pick("target of audit", args.target, TARGETS)
    findings = run_audit()
    if args.json:
        json_out([finding.as_dict() for finding in findings])
    else:
        _print(findings, args.evidence)
    return EXIT_FAILED if any(finding.status == "fail" for finding in findings) else EXIT_OK


def _print(findings: list[Finding], with_evidence: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from rtgauge.audit import ON_PURPOSE
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
    console.print(f"\n{', '.join(counts)}. {ON_PURPOSE}")
