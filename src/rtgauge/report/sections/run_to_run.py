"""What differs from run to run, where a run is one of several: it comes before any figure of a single run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.model import Between
from rtgauge.repeats import Repeated, Repeats
from rtgauge.report import display
from rtgauge.report.blocks import (
    Badge,
    Block,
    Bullets,
    Cell,
    Column,
    Dots,
    Item,
    Notice,
    Panel,
    Part,
    Section,
    Table,
    Text,
)
from rtgauge.report.view import Entry, RunView

_RUNS = 24  # in the table of runs, and named under a diagram
_COLUMNS = (
    Column("Test"),
    Column("Variant"),
    Column("Median by run"),
    Column("Medians", numeric=True),
    Column("Between", numeric=True),
    Column("Within", numeric=True),
    Column("Ratio", numeric=True),
    Column("Max by run", optional=True),
    Column("Largest of all", numeric=True),
    Column("In", numeric=True, optional=True),
)
_LEGEND = (
    "By run: one dot for each run, in their order; behind the medians the middle half of a run's samples, below the "
    "maxima zero. Between: standard deviation of the runs' medians. Within: from the first to the third quartile of "
    "a run's samples (middle of the runs). Ratio: between, over the standard error of a median that the samples of one "
    "run let expect if they were independent; coloured where fewer than 1 in 100 sets of equal runs would reach it: "
    "one run does not tell such a figure, however many samples it has. Largest and In: of all runs together."
)


def section(run: RunView) -> Section | None:
    repeats = run.repeats
    if repeats is None:
        return None
    blocks: list[Block] = [Text(_lead(run, repeats)), *_notices(repeats), _runs(run, repeats)]
    apart = tuple(_apart(run, repeats))
    if apart:
        blocks.append(Panel("Not the same in all runs", (Bullets(apart),), tone="bad"))
    rows = tuple(_rows(run, repeats))
    if rows:
        blocks.append(Table(_COLUMNS, rows, note=_LEGEND, style="plain"))
    return Section(15, Part("run-to-run", "Run to run", tuple(blocks)), "Runs")


def _lead(run: RunView, repeats: Repeats) -> str:
    having = [found for one in repeats.results if (found := one.figures.get("median")) and found.ratio is not None]
    moving = sum(one.moves for one in repeats.results)
    exposure = display.seconds(repeats.exposure_s)
    told = f"{len(repeats.runs)} whole runs, {exposure} under observation in all. "
    told += f"Verdict: {repeats.ruling or 'none'} {display.micro(repeats.reason)}. "
    if having:
        told += f"{moving} of {len(having)} medians differ by more than the samples within a run explain. "
    place = _place(run, repeats)
    return told + (f"The other sections tell of run {place} alone." if place else "")


def _place(run: RunView, repeats: Repeats) -> int | None:
    name = run.results.get("run")
    return next((number for number, one in enumerate(repeats.runs, start=1) if one.run == name), None)


def _notices(repeats: Repeats) -> Iterator[Notice]:
    if repeats.unequal:
        yield Notice("These runs are not repeats of the same", "; ".join(repeats.unequal))
    if repeats.notes:
        yield Notice("The series is not whole", "; ".join(repeats.notes), tone="warn")


def _runs(run: RunView, repeats: Repeats) -> Table:
    here = _place(run, repeats)
    rows = tuple(
        (
            Cell(str(number), numeric=True, tone="strong" if number == here else "plain"),
            Cell(one.run),
            Cell(one.created.partition(".")[0].replace("T", " ")),
            Cell(one.state, tone="plain" if one.state == "complete" else "warn"),
            Badge(one.ruling or "none"),
            Cell(display.seconds(one.exposure_s), numeric=True),
        )
        for number, one in enumerate(repeats.runs[:_RUNS], start=1)
    )
    more = len(repeats.runs) - _RUNS
    columns = (Column("Run", numeric=True), Column("Name"), Column("Begun"), Column("State"), Column("Verdict"))
    note = f"and {more} more runs" if more > 0 else ""
    return Table((*columns, Column("Under observation", numeric=True)), rows, note=note)


def _entries(run: RunView, repeats: Repeats) -> Iterator[tuple[Repeated, Entry | None]]:
    """All results of the runs: those of the run shown in its order, then those that it lacks."""
    left = list(repeats.results)
    for entry in run.entries:
        found = repeats.find(entry.result)
        if found is not None and any(one is found for one in left):
            left = [one for one in left if one is not found]
            yield found, entry
    yield from ((one, None) for one in left)


def _apart(run: RunView, repeats: Repeats) -> Iterator[Item]:
    """Results that the runs do not agree on."""
    for one, entry in _entries(run, repeats):
        if one.agree:
            continue
        words = [f"run {n} {status}" for n, status in enumerate(one.statuses, start=1) if status is not None]
        reason = next((why for why, status in zip(one.reasons, one.statuses, strict=True) if why and status), None)
        text = f"{_name(one, entry)}: {', '.join(words[:_RUNS])}" + (f" ({display.micro(reason)})" if reason else "")
        for what, holds in one.apart:
            held = [str(n) for n, hold in enumerate(holds, start=1) if hold]
            text += f"; held in run {', '.join(held[:_RUNS])} only: {display.sentence(what)}"
        yield Item(text, tone="bad", links=(Cell(entry.name, href=entry.anchor),) if entry else ())


def _name(one: Repeated, entry: Entry | None) -> str:
    return f"{one.id} ({_variant(one, entry)})" if _variant(one, entry) else one.id


def _variant(one: Repeated, entry: Entry | None) -> str:
    if entry is not None:
        return entry.variant
    return display.micro(", ".join(f"{name} {value}" for name, value in one.params.items()))


def _rows(run: RunView, repeats: Repeats) -> Iterator[tuple[Cell | Badge | Dots, ...]]:
    last = None
    for one, entry in _entries(run, repeats):
        if not one.figures:
            continue
        href = entry.anchor if entry else ""
        yield (Cell("" if one.id == last else one.id, href=href), Cell(_variant(one, entry), href=href), *_figures(one))
        last = one.id


def _figures(one: Repeated) -> tuple[Cell | Badge | Dots, ...]:
    median, largest = one.figures.get("median"), one.figures.get("max")
    scale = display.scale_for(median.median if median else one.max, one.unit)
    width = None if one.p25 is None or one.p75 is None else one.p75 - one.p25
    small = "< resolution" if one.unmeasurable else "–"

    def cell(value: float | None) -> Cell:
        return Cell(scale.show(value), unit=scale.unit, numeric=True) if value is not None else Cell("–", numeric=True)

    return (
        _dots(one.medians, one, (one.p25, one.p75)) if median else Cell(small, tone="muted"),
        Cell(_range(scale, median), unit=scale.unit, numeric=True)
        if median
        else Cell(small, tone="muted", numeric=True),
        cell(median.sd if median else None),
        cell(width if median else None),
        Cell(
            f"{median.ratio:.1f}" if median and median.ratio is not None else "–",
            numeric=True,
            tone="warn" if one.moves else "plain",
        ),
        _dots(one.maxima, one, (0.0, 0.0)) if largest else Cell(""),
        Cell(display.quantity(one.max, one.unit), numeric=True),
        Cell(display.count(one.n), numeric=True, note=display.seconds(one.exposure_s)),
    )


def _range(scale: display.Scale, found: Between) -> str:
    return " to ".join(dict.fromkeys((scale.show(found.min), scale.show(found.max))))


def _dots(values: Sequence[float | None], one: Repeated, band: tuple[float | None, float | None]) -> Dots:
    """On an axis that holds the band and all values, and is never so fine that nothing looks like much."""
    edges = [value for value in (*values, *band) if value is not None]
    low, high = min(edges), max(edges)
    least = abs(high) / 50
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    if high == low:
        low, high = low - 1, high + 1

    def place(value: float | None) -> float | None:
        return None if value is None else (value - low) / (high - low)

    told = [f"run {n}: {display.quantity(v, one.unit)}" for n, v in enumerate(values, start=1) if v is not None]
    return Dots(tuple(place(value) for value in values), place(band[0]), place(band[1]), ", ".join(told[:_RUNS]))
