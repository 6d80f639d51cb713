"""rtgauge verify: does a stored run still say what was measured?"""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_json, add_run, add_store

SUMMARY = "compute every number of a stored run again and check every hash"
EXAMPLE = "rtgauge verify last"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_store(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import json_out, line
    from rtgauge.errors import EXIT_FAILED, EXIT_OK
    from rtgauge.store.places import find_run
    from rtgauge.store.verify import verify

    folder = find_run(args.run_name, store_of(args))
    found = verify(folder)
    if args.json:
        json_out({"run": folder.name, "equal": not found.mismatches, **found.as_dict()})
    else:
        for mismatch in found.mismatches:
            line(f"differs: {mismatch}")
        what = f"{found.results} results, {found.samples} samples, {found.files} files: equal"
        line(f"{folder.name}: {_count(len(found.mismatches)) if found.mismatches else what}")
    return EXIT_FAILED if found.mismatches else EXIT_OK


def _count(differences: int) -> str:
    return "1 difference" if differences == 1 else f"{differences} differences"
