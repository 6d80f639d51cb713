"""One loop of a test: what is drawn is what was stamped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rtgauge.report import RunView, render
from rtgauge.report.blocks import Cell, Key, Table, Timeline
from rtgauge.report.sections import _loop
from rtgauge.report.sections._loop import loop_of
from tests.report.example import big_run, result, timed, view

N = 400
LOOP = 1e-4  # s


def steady(params: dict[str, Any], value: float, begin: float = 3.0, **values: Any) -> Any:
    """Samples of equal length at equal distances, but for the 300th, which is ten times as long and delays the rest."""
    values_ns = np.full(N, value)
    values_ns[300] *= 10
    at = begin + np.arange(N) * LOOP
    at[301:] += value * 9e-9
    return timed("SEM-P-ARN", params, values_ns, at, **values)


def drawn(run: RunView) -> tuple[Table, Key]:
    table, key = loop_of(run.entries)
    assert isinstance(table, Table)
    assert isinstance(key, Key)
    return table, key


def line_of(row: tuple[Any, ...]) -> Timeline:
    (found,) = [cell for cell in row if isinstance(cell, Timeline)]
    return found


def test_a_usual_loop_reaches_from_one_start_stamp_to_the_next() -> None:
    table, _ = drawn(view([steady({}, 20_000.0)]))
    usual = table.rows[0]
    assert [cell.text for cell in usual if isinstance(cell, Cell)] == ["a usual one", "100.00\u202fµs", "20.00\u202fµs"]
    assert isinstance(usual[3], Cell)
    assert usual[3].note == "20 %"
    bars = line_of(usual).bars
    assert len(bars) == 2  # the sample, and the beginning of the next one
    whole = 1.24  # of a loop, with both margins
    assert bars[0].low == pytest.approx(0.12 / whole, abs=1e-4)
    assert bars[0].high == pytest.approx((0.12 + 0.2) / whole, abs=1e-4)
    assert bars[1].low == pytest.approx(1.12 / whole, abs=1e-4)


def test_the_worst_loop_is_that_of_the_largest_sample() -> None:
    table, _ = drawn(view([steady({}, 20_000.0)]))
    worst = table.rows[1]
    assert isinstance(worst[0], Cell)
    assert (worst[0].text, worst[0].note) == ("the worst", "sample 300")
    assert [cell.text for cell in worst[2:] if isinstance(cell, Cell)] == ["280.00\u202fµs", "200.00\u202fµs"]


def test_the_axis_says_the_time_since_the_sample_began() -> None:
    table, _ = drawn(view([steady({}, 20_000.0)]))
    ticks = line_of(table.rows[0]).ticks
    assert [text for _, text in ticks[:3]] == ["0", "25\u202fµs", "50\u202fµs"]
    bar = line_of(table.rows[0]).bars[0]
    assert ticks[0][0] == pytest.approx(bar.low, abs=1e-6)
    steps = np.diff([place for place, _ in ticks])
    assert steps == pytest.approx(25 / 124)


def test_all_parts_of_a_job_are_drawn_in_one_loop() -> None:
    run = view([steady({"part": "acquire"}, 20_000.0), steady({"part": "release"}, 10_000.0, begin=3.0 + 5e-5)])
    table, key = drawn(run)
    assert [cell.text for row in table.rows for cell in row[:1] if isinstance(cell, Cell)] == [
        "a usual one",
        "the worst acquire",
        "the worst release",
    ]
    looks = [bar.look for bar in line_of(table.rows[0]).bars]
    assert len(set(looks)) == 2
    assert {look for look, _ in key.entries} == set(looks)
    assert [what.rpartition(" ")[2] for _, what in key.entries] == ["acquire", "release"]


def test_the_job_with_most_parts_is_chosen_and_named() -> None:
    run = view([
        steady({"kind": "a", "part": "acquire"}, 20_000.0),
        steady({"kind": "b", "part": "acquire"}, 20_000.0),
        steady({"kind": "b", "part": "release"}, 10_000.0, begin=3.0 + 5e-5),
    ])  # fmt: skip
    assert drawn(run)[0].title == "One loop of the test (kind b)"


def test_a_pause_after_the_worst_sample_is_said_and_not_measured() -> None:
    value = np.full(N, 20_000.0)
    value[300] *= 2
    at = 3.0 + np.arange(N) * LOOP
    at[301:] += 10.0  # the samples were taken out of the target's memory
    table, _ = drawn(view([timed("SEM-P-ARN", {}, value, at)]))
    assert [cell.text for cell in table.rows[1][2:] if isinstance(cell, Cell)] == [
        "the next sample came later",
        "40.00\u202fµs",
    ]


def test_a_small_sample_gives_no_ratio() -> None:
    table, _ = drawn(view([steady({}, 20_000.0, unmeasurable=True)]))
    cell = table.rows[0][3]
    assert isinstance(cell, Cell)
    assert (cell.text, cell.note) == ("< resolution", "")


def test_a_largest_sample_that_is_not_among_the_raw_ones_is_not_drawn() -> None:
    entry, samples = steady({}, 20_000.0)
    entry["worst"] = [{"value": 999_999.0, "at": 3.0, "cpu": 1, "index": 300}]
    assert len(drawn(view([(entry, samples)]))[0].rows) == 1
    entry["worst"] = [{"value": 999_999.0, "at": 3.0, "cpu": 1, "index": 10**9}]
    assert len(drawn(view([(entry, samples)]))[0].rows) == 1


@pytest.mark.parametrize("status", ["invalid", "not-permitted"])
def test_nothing_is_drawn_of_what_proves_nothing(status: str) -> None:
    assert loop_of(view([steady({}, 20_000.0, status=status)]).entries) == []


def test_nothing_is_drawn_without_samples_or_of_values() -> None:
    entry, samples = steady({}, 20_000.0)
    assert loop_of(view([(entry, None)]).entries) == []
    assert loop_of(view([(result("MUT-B-ARC"), None)]).entries) == []
    assert loop_of(view([timed("SEM-P-ARN", {}, np.array([5.0, 6.0]))]).entries) == []
    object.__setattr__(samples, "unit", "bytes")
    assert loop_of(view([(entry, samples)]).entries) == []


def test_samples_that_all_began_at_once_are_not_drawn() -> None:
    at = np.full(50, 3.0)
    assert loop_of(view([timed("SEM-P-ARN", {}, np.full(50, 20.0), at)]).entries) == []


def test_a_loop_that_holds_too_much_is_not_drawn() -> None:
    dense = timed("SEM-P-ARN", {"part": "b"}, np.full(4000, 20.0), 3.0 + np.arange(4000) * 2e-7)
    table = loop_of(view([steady({"part": "a"}, 20_000.0), dense]).entries)
    rows = [row[0] for block in table if isinstance(block, Table) for row in block.rows]
    assert "a usual one" not in {cell.text for cell in rows if isinstance(cell, Cell)}
    assert all(len(line_of(row).bars) <= _loop.BARS_MOST for b in table if isinstance(b, Table) for row in b.rows)


def test_few_samples_are_looked_at_in_a_long_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_loop, "LOOKED_AT", 50)
    table, _ = drawn(view([steady({}, 20_000.0)]))
    number = table.rows[0][0]
    assert isinstance(number, Cell)
    assert int(number.note.removeprefix("sample ")) < 50
    assert len(table.rows) == 2  # the worst is found beyond them


@pytest.mark.parametrize("format", ["html", "md"])
def test_every_test_with_samples_shows_its_loop(format: str) -> None:
    text = str(render(big_run(), format))
    tests = {entry.id for entry in big_run().entries if entry.samples is not None}
    assert 10 < text.count("One loop of the test") <= len(tests)
