"""The CPU that was kept for the test: what was moved away from it, what was not, and what ran there meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import (
    Block,
    Bullets,
    Cell,
    Column,
    Facts,
    Item,
    Notice,
    Panel,
    Part,
    Row,
    Section,
    Table,
    Text,
)
from rtgauge.report.view import RunView


def section(run: RunView) -> Section | None:
    told = run.results.get("reservation")
    if not told:
        return None
    blocks: list[Block] = []
    if told["not_put_back"]:
        blocks.append(Notice("Not put back", "; ".join(map(str, told["not_put_back"]))))
    blocks.append(Text(f"CPU {told['cpu']} was kept for the test, everybody else on CPU {told['others']}."))
    blocks.append(Row((Panel("Moved", (Facts(tuple(_moved(told))),)), Panel("Stayed", (Bullets(tuple(_left(told))),)))))
    seen = told["seen"]
    if seen:
        head = f"Ran there in {display.seconds(seen['seconds'])} beside the test"
        blocks.append(Panel(head, (_tasks(seen["tasks"]), *_counts(seen))))
    return Section(32, Part("reserved-cpu", "Reserved CPU", tuple(blocks)), "CPU")


def _moved(told: Mapping[str, Any]) -> Iterator[tuple[str, Cell]]:
    moved = told["moved"]
    yield "by", Cell(str(told["how"]))
    yield "tasks", Cell(display.count(moved["tasks"]))
    yield "kernel threads", Cell(display.count(moved["kernel_threads"]))
    yield "interrupts", Cell(", ".join(map(str, moved["interrupts"])) or "none")
    yield "settings", Cell("; ".join(map(str, moved["settings"])) or "none")


def _left(told: Mapping[str, Any]) -> Iterator[Item]:
    for one in told["left"]:
        count = f"{one['count']} " if one["count"] is not None else ""
        names = f" ({', '.join(map(str, one['names']))})" if one["names"] else ""
        yield Item(f"{count}{one['what']}{names}: {one['why']}")


def _tasks(tasks: Sequence[Mapping[str, Any]]) -> Block:
    if not tasks:
        return Text("No other task.")
    rows = tuple(
        (
            Cell(str(one["name"])),
            Cell(display.count(one["times"]), numeric=True),
            Cell(display.quantity(one["ns"], "ns"), numeric=True),
            Cell("" if one["bound"] else "ran there last; counted is all that it did, anywhere", tone="muted"),
        )
        for one in tasks
    )
    columns = (Column("Task"), Column("Times", numeric=True), Column("Time", numeric=True), Column(""))
    return Table(columns, rows, style="plain")


def _counts(seen: Mapping[str, Any]) -> Iterator[Block]:
    for kind, title in (("interrupts", "Interrupt"), ("softirqs", "Softirq")):
        rows = tuple((Cell(str(one["name"])), Cell(display.count(one["count"]), numeric=True)) for one in seen[kind])
        if rows:
            yield Table((Column(title), Column("Times", numeric=True)), rows, style="plain")
