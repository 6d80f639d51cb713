"""rtgauge gate: pass or fail against a base, for continuous integration."""

from __future__ import annotations

import argparse

from rtgauge.cli._options import add_store

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module
    from datetime import date
    from pathlib import Path

    from rtgauge.gate.values import Outcome, Side

SUMMARY = "pass or fail against a base: real changes, not noise"
EXAMPLE = "rtgauge gate last-series --against baseline.txt"
FORMATS = ("text", "json", "junit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        metavar="RUN",
        nargs="+",
        help="a run (its id, a unique beginning of it, its path, or last) or a series of repeats (series-..., "
        "last-series); several are repeats of one system",
    )
    parser.add_argument(
        "--against",
        metavar="RUN|FILE",
        action="append",
        default=[],
        help="the base: a baseline file, or runs as above (may be given again)",
    )
    parser.add_argument("--write", metavar="FILE", help="keep RUN as a new baseline file")
    parser.add_argument(
        "--accept", metavar="REASON", help="put what has changed into the baseline file, with the reason and the date"
    )
    parser.add_argument("--tests", metavar="GLOB", action="append", default=[], help="only tests whose id matches")
    parser.add_argument(
        "--limit",
        metavar="LIMIT",
        help="how far a figure may move: +5%% of the base, +3 in its unit, or none (default: the baseline's; else +0 "
        "for paths in virtual time and +5%% in real time)",
    )
    parser.add_argument("--tail-limit", metavar="LIMIT", help="the same for the high percentile (default: +5%%)")
    parser.add_argument(
        "--confidence",
        metavar="SHARE",
        default="0.99",
        help="of the whole gate: how often equal systems pass at least, whatever the number of results (default: 0.99)",
    )
    parser.add_argument(
        "--across", metavar="NAME", action="append", default=[], help="let this differ, e.g. host or engine"
    )
    parser.add_argument(
        "--strict", action="store_true", help="undecided (3) also where only a tail could not be judged"
    )
    parser.add_argument(
        "--bisect", action="store_true", help="answer 0, 1, or 125 where nothing can be judged, for `git bisect run`"
    )
    parser.add_argument("--format", default=None, help="text, json or junit (default: text)")
    parser.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to (default: standard output)")
    add_store(parser)
    parser.add_argument("--json", action="store_true", help="the same as --format json")


def run(args: argparse.Namespace) -> int:
    """The exit code; for --bisect `main` makes it 125, with those of all errors, where it is no judgement."""
    from rtgauge.cli._output import check_output, say
    from rtgauge.errors import EXIT_UNDECIDED
    from rtgauge.gate.measured import UnlikeError

    format = _check(args)
    check_output(args.output)
    try:
        if args.write is not None:
            return _write(args)
        outcome = _judge(args)
    except UnlikeError as error:
        say(error)
        return EXIT_UNDECIDED
    code = _exit_code(outcome, args.strict)
    _tell(args, outcome, format, code)
    return _accept(args, outcome) if args.accept is not None else code


def _check(args: argparse.Namespace) -> str:
    """The format. UsageError where options do not fit together."""
    from rtgauge.errors import UsageError
    from rtgauge.registry import pick

    if (args.write is None) == (not args.against):
        raise UsageError("give either --against RUN|FILE, to judge, or --write FILE, to make a baseline")
    if args.write is not None and (args.accept is not None or args.bisect):
        raise UsageError("--write only makes a baseline: --accept and --bisect go with --against")
    if args.accept is not None and not args.accept.strip():
        raise UsageError("--accept needs a reason: it is kept in the baseline")
    if args.accept is not None and args.bisect:
        raise UsageError("--accept changes the baseline, and --bisect only asks: give one of them")
    if args.json and args.format not in (None, "json"):
        raise UsageError(f"--json and --format {args.format} ask for different things: give one of them")
    name = "json" if args.json else args.format or "text"
    pick("format", name, dict.fromkeys(FORMATS))
    return str(name)


# ---- judging --------------------------------------------------------------------------------------------------------


def _judge(args: argparse.Namespace) -> Outcome:
    from rtgauge.errors import UsageError
    from rtgauge.gate.judge import judge
    from rtgauge.gate.text import limits_of

    base = _base(args)
    known = {**base.identity}
    for name in args.across:
        if name not in known:
            raise UsageError(f"--across {name!r}: legal are {', '.join(known)}")
    limits = limits_of(base).but(*_limits(args))
    outcome = judge(
        _measured(args),
        base,
        limits=limits,
        confidence=_confidence(args.confidence),
        tests=args.tests,
        across=tuple(args.across),
    )
    if args.tests and outcome.incomparable is None and not outcome.judged:
        raise UsageError(f"no result of the base or the run matches {', '.join(args.tests)}")
    return outcome


def _measured(args: argparse.Namespace) -> Side:
    from rtgauge.cli._options import store_of
    from rtgauge.gate.measured import measured
    from rtgauge.store.series import find_runs

    return measured(" ".join(args.runs), find_runs(args.runs, store_of(args)))


def _base(args: argparse.Namespace) -> Side:
    from pathlib import Path

    from rtgauge.cli._options import store_of
    from rtgauge.errors import UsageError
    from rtgauge.gate.measured import measured
    from rtgauge.gate.reading import read
    from rtgauge.store.series import find_runs

    store = store_of(args)
    files = [name for name in args.against if _is_file(Path(name))]
    if files:
        if len(args.against) > 1:
            raise UsageError("--against takes one baseline file, or runs: not both, and not two files")
        return read(Path(files[0]))
    if args.accept is not None:
        raise UsageError(f"--accept changes a baseline file, and {args.against[0]} is none: `--write FILE` makes one")
    folders = find_runs(args.against, store)
    if set(folders) & set(find_runs(args.runs, store)):
        raise UsageError("a run stands on both sides: it would be held against itself")
    return measured(" ".join(args.against), folders)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file() or (path.exists() and not path.is_dir())
    except (OSError, ValueError):
        return False


def _limits(args: argparse.Namespace) -> tuple[str | None, str | None]:
    from rtgauge.gate.limits import check_limit

    return (
        None if args.limit is None else check_limit(args.limit, "--limit"),
        None if args.tail_limit is None else check_limit(args.tail_limit, "--tail-limit"),
    )


def _confidence(text: str) -> float:
    from rtgauge.errors import UsageError

    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.5 <= value <= 0.999999:
        raise UsageError(f"--confidence {text[:40]!r} is not a share from 0.5 to 0.999999, e.g. 0.99")
    return value


def _exit_code(outcome: Outcome, strict: bool) -> int:
    from rtgauge.errors import EXIT_FAILED, EXIT_OK, EXIT_UNDECIDED

    return {"pass": EXIT_OK, "fail": EXIT_FAILED}.get(outcome.ruling(strict), EXIT_UNDECIDED)


def _tell(args: argparse.Namespace, outcome: Outcome, format: str, code: int) -> None:
    from rtgauge.cli._output import clean, line, write_file
    from rtgauge.gate.export import to_json, to_junit
    from rtgauge.gate.terminal import lines

    told = lines(outcome, args.runs, args.against, args.strict, hint=args.accept is None)
    if format == "text" and args.output == "-":
        for text in told:
            line(text)
        return
    if format == "json":
        import json

        content = json.dumps(to_json(outcome, args.strict, code), indent=1, allow_nan=False) + "\n"
    elif format == "junit":
        content = to_junit(outcome, args.runs, args.against, args.strict)
    else:
        content = "".join(f"{clean(text)}\n" for text in told)
    write_file(args.output, content)


# ---- the baseline file ----------------------------------------------------------------------------------------------


def _write(args: argparse.Namespace) -> int:
    from dataclasses import replace
    from pathlib import Path

    from rtgauge.cli._output import line, write_file
    from rtgauge.errors import EXIT_OK, UsageError
    from rtgauge.gate.text import advice, limits_of, write

    check = Path(args.write)
    if args.write != "-" and (check.is_symlink() or check.exists()):
        raise UsageError(f"{args.write} is there: change it with --against {args.write} --accept REASON, or remove it")
    side = _selected(_measured(args), args.tests)
    limits = limits_of(side).but(*_limits(args))
    side = replace(side, made=f"{_today().isoformat()} from {side.made}", limits=limits)
    write_file(args.write, write(side))
    if args.write != "-":
        line(f"{args.write}: {len(side.lines)} results of {side.made.partition(' from ')[2]}")
        for note in advice(side):
            line(f"note: {note}")
    return EXIT_OK


def _selected(side: Side, tests: list[str]) -> Side:
    from dataclasses import replace

    from rtgauge.errors import UsageError
    from rtgauge.gate.judge import wanted

    lines = {key: line for key, line in side.lines.items() if wanted(key, tests)}
    if not lines:
        raise UsageError(f"{side.name} has no result" + (f" that matches {', '.join(tests)}" if tests else ""))
    return replace(side, lines=lines)


def _accept(args: argparse.Namespace, outcome: Outcome) -> int:
    from rtgauge.cli._output import line, write_file
    from rtgauge.errors import EXIT_OK
    from rtgauge.gate.accept import accept
    from rtgauge.gate.text import write

    made = accept(outcome, args.accept, _today())
    kept = f"; {made.unmeasured} that the run has not measured are kept" if made.unmeasured else ""
    if not made.lines:
        line(f"nothing to accept: no line has changed{kept}")
        return EXIT_OK
    write_file(args.against[0], write(made.side))
    line(f"{args.against[0]}: {made.changed} lines changed, {made.added} added, {made.removed} removed{kept}")
    return EXIT_OK


def _today() -> date:
    from datetime import datetime, timezone

    return datetime.now(timezone.utc).date()
