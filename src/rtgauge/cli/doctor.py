"""rtgauge doctor: what is missing on this machine, and how to get it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rtgauge.cli._options import add_json, add_store, store_of
from rtgauge.errors import EXIT_OK, EXIT_UNDECIDED

if TYPE_CHECKING:
    from rich.console import Console

    from rtgauge.doctor import Diagnosis

SUMMARY = "what each kind of target needs here, what is missing, and how to get it"
EXAMPLE = "rtgauge doctor"
STYLES = {"ok": "green", "missing": "bold red", "note": "yellow"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_store(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._output import json_out
    from rtgauge.doctor import diagnose

    diagnosis = diagnose(store_of(args))
    if args.json:
        json_out(diagnosis.as_dict())
    else:
        _print(diagnosis)
    return EXIT_OK if diagnosis.usable("local") else EXIT_UNDECIDED


def _print(diagnosis: Diagnosis) -> None:
    from rtgauge.cli._output import rich_console

    console = rich_console()
    _print_needs(console, diagnosis)
    if diagnosis.steps:
        _print_steps(console, diagnosis)
    elif diagnosis.usable("local"):
        console.print("Everything that the target local needs is there. rtgauge audit tells how well it is set up.")


def _print_needs(console: Console, diagnosis: Diagnosis) -> None:
    from rich.table import Table
    from rich.text import Text

    from rtgauge.cli._output import clean

    for kind, needs in diagnosis.needs.items():
        console.print(Text.assemble((kind, "bold"), ": usable" if diagnosis.usable(kind) else ": something is missing"))
        grid = Table.grid(padding=(0, 1))
        for need in needs:
            found = Text(clean(need.found))
            if need.fix and need.status != "ok":
                found.append(f"\n-> {clean(need.fix)}")
            grid.add_row(" ", Text(f"{need.status:<7}", STYLES[need.status]), Text(need.name), found)
        console.print(grid)
        console.print()


def _print_steps(console: Console, diagnosis: Diagnosis) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from rtgauge.cli._output import clean

    console.print(Text("How to get permission for real time: the first step that is possible here", "bold"))
    console.print("rtgauge and its Python never need root; sudo is only for the commands shown.")
    for number, step in enumerate(diagnosis.steps, 1):
        console.print()
        console.print(Text(f"{number}. {clean(step.title)}", "bold"))
        console.print(Padding(clean(step.why), (0, 0, 0, 3)))
        for command in step.commands:
            console.print(Text(f"     {clean(command)}", "cyan"), soft_wrap=True)  # stays one line to copy
        if step.then:
            console.print(Padding(clean(step.then), (0, 0, 0, 3)))
    console.print("\nMore, with the reasons: docs/permissions.md")
