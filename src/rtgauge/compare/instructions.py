"""Times as instructions, where all systems take the same virtual time for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from rtgauge.compare.parity import VIRTUAL
from rtgauge.compare.quantity import TIME, common, normal
from rtgauge.compare.values import Column, Comparison, Figure, Row
from rtgauge.errors import UsageError

INSTRUCTIONS = "instructions"
UNITS = ("time", INSTRUCTIONS)  # that key tests can be shown in
NS = VIRTUAL + "ns per instruction"
_BOARD = VIRTUAL + "board"
_OF_SAMPLES = ("min", "max")  # single samples; averages and percentiles may lie between two
_NOT_A_LATENCY = ("exposure",)
_PLACES = Decimal("0.001")


def ns_per_instruction(columns: Sequence[Column]) -> Decimal | None:
    """Of virtual time, where all columns have the same; else None."""
    told = {column.configuration.get(NS) if column.virtual else None for column in columns}
    text = told.pop() if len(told) == 1 else None
    try:
        value = Decimal(text or "")
    except InvalidOperation:
        return None
    return value if value.is_finite() and value > 0 else None


def in_instructions(columns: Sequence[Column], unit: str | None) -> bool:
    """Whether key tests are shown in instructions. `unit`: one of UNITS as the user chose it; None: in instructions
    where operating systems stand beside each other on one board. UsageError for instructions that there are not."""
    same = ns_per_instruction(columns) is not None
    if unit == INSTRUCTIONS and not same:
        raise UsageError(
            "--unit instructions needs systems in exact virtual time with the same time for an instruction, and "
            f"these are: {', '.join(_told(column) for column in columns)}"
        )
    if unit is not None:
        return unit == INSTRUCTIONS
    boards, systems = ({column.configuration.get(name) for column in columns} for name in (_BOARD, "OS"))
    return same and len(boards) == 1 and None not in boards and len(systems - {None}) > 1


def _told(column: Column) -> str:
    ns = column.configuration.get(NS) if column.virtual else None
    return f"{column.name} ({f'{ns} ns' if ns else 'not counted'})"


def counted(made: Comparison, row: Row) -> Row:
    """The row with its times in instructions, each exact or marked as about. As it was where single samples are no
    whole number of instructions: they are no count of them."""
    ns = made.ns_per_instruction
    if not made.instructions or ns is None or not _whole(row, ns):
        return row
    return replace(row, cells=tuple(tuple(_counted(one, ns) for one in cell) for cell in row.cells))


def _whole(row: Row, ns: Decimal) -> bool:
    times = [one for cell in row.cells for one in cell if _is_latency(one) and not one.unmeasurable]
    samples = [one for one in times if one.statistic in _OF_SAMPLES] or times
    return bool(samples) and all(_of(one, ns) % 1 == 0 for one in samples)


def _is_latency(one: Figure) -> bool:
    return one.number is not None and common(one.unit) == TIME and one.statistic not in _NOT_A_LATENCY


def _of(one: Figure, ns: Decimal) -> Decimal:
    return normal(Decimal(one.text), one.unit) / ns


def _counted(one: Figure, ns: Decimal) -> Figure:
    """An average that has more digits than are shown is marked as about."""
    if not _is_latency(one):
        return one
    value = _of(one, ns)
    shown = value.quantize(_PLACES) if value % 1 else value
    rounded = abs(value - shown) > abs(value) * Decimal("1e-12")  # less is that of the binary number it was kept in
    return replace(one, text=f"{shown:f}", unit=INSTRUCTIONS, qualifier=one.qualifier or ("approx" if rounded else ""))


def about(made: Comparison, rows: Sequence[Row]) -> str:
    """What the key tests `rows` are shown in; empty where that is time."""
    if not made.instructions or not rows:
        return ""
    kept = any(
        counted(made, row) is row and any(_is_latency(one) for cell in row.cells for one in cell) for row in rows
    )
    return (
        f"Latencies are in instructions of {made.ns_per_instruction} ns of virtual time each, whole ones exact to the "
        "last digit; while the processor idles its time counts as if it executed."
        + (" Those that are no whole number of instructions stay in time." if kept else "")
    )
