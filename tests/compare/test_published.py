"""The published comparisons, printed again."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from rtgauge.cli import main
from rtgauge.compare import align, to_json
from rtgauge.compare.terminal import lines
from rtgauge.reference import rows
from tests.compare.columns import references

ATOM = ("qnx-6.5", "ce7", "linux-2.6.33.7.2-rt30")
MITRE = ("lynxos-3.0.1", "solaris-8-1rt", "solaris-8-2proc")
SAME = ("source", "section", "system", "platform", "scenario", "load", "statistic", "unit", "qualifier", "note")


def told(figure: dict[str, Any]) -> tuple[Any, ...]:
    every = {**figure["printed"], **{name: figure[name] for name in ("statistic", "unit", "qualifier", "note")}}
    value = figure["value"] if isinstance(figure["value"], str) else Decimal(str(figure["value"]))
    return (every["published_id"], *(every[name] for name in SAME), value)


def printed(row: dict[str, str]) -> tuple[Any, ...]:
    value = row["value"] if row["statistic"] == "verdict" else Decimal(row["value"])
    return (row["test_id"], *(row[name] for name in SAME), value)


@pytest.mark.parametrize("names", [ATOM, MITRE, ("vxworks-5.3.1", "ce7@pentium2-233"), ("zephyr-4.4.0", "sel4-2022")])
def test_every_printed_number_is_there_once(names: tuple[str, ...]) -> None:
    made = to_json(align(references(*names)))
    found = Counter(told(figure) for row in made["rows"] for figure in row["figures"])
    wanted = Counter(
        printed(row)
        for table in ("published", "published_modern")
        for row in rows(table)
        if row["system"] in names or f"{row['system']}@{row['platform']}" in names
    )
    assert found == wanted
    assert set(found.values()) == {1}


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *(f"reference:{name}" for name in ATOM), "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert sum(len(row["figures"]) for row in made["rows"]) == 65 + 235 + 70
    assert [one["name"] for one in made["systems"]][:2] == ["reference:qnx-6.5@atom-z530", "reference:ce7@atom-z530"]
    assert made["differences"] == []


def row_of(made: Any, id_: str, part: str = "", **params: str) -> Any:
    (found,) = [
        row
        for row in made.rows
        if (row.key.id, row.key.part, row.key.check) == (id_, part, "") and dict(row.key.params) == params
    ]
    return found


def test_the_best_is_marked_on_one_platform_only() -> None:
    columns = references(*ATOM)
    names = [column.name for column in columns]
    assert names[2] == "reference:ce7@pentium2-233"
    row = row_of(align(columns), "SEM-P-ARC", "acquire", kind="counting", name="unnamed", waiters="128")
    assert row.best == {"avg": (0,), "max": (1,)}  # 1.4 us of QNX, 9.3 us of CE7
    other = references("ce7@pentium2-233", "qnx-6.5")
    alone = row_of(align(other), "SEM-P-ARC", "acquire", kind="counting", name="unnamed", waiters="128")
    assert alone.best == {}
    across = align(other, across=True)
    assert row_of(across, "SEM-P-ARC", "acquire", kind="counting", name="unnamed", waiters="128").best["avg"] == (1,)


def test_systems_of_one_paper_stand_side_by_side() -> None:
    made = align(references(*MITRE))
    row = next(row for row in made.shared if row.key.id == "SYN-P-RTT" and dict(row.key.params)["peers"] == "thread")
    assert row.owners == (0, 1, 2)
    cpus = next(one for one in made.settings if one.name == "cpus")
    assert (cpus.values, cpus.differs) == (("one", "reserved", "all"), True)


def test_throughput_is_best_where_it_is_most() -> None:
    made = align(references("solaris-8-1rt", "solaris-8-2proc"))
    row = next(r for r in made.shared if r.key.id == "MSG-P-THR" and dict(r.key.params)["peers"] == "thread")
    values = [next(Decimal(one.text) for one in cell if one.statistic == "avg") for cell in row.cells]
    assert row.best["avg"] == (values.index(max(values)),)


def test_the_terminal_tells_qualifiers_doubts_and_behaviour() -> None:
    text = "\n".join(lines(align(references(*ATOM))))
    assert "pass with remark" in text
    assert "< 0.1" in text
    assert "* row labelled dispatch latency in print (ce7@pentium2-233: from thread, avg; from thread, max)" in text
    assert "== Only ce7@pentium2-233" in text
    assert text.index("== Key tests") < text.index("Configuration: what differs") < text.index("== CLK-P-DUR")
