"""rtgauge show: a stored run, or one of its tests, in the terminal."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rtgauge.cli._options import add_json, add_require, add_store

if TYPE_CHECKING:
    from rtgauge.repeats import Repeats
    from rtgauge.repeats.side_by_side import SideBySide
    from rtgauge.store.readers import StoredRun

SUMMARY = "show a stored run, or one of its tests with a histogram; or several runs side by side"
EXAMPLE = "rtgauge show last THR-P-SLS"

COLUMNS = ("test", "status", "n", "time", "min", "avg", "max", "median", "p99", "p99.9", "first", "lost")
ROWS_MOST = 24  # of a histogram
WIDE = 30  # from smallest to largest: beyond, the axis is logarithmic
BAR = 40  # characters of its longest bar
MAXIMUM = "max: the largest of n samples in that time; fewer than 3 in n lie above it (at 95 %, if samples are alike)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        metavar="RUN",
        nargs="+",
        help="a run's id, a unique beginning of it, its path, or last; a series of repeats (series-..., last-series); "
        "several show what differs from run to run. At the end may stand a test: an id or a pattern, e.g. 'SEM-*'",
    )
    add_require(parser)
    parser.add_argument("--deadline", metavar="TIME", help="judge the run against it, e.g. 100us")
    add_store(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from rtgauge.cli._options import store_of
    from rtgauge.cli._output import say
    from rtgauge.cli._requirements import judge_stored, required
    from rtgauge.errors import EXIT_OK, UsageError
    from rtgauge.store.readers import open_run
    from rtgauge.store.series import find_runs, names_series, repeats_of, siblings, side_by_side_of

    names, pattern = _words(args.words)
    folders = find_runs(names, store_of(args))
    requirements = required(args)
    if requirements:
        if pattern is not None:
            raise UsageError("requirements name their tests themselves: leave the test at the end out")
        return judge_stored(folders, requirements, args.json)
    if len(folders) > 1:
        side = side_by_side_of(folders)
        if side is not None:
            _beside(side, pattern, args.json)
            return EXIT_OK
        repeats = repeats_of(folders)
        if repeats is not None:
            _several(repeats, pattern, args.json)
            return EXIT_OK
        say("note: fewer than two of these runs can be read: there is nothing to compare")
    elif names_series(names[0]):
        say("note: the series has one run so far: there is no spread between runs")
    stored = open_run(folders[0])
    for problem in stored.problems:
        say(f"note: {problem}")
    repeats = None if args.json else repeats_of(siblings(stored.path, stored.manifest))
    _one(stored, pattern, args.json, repeats)
    return EXIT_OK


def _words(words: Sequence[str]) -> tuple[list[str], str | None]:
    """The runs, and the pattern of tests at the end, if any: a run's id begins with a digit, a path has a slash."""
    from rtgauge.store.series import names_series

    last = words[-1]
    if len(words) == 1 or last == "last" or "/" in last or last[:1].isdigit() or names_series(last):
        return list(words), None
    return list(words[:-1]), last


def _several(repeats: Repeats, pattern: str | None, as_json: bool) -> None:
    from rtgauge.cli._output import json_out, line
    from rtgauge.cli._repeats import details, show_repeats
    from rtgauge.repeats import to_json

    told = to_json(repeats)
    chosen = [repeats.find(result) for result in _choose(told["results"], pattern)]
    kept = [one for one in chosen if one is not None]
    if as_json:
        json_out({**told, "results": [result for result in told["results"] if repeats.find(result) in kept]})
        return
    for run in repeats.runs:
        line("  ".join(str(w) for w in (run.run, run.target, run.state, run.ruling) if w))
    show_repeats(repeats, kept)
    for one in (one for one in kept if pattern and one.figures):
        line()
        for text in details(one):
            line(text)


def _beside(side: SideBySide, pattern: str | None, as_json: bool) -> None:
    from dataclasses import replace

    from rtgauge.cli._output import json_out
    from rtgauge.cli._side_by_side import show_side_by_side
    from rtgauge.repeats.side_by_side import to_json

    chosen = _choose([{"id": row.id, "row": row} for row in side.rows], pattern)
    if as_json:
        json_out(to_json(replace(side, rows=tuple(one["row"] for one in chosen))))
    else:
        show_side_by_side(side, [one["row"] for one in chosen] if pattern else None)


def _one(stored: StoredRun, pattern: str | None, as_json: bool, repeats: Repeats | None) -> None:
    from rtgauge.cli._output import json_out, line
    from rtgauge.cli._requirements import show_requirements
    from rtgauge.cli._reserved import reserved_lines

    chosen = _choose(stored.results["results"], pattern)
    if as_json:
        json_out({**stored.results, "results": chosen})
        return
    manifest = stored.manifest
    line("  ".join(str(w) for w in (stored.id, manifest.get("target"), stored.state, manifest.get("tag")) if w))
    if repeats is not None:
        place = next((i for i, run in enumerate(repeats.runs, start=1) if run.run == stored.id), "?")
        line(f"run {place} of {len(repeats.runs)}: `rtgauge show {repeats.series}` shows them side by side")
    for text in reserved_lines(stored.results.get("reservation")):
        line(text)
    verdict = stored.results.get("verdict") or {}
    if verdict:
        line(f"verdict: {verdict.get('ruling')}: {verdict.get('reason')}")
    show_requirements(stored.results.get("requirements") or ())
    for problem in stored.results.get("problems") or ():
        line(f"note: {problem}")
    line()
    single = _overview(chosen, repeats)
    if pattern:
        for result in single:
            line()
            _details(result)


def _choose(results: Sequence[Mapping[str, Any]], pattern: str | None) -> list[Mapping[str, Any]]:
    from fnmatch import fnmatchcase

    from rtgauge.errors import UsageError

    if pattern is None:
        return list(results)
    chosen = [result for result in results if fnmatchcase(str(result["id"]), pattern.upper())]
    if not chosen:
        legal = dict.fromkeys(str(result["id"]) for result in results)
        raise UsageError(f"the run has no test {pattern!r}: legal are {', '.join(legal) or 'none'}")
    return chosen


def _overview(results: Sequence[Mapping[str, Any]], repeats: Repeats | None = None) -> list[Mapping[str, Any]]:
    """A row for each result; several that say the same for the same reason have one line below, together. Returns
    those with a row. `repeats`: adds how far the median moved from run to run."""
    from rtgauge.cli._output import line, table
    from rtgauge.cli._repeats import medians, name_of
    from rtgauge.findings.folding import folds
    from rtgauge.loads import words

    several = [fold for fold in folds(results) if len(fold.indices) > 1]
    folded = {index for fold in several for index in fold.indices}
    single = [result for index, result in enumerate(results) if index not in folded]
    if single:
        moved = [[] if repeats is None else [medians(repeats.find(result))] for result in single]
        head = COLUMNS if repeats is None else (*COLUMNS, f"medians of {len(repeats.runs)} runs")
        rows = [[*_row(result), *more] for result, more in zip(single, moved, strict=True)]
        table(head, rows, right=range(2, len(head)))
        if any(result.get("n") for result in single):
            line(MAXIMUM)
    for result in single:
        if result.get("reason"):
            line(f"{name_of(result)}: {result['status']}: {result['reason']}")
        for load in result.get("loads") or ():
            if not load["reached"]:
                line(f"{name_of(result)}: load {load['name']}: {words.told(load)}")
    for fold in several:
        what = " ".join([fold.id, *(f"{name}={'|'.join(values)}" for name, values in fold.shared)])
        line(f"{what}: {len(fold.indices)} results {fold.status}: {fold.reason or 'no reason was recorded'}")
    return single


def _row(result: Mapping[str, Any]) -> list[str]:
    from rtgauge.cli._repeats import name_of
    from rtgauge.findings.latency import batch

    if not result.get("n"):
        return [name_of(result), str(result["status"]), *[""] * (len(COLUMNS) - 2)]
    percentiles = result.get("percentiles") or {}
    small, operations = result.get("unmeasurable"), batch(result.get("params"))
    figures = [result.get("min"), result.get("avg"), result.get("max"), result.get("median")]
    figures += [percentiles.get("99"), percentiles.get("99.9"), result.get("first")]
    shown = [_figure(value, result) for value in figures]
    if small:
        for place in (0, 1, 3, 4, 5):  # all but the largest and the first
            shown[place] = f"< {_figure(result.get('resolution'), result)}" if figures[place] is not None else "-"
    elif operations > 1 and result.get("median") is not None:
        shown[3] += f" ({_figure(result['median'] / operations, result)} each)"
    return [name_of(result), str(result["status"]), str(result["n"]), _lasted(result), *shown, _lost(result)]


def _lasted(result: Mapping[str, Any]) -> str:
    from rtgauge.units import format_seconds

    seconds = result.get("exposure_s")
    return "unknown" if seconds is None else format_seconds(seconds)


def _lost(result: Mapping[str, Any]) -> str:
    lost = result.get("lost", 0)
    return "unknown" if lost is None else str(lost)


def _figure(value: float | None, result: Mapping[str, Any]) -> str:
    from rtgauge.cli._repeats import figure

    return figure(value, result.get("unit"))


def _details(result: Mapping[str, Any]) -> None:
    from rtgauge.cli._blame import blame_lines
    from rtgauge.cli._output import line
    from rtgauge.cli._repeats import name_of
    from rtgauge.loads.words import told
    from rtgauge.requirements.maximum import of_maximum

    line(name_of(result))
    if result.get("question"):
        line(f"  {result['question']}")
    line(f"  status: {result['status']}" + (f" ({result['reason']})" if result.get("reason") else ""))
    for check in result.get("checks") or ():
        line(f"  {_ruling(check):<12} {check.get('what') or check.get('name')}")
    for entry in result.get("unchecked") or ():
        name, why = (entry.get("name"), entry.get("why")) if isinstance(entry, dict) else entry
        line(f"  {'not checked':<12} {name}: {why}")
    for entry in result.get("evidence") or ():
        line(f"  evidence: {entry.get('name')} = {_evidence(entry)}")
    for load in result.get("loads") or ():
        line(f"  load {load['name']}: {told(load)}")
    for text in (*accumulated(result), *imported(result)):
        line(f"  {text}")
    each = _each(result)
    if each:
        line(f"  {each}")
    if result.get("n"):
        line(f"  {of_maximum(result)}")
    for place, one in enumerate(result.get("worst") or (), start=1):
        value, at = _figure(one.get("value"), result), one.get("at")
        line(f"  worst {place:>2}: {value} at {at:.6f} s on CPU {one.get('cpu')}")
    for row in blame_lines(result):
        line(f"  {row}")
    for row in histogram(result):
        line(f"  {row}")


def _evidence(entry: Mapping[str, Any]) -> str:
    from rtgauge.units import format_value

    value, unit = entry.get("value"), str(entry.get("unit") or "")
    if isinstance(value, int) and not isinstance(value, bool) and unit in ("ns", "B"):
        return format_value(value, unit)
    return f"{value} {unit}".rstrip()


def accumulated(result: Mapping[str, Any]) -> Iterator[str]:
    """How the samples beyond the raw ones were kept."""
    kept = result.get("accumulated")
    if not kept:
        return
    yield f"recording: {result.get('mode')}: raw samples: first {kept['raw']}, {kept['folded']} in bins"
    width, reach = _figure(kept["bin"], result), _figure(kept["bins_to"], result)
    yield f"bins: {width} wide, up to {reach}; beyond: {kept['beyond']} values kept, {kept['dropped']} only counted"
    if kept["of_raw"]:
        yield f"of the raw samples only: {', '.join(kept['of_raw'])}"


def imported(result: Mapping[str, Any]) -> Iterator[str]:
    """How another program kept the samples."""
    told = result.get("imported")
    if told and told["bin"] is not None:
        how = "as the file tells" if told["outside_told"] else "which the file counts in no bin"
        width = _figure(told["bin"], result)
        yield f"bins: {width} wide with {told['in_bins']} samples; beyond: {told['outside']}, {how}"


def _each(result: Mapping[str, Any]) -> str:
    """Smallest and middle figure of one operation, where a sample holds a batch of them."""
    from rtgauge.findings.latency import batch

    operations = batch(result.get("params"))
    if operations == 1 or not result.get("n") or result.get("unmeasurable"):
        return ""
    least, middle = (_figure(result[name] / operations, result) for name in ("min", "median"))
    return f"one of {operations} operations: min {least}, median {middle}"


def _ruling(check: Mapping[str, Any]) -> str:
    """What a check says; a negative control must not hold."""
    holds = bool(check.get("holds"))
    if check.get("role") == "report":
        return "yes" if holds else "no"
    if check.get("role") == "control":
        return "CONTROL!" if holds else "control ok"
    return "holds" if holds else "FAILS"


def histogram(result: Mapping[str, Any]) -> Iterator[str]:
    """Rows of a histogram: values on a linear axis (logarithmic when they spread widely),
    counts as bars on a logarithmic scale, so that a single sample is seen beside a million."""
    bins = [(float(low), float(high), int(count)) for low, high, count in _bins(result)]
    if not bins:
        return
    rows = _rebin(bins)
    most = max(count for _, _, count in rows)
    edge = _axis(rows, str(result.get("unit") or ""))
    full = math.log10(most) + 1
    for low, high, count in rows:
        size = round(BAR * (math.log10(count) + 1) / full) if count else 0
        yield f"{edge(low):>12} .. {edge(high):<12} {count:>10} {'#' * size}".rstrip()


def _axis(rows: Sequence[tuple[float, float, int]], unit: str) -> Callable[[float], str]:
    """Writes the edges of the rows: on a linear axis all in one unit, with as many digits as keep neighbours apart."""
    if len(rows) == ROWS_MOST and _logarithmic(rows):
        from rtgauge.units import format_value

        return lambda value: format_value(value, unit)  # neighbours are a factor apart that three digits show
    most = max(abs(high) for _, high, _ in rows)
    steps = {"ns": (("s", 1e9), ("ms", 1e6), ("us", 1e3))}.get(unit, ())
    name, factor = next(((name, factor) for name, factor in steps if most >= factor), (unit, 1.0))
    narrowest = min(high - low for low, high, _ in rows) / factor
    digits = min(6, max(0, math.ceil(1 - math.log10(narrowest)))) if narrowest > 0 else 3
    return lambda value: f"{value / factor:.{digits}f} {name}".rstrip()


def _bins(result: Mapping[str, Any]) -> Iterator[Sequence[float]]:
    for one in result.get("histogram") or ():
        yield (one["from"], one["to"], one["count"]) if isinstance(one, dict) else one


def _logarithmic(bins: Sequence[tuple[float, float, int]]) -> bool:
    low, high = bins[0][0], max(high for _, high, _ in bins)
    return low > 0 and high / low > WIDE


def _rebin(bins: Sequence[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    """At most ROWS_MOST rows of equal width; every count is in one of them."""
    low, high = bins[0][0], max(high for _, high, _ in bins)
    forth, back = (math.log, math.exp) if _logarithmic(bins) else (float, float)
    step = (forth(high) - forth(low)) / ROWS_MOST
    if step <= 0 or len(bins) <= ROWS_MOST // 2:
        return list(bins)
    counts = [0] * ROWS_MOST
    for start, _, count in bins:
        counts[min(ROWS_MOST - 1, int((forth(start) - forth(low)) / step))] += count
    edges = [back(forth(low) + step * i) for i in range(ROWS_MOST + 1)]
    return [(edges[i], edges[i + 1], counts[i]) for i in range(ROWS_MOST)]
