#!/usr/bin/env python3
"""Changes the statistics and the verdict in every small way that mutmut knows, and sees whether a test fails.

    python tools/mutate.py [--json] [--write] [--keep | --retry] [NAME ...]

A change that no test notices must stand in tests/mutants.toml with the reason why nothing can notice it; what stands
there and is noticed after all must go. Exit code 0 when both are so. All happens in a copy, in build/mutation. A NAME
(`histogram`) restricts it to that file; `--retry` tries what survived the last run with the tests as they are now,
`--keep` only judges that run again; `--write` renews the table in the docs.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutation"
EXPLAINED = ROOT / "tests" / "mutants.toml"
DOCS = ROOT / "docs" / "mutation.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
TESTS = ("tests/stats", "tests/test_verdict.py", "tests/test_verdict_lines.py")

KILLED = (1, 3)
TIMED_OUT = (24, -24, 36, 152, 255)  # an endless loop is noticed too

CONFIG = """[mutmut]
source_paths=src
only_mutate=
    {files}
also_copy=
    src/rtgauge
pytest_add_cli_args=
    --hypothesis-profile=ci
    -p
    no:cacheprovider
pytest_add_cli_args_test_selection=
    {tests}
use_git_change_detection=False
timeout_multiplier=4.0
timeout_constant=2.0
track_dependencies=False
"""


@dataclass(frozen=True)
class Survivor:
    where: str  # "stats/histogram.py compute"
    was: str  # the function, as ast writes it
    becomes: str

    @property
    def shown(self) -> str:
        lines = zip(self.was.splitlines(), self.becomes.splitlines(), strict=False)
        first, second = next((a.strip(), b.strip()) for a, b in lines if a != b)
        return f"{self.where}\n    - {first}\n    + {second}"


def main() -> int:
    options = parsed()
    files = chosen(options.names)
    if options.retry:
        retry(files)
    elif not options.keep:
        prepare(files)
        run()
    found = [outcome(file) for file in files]
    entries = explanations(files)
    survivors = [one for each in found for one in each["survivors"]]
    open_ones = [one for one in survivors if not any(explains(entry, one) for entry in entries)]
    stale = [entry for entry in entries if not any(explains(entry, one) for one in survivors)]
    figures = {**total(found), "explained": len(survivors) - len(open_ones), "stale": len(stale)}
    report(options, found, figures, open_ones, stale)
    return 1 if open_ones or stale or figures["unchecked"] else 0


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="mutation testing of the statistics and the verdict")
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    parser.add_argument("--write", action="store_true", help="renew the table in docs/mutation.md")
    parser.add_argument("--keep", action="store_true", help="do not run again; judge what the last run left")
    parser.add_argument("--retry", action="store_true", help="run again only what survived the last run")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these files: histogram, verdict, ...")
    return parser.parse_args()


def chosen(names: Sequence[str]) -> list[Path]:
    package = ROOT / "src" / "rtgauge"
    files = [*sorted((package / "stats").glob("[!_]*.py")), package / "verdict.py"]
    if unknown := set(names) - {file.stem for file in files}:
        sys.exit(f"no such file: {', '.join(sorted(unknown))}; there are {', '.join(file.stem for file in files)}")
    return [file.relative_to(ROOT) for file in files if not names or file.stem in names]


# ---- the run --------------------------------------------------------------------------------------------------------


def prepare(files: Sequence[Path]) -> None:
    shutil.rmtree(WORK, ignore_errors=True)
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, WORK / name, ignore=shutil.ignore_patterns("__pycache__"))
    text = CONFIG.format(files="\n    ".join(map(str, files)), tests="\n    ".join(TESTS))
    (WORK / "setup.cfg").write_text(text)


def retry(files: Sequence[Path]) -> None:
    for tests in (WORK / "tests", WORK / "mutants" / "tests"):
        shutil.rmtree(tests, ignore_errors=True)
        shutil.copytree(ROOT / "tests", tests, ignore=shutil.ignore_patterns("__pycache__"))
    before = {file: codes_of(file) for file in files}
    alive = [name for codes in before.values() for name, code in codes.items() if code not in KILLED]
    if alive:
        run(alive)
    for file, codes in before.items():  # mutmut forgets the others when tests have changed
        path = WORK / "mutants" / f"{file}.meta"
        record = json.loads(path.read_text())
        record["exit_code_by_key"] = codes | {name: record["exit_code_by_key"][name] for name in codes if name in alive}
        path.write_text(json.dumps(record))


def run(names: Sequence[str] = ()) -> None:
    """Of these changes only, if any are named; the time of a whole run is kept."""
    begin = time.monotonic()
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(os.cpu_count() or 1), *names]
    with (WORK / "log.txt").open("wb") as log:
        done = subprocess.run(command, cwd=WORK, stdout=log, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"mutmut ended with {done.returncode}; its last words are in {WORK / 'log.txt'}")
    if not names:
        (WORK / "seconds").write_text(f"{time.monotonic() - begin:.0f}")


# ---- what came of it ------------------------------------------------------------------------------------------------


def outcome(file: Path) -> dict[str, Any]:
    """Figures of one file, and the survivors with both texts of their function."""
    mutated, codes = WORK / "mutants" / file, codes_of(file)
    alive = [name for name, code in codes.items() if code not in (*KILLED, *TIMED_OUT, None)]
    return {
        "file": "/".join(file.parts[2:]),
        "mutants": len(codes),
        "killed": sum(code in KILLED for code in codes.values()),
        "timed_out": sum(code in TIMED_OUT for code in codes.values()),
        "survived": len(alive),
        "unchecked": sum(code is None for code in codes.values()),
        "survivors": list(survivors_of(mutated, alive, "/".join(file.parts[2:]))),
    }


def codes_of(file: Path) -> dict[str, int | None]:
    """How the tests ended with each change; None where they did not run."""
    codes: dict[str, int | None] = json.loads((WORK / "mutants" / f"{file}.meta").read_text())["exit_code_by_key"]
    return codes


def survivors_of(mutated: Path, names: Sequence[str], file: str) -> Iterator[Survivor]:
    functions = {
        node.name: node for node in ast.walk(ast.parse(mutated.read_text())) if isinstance(node, ast.FunctionDef)
    }
    for name in names:
        function = name.rsplit(".", 1)[-1]  # x_compute__mutmut_12
        original = function.rsplit("_", 1)[0] + "_orig"
        short = function.rsplit("__mutmut_", 1)[0].replace("ǁ", ".").removeprefix("x_").removeprefix("x.")
        yield Survivor(f"{file} {short}", body_of(functions[original]), body_of(functions[function]))


def body_of(function: ast.FunctionDef) -> str:
    """Without its name; on one line per statement whatever the format of the source."""
    return "\n".join(ast.unparse(function).splitlines()[1:])


def total(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = ("mutants", "killed", "timed_out", "survived", "unchecked")
    seconds = int((WORK / "seconds").read_text()) if (WORK / "seconds").exists() else None
    return {name: sum(each[name] for each in found) for name in names} | {"seconds": seconds}


# ---- explanations ---------------------------------------------------------------------------------------------------


def explanations(files: Sequence[Path]) -> list[dict[str, str]]:
    """One for each change: {"where", "was", "becomes", "why"}; fragments of the function as ast writes it."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    entries = tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]
    names = {"/".join(file.parts[2:]) for file in files}
    return [
        {"where": entry["where"], "was": entry["was"], "becomes": becomes, "why": entry["why"]}
        for entry in entries
        if entry["where"].split()[0] in names
        for becomes in entry["becomes"]
    ]


def explains(entry: dict[str, str], survivor: Survivor) -> bool:
    """Whether the survivor is the function with the fragment replaced, in one place."""
    if entry["where"] != survivor.where:
        return False
    was, text = entry["was"], survivor.was
    places = [i for i in range(len(text)) if text.startswith(was, i)]
    return any(text[:i] + entry["becomes"] + text[i + len(was) :] == survivor.becomes for i in places)


# ---- the report -----------------------------------------------------------------------------------------------------


def report(
    options: argparse.Namespace,
    found: Sequence[dict[str, Any]],
    figures: dict[str, Any],
    open_ones: Sequence[Survivor],
    stale: Sequence[dict[str, str]],
) -> None:
    for one in open_ones:
        print(f"not explained: {one.shown}", file=sys.stderr)
    for entry in stale:
        print(f"explained, but noticed or gone: {entry['where']}: {entry['becomes']}", file=sys.stderr)
    if options.json:
        files = [{name: value for name, value in each.items() if name != "survivors"} for each in found]
        print(json.dumps({**figures, "files": files}))
    else:
        print(", ".join(f"{value} {name.replace('_', ' ')}" for name, value in figures.items() if value is not None))
    if options.write:
        before, rest = DOCS.read_text("utf-8").split(BEGIN)
        DOCS.write_text(f"{before}{BEGIN}\n\n{table(found, figures)}\n\n{END}{rest.split(END)[1]}", "utf-8")


def table(found: Sequence[dict[str, Any]], figures: dict[str, Any]) -> str:
    names = ("mutants", "killed", "timed_out", "survived")
    rows = [(f"`{each['file']}`", *(str(each[name]) for name in names)) for each in found]
    rows.append(("**all**", *(f"**{figures[name]}**" for name in names)))
    head = ["| file | changes | noticed | endless loops | survived |", "|---|---|---|---|---|"]
    explained = (
        f"Of the {figures['survived']} that survived, {figures['explained']} are explained in `tests/mutants.toml`."
    )
    return "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows), "", explained])


if __name__ == "__main__":
    sys.exit(main())
