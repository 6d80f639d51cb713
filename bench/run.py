"""The benchmarks, each as a ratio of two things measured side by side in one run.

    python bench/run.py [--json] [--only NAME] [--samples N]

Prints a list of {"name", "value", "unit", "ratio", "goal", "met", "note"}. Exit code 1 when a goal is not met."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

import compare_runs
import cyclic
import live
import memory
import pdf
import recorder
import stamp
import startup
import summarise
import switch
from _engine import UnmeasuredError
from _figure import Figure, unmeasured

GROUPS = {
    "stamp": stamp,
    "cyclic": cyclic,
    "switch": switch,
    "startup": startup,
    "memory": memory,
    "recorder": recorder,
    "live": live,
    "compare": compare_runs,
    "pdf": pdf,
    "summarise": summarise,
}


def figures(only: str | None, samples: int) -> Iterator[Figure]:
    for name, group in GROUPS.items():
        if only in (None, name):
            try:
                yield from group.measure(samples) if group is summarise else group.measure()
            except UnmeasuredError as why:
                yield unmeasured(name, str(why))


def line(figure: Figure) -> str:
    met = {True: "met", False: "NOT MET", None: ""}[figure.met]
    ratio = "" if figure.ratio is None else f"ratio {figure.ratio:.3f}"
    goal = "" if figure.goal is None else f"goal {figure.goal:g}"
    value = "" if figure.value is None else f"{figure.value:.6g} {figure.unit}"
    return f"{figure.name:48} {value:18} {ratio:12} {goal:10} {met:8} {figure.note}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--only", choices=GROUPS)
    parser.add_argument("--samples", type=int, default=summarise.SAMPLES, help="of summarise")
    args = parser.parse_args()
    done = []
    for figure in figures(args.only, args.samples):
        done.append(figure)
        if not args.json:
            print(line(figure), flush=True)
    if args.json:
        print(json.dumps([figure.as_dict() for figure in done], indent=2))
    return 1 if any(figure.met is False for figure in done) else 0


if __name__ == "__main__":
    sys.exit(main())
