"""The section of the report on what lies beyond the maximum seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from rtgauge.extremes import tail_of, to_json
from rtgauge.report import RunView, render
from rtgauge.report.blocks import Bullets, Figure, Part, Row, Section, Table
from rtgauge.report.sections.extremes import section
from tests.report.example import result, view

N = 10_000
VALUES = 3_000 + 900 * np.random.default_rng(4).exponential(size=N)
GOOD = to_json(tail_of(VALUES))
DRIFTS = to_json(tail_of(VALUES * (1 + np.arange(N) / N)))
FEW = to_json(tail_of(VALUES[:50]))


def shown(*found: Mapping[str, Any] | None) -> RunView:
    results = [result("TMR-P-CYC", {"threads": place}) for place in range(len(found))]
    return view([({**r, **({"extremes": one} if one else {})}, None) for r, one in zip(results, found, strict=True)])


def built(*found: Mapping[str, Any] | None) -> Section:
    made = section(shown(*found))
    assert made is not None
    return made


def of(made: Section, kind: type) -> list[Any]:
    return [block for block in made.part.blocks if isinstance(block, kind)]


def test_a_run_without_extremes_has_no_section() -> None:
    assert section(shown(None)) is None


def test_levels_stand_beside_the_samples_and_the_maximum_seen() -> None:
    assert GOOD["refused"] is None
    (table,) = of(built(GOOD), Table)
    assert [column.name for column in table.columns] == [
        "Test", "Samples", "Max seen", "Exceeded at 1e-06", "Interval", "Exceeded at 1e-09", "Interval",
    ]  # fmt: skip
    row = [cell.text for cell in table.rows[0]]
    assert row[1] == "10\u202f000"
    assert " to " in row[4]
    assert " to " in row[6]


def test_each_condition_is_told_and_the_tail_drawn() -> None:
    (part,) = of(built(GOOD), Part)
    table, row = part.blocks
    assert isinstance(table, Table)
    assert len(table.rows) == len(GOOD["conditions"])
    assert isinstance(row, Row)
    (figure,) = row.blocks
    assert isinstance(figure, Figure)
    assert (np.diff(figure.x) >= 0).all()
    assert (np.diff(figure.y) < 0).all()
    assert figure.y[-1] == pytest.approx(1e-9)
    assert figure.x[len(GOOD["peaks"]) - 1] / figure.x[0] == pytest.approx(GOOD["max"] / GOOD["peaks"][0])


def test_a_refusal_says_why_and_has_no_levels() -> None:
    made = built(DRIFTS)
    assert not of(made, Table)
    (bullets,) = of(made, Bullets)
    assert DRIFTS["refused"] in bullets.items[0].text
    assert "fixed load" in bullets.items[0].text
    (part,) = of(made, Part)
    assert "no" in [row[1].text for row in part.blocks[0].rows]
    assert len(part.blocks) == 1, "nothing is drawn beyond the maximum"


def test_results_of_too_few_samples_are_told_in_one_line() -> None:
    made = built(FEW, FEW, GOOD)
    (bullets,) = of(made, Bullets)
    assert len(bullets.items) == 1
    assert len(of(made, Part)) == 1


@pytest.mark.parametrize("form", ["html", "md"])
def test_it_is_in_every_format(form: str) -> None:
    made = render(shown(GOOD, DRIFTS, FEW), form)
    text = made if isinstance(made, str) else made.decode()
    assert "Beyond the maximum seen" in text
    assert "second opinion" in text
