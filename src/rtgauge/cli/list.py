"""rtgauge list: what there is."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from rtgauge.cli._options import add_json, add_lab, add_store, use_lab

SUMMARY = "list tests, suites, loads, targets, systems, boards or runs; print the questionnaire for ratings"
EXAMPLE = "rtgauge list tests"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", metavar="WHAT", help="tests, suites, loads, targets, systems, boards, runs or questionnaire"
    )
    parser.add_argument("--target", default="local", help="whose tests or loads (default: local)")
    add_lab(parser)
    add_store(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.errors import EXIT_OK
    from rtgauge.registry import pick

    kinds: dict[str, Callable[[argparse.Namespace], None]] = {
        "tests": _tests,
        "loads": _loads,
        "targets": _targets,
        "runs": _runs,
        "suites": _suites,
        "systems": _systems,
        "boards": _boards,
        "questionnaire": _questionnaire,
    }
    use_lab(args)
    pick("thing to list", args.what, kinds)(args)
    return EXIT_OK


def _tests(args: argparse.Namespace) -> None:
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import clean, json_out, line
    from rtgauge.plan import select
    from rtgauge.targets import open_target

    tests = select(open_target(args.target, store_of(args)).describe().descriptors, ())
    if args.json:
        json_out([_test_as_json(test) for test in tests])
        return
    for test in tests:
        units = ", ".join(dict.fromkeys(one.unit for one in test.series)) or "pass or fail"
        line(f"{test.id}  {test.title} ({units})")
        line(f"    {test.question}")
        for info in test.params:
            legal = info.legal if info.kind != "choice" else ", ".join(info.legal.split())
            line(f"    {info.name} = {', '.join(info.sweep.split())}  (legal: {legal}): {clean(info.what)}")


def _test_as_json(test: Any) -> dict[str, Any]:
    from dataclasses import asdict

    units = list(dict.fromkeys(one.unit for one in test.series))
    return {**asdict(test), "unit": units[0] if len(units) == 1 else units or None}


def _loads(args: argparse.Namespace) -> None:
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import json_out, line
    from rtgauge.loads import offered
    from rtgauge.targets import open_target

    target = open_target(args.target, store_of(args))
    description = target.describe()
    loads = offered(description.loads, target.this_machine, description.programs)
    if args.json:
        json_out(loads)
        return
    for load in loads:
        line(f"{load['name']}  {load['what']} ({load['degree']})")
        if load["where"] != "engine":
            line(f"    a program that runs on {load['where']}")
        if load["missing"]:
            line(f"    {load['missing']}")


def _targets(args: argparse.Namespace) -> None:
    from rtgauge.cli._output import json_out, table
    from rtgauge.registry import plugins

    examples = plugins("rtgauge.targets", "EXAMPLE")
    kinds = [
        {"kind": kind, "address": examples[kind], "summary": summary}
        for kind, summary in plugins("rtgauge.targets", "SUMMARY").items()
    ]
    if args.json:
        json_out(kinds)
    else:
        table(("address", "what it is"), [(kind["address"], kind["summary"]) for kind in kinds])


def _runs(args: argparse.Namespace) -> None:
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import json_out, line, table
    from rtgauge.store.catalogue import list_runs

    store = store_of(args)
    rows = list_runs(store)
    if args.json:
        json_out(rows)
    elif not rows:
        line(f"no runs in {store}")
    else:
        names = ("run", "state", "target", "tests", "verdict", "tag")
        table(names, [[str(row[name]) for name in names] for row in rows], right=(3,))


def _suites(args: argparse.Namespace) -> None:
    from dataclasses import asdict

    from rtgauge.cli._output import json_out, line
    from rtgauge.suites import suites

    if args.json:
        json_out([asdict(suite) for suite in suites().values()])
        return
    for suite in suites().values():
        line(f"{suite.name}  {suite.title}")
        line(f"    {suite.what}")
        for entry in suite.entries:
            chosen = [f"{name}={','.join(values)}" for name, values in entry.params.items()]
            line(f"    {entry.benchmark}: {' '.join([entry.test, *chosen])}")


def _questionnaire(args: argparse.Namespace) -> None:
    """As a file to fill in: `rtgauge list questionnaire > opinions.toml`."""
    from rtgauge.cli._output import json_out, line
    from rtgauge.ratings import template

    if args.json:
        json_out({"questionnaire": template()})
        return
    for text in template().splitlines():
        line(text)


def _systems(args: argparse.Namespace) -> None:
    """Those of the lab, which can be measured, and those of which figures were published."""
    from rtgauge.cli._output import json_out, line, table
    from rtgauge.lab.systems import lab
    from rtgauge.reference.systems import systems, titles

    known, ours = titles(), lab().systems.values()
    if args.json:
        json_out([*map(_lab_system_as_json, ours), *(_system_as_json(one, known) for one in systems().values())])
        return
    table(("system", "boards", "what it is"), [(f"lab:{one.name}", ", ".join(one.boards), one.what) for one in ours])
    line()
    counts = [sum(figure.number is not None for figure in one.figures) for one in systems().values()]
    table(
        ("system", "year", "figures", "verdicts", "source"),
        [
            (
                f"reference:{one.address}",
                one.year or "not printed",
                str(count),
                str(len(one.figures) - count),
                ", ".join(f"{source} ({known[source]})" for source in one.sources),
            )
            for one, count in zip(systems().values(), counts, strict=True)
        ],
        right=(2, 3),
    )


def _lab_system_as_json(one: Any) -> dict[str, Any]:
    return {
        "system": one.name,
        "address": f"lab:{one.name}",
        "os": one.os,
        "boards": list(one.boards),
        "what": one.what,
    }


def _boards(args: argparse.Namespace) -> None:
    from rtgauge.cli._output import json_out, line
    from rtgauge.lab.boards import about_boards
    from rtgauge.lab.storage import Storage, cache_root

    boards = list(about_boards(Storage(cache_root())))
    if args.json:
        json_out([_board_as_json(one) for one in boards])
        return
    for one in boards:
        board = one.board
        line(f"{board.name}  {board.what}")
        line(f"    systems: {', '.join(one.systems)}")
        line(
            f"    processor {board.cpu.partition(',')[0]}, {board.ns_per_instruction} ns per instruction; {board.clock}"
        )
        line(f"    {board.memory_mb} MB of memory, {board.program} ({board.package})")
        if one.fit is not None:
            line(f"    image of FreeRTOS, bytes: {', '.join(f'{name} {size}' for name, size in one.fit.sizes.items())}")
            for test, why in one.fit.lacking:
                line(f"    not here: {test}: {why}")
        elif one.why:
            line(f"    image of FreeRTOS: {one.why}")


def _board_as_json(one: Any) -> dict[str, Any]:
    board = one.board
    fit = one.fit and {
        "sizes": dict(one.fit.sizes),
        "lacking": [{"test": test, "why": why} for test, why in one.fit.lacking],
    }
    return {
        "board": board.name,
        "what": board.what,
        "systems": list(one.systems),
        "arch": board.arch,
        "machine": board.machine,
        "cpu": board.cpu,
        "clock": board.clock,
        "ns_per_instruction": board.ns_per_instruction,
        "memory_mb": board.memory_mb,
        "emulator": board.program,
        "package": board.package,
        "image": fit,
        "why": one.why or None,
    }


def _system_as_json(one: Any, titles: dict[str, str]) -> dict[str, Any]:
    numbers = sum(figure.number is not None for figure in one.figures)
    return {
        "system": one.name,
        "platform": one.platform,
        "address": f"reference:{one.address}",
        "year": one.year or None,
        "sources": [{"source": source, "title": titles[source]} for source in one.sources],
        "figures": numbers,
        "verdicts": len(one.figures) - numbers,
        "facts": [dict(facts) for facts in one.facts],
    }
