"""The same tests in several environments."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rtgauge.cli._side_by_side import show_side_by_side
from rtgauge.repeats.side_by_side import SideBySide, growth, side_by_side, to_json
from rtgauge.results import schema
from tests.repeats.test_repeats import run, series


def environment(load: str, cpus: str = "one") -> dict[str, str]:
    return {"load": load, "cache": "hot", "cpus": cpus}


def made(*runs: Any) -> SideBySide:
    found = side_by_side(runs)
    assert found is not None
    return found


def example() -> SideBySide:
    loaded = series(4000.0, environment=environment("heavy"), max=9000.0)
    other = series(1000.0, environment=environment("heavy"), params={"threads": 10})
    broken = {**series(1.0, environment=environment("heavy", "reserved")), "status": "invalid", "reason": "moved"}
    return made(
        run(1, series(1000.0, environment=environment("none"), max=1500.0)),
        run(3, series(1200.0, environment=environment("none"), max=2000.0)),
        run(2, loaded, other),
        run(4, broken),
    )


def test_each_environment_is_a_column_and_its_runs_count_together() -> None:
    side = example()
    assert side.heads == ("load=none cpus=one", "load=heavy cpus=one", "load=heavy cpus=reserved")
    assert [len(column.runs) for column in side.columns] == [2, 1, 1]
    two, ten = side.rows
    assert (two.params, ten.params) == ({"threads": 2}, {"threads": 10})
    assert two.cells[0] is not None
    assert two.cells[0].figures == {"max": 2000.0, "median": 1100.0, "min": 950.0}
    assert (two.cells[0].n, two.cells[0].lost) == (2000, 2)
    assert two.cells[2] is not None
    assert (two.cells[2].statuses, two.cells[2].figures) == (("invalid",), {})  # a broken premise makes no number
    assert (ten.cells[0], ten.cells[2]) == (None, None)


def test_what_a_load_does_to_the_maxima() -> None:
    ((head, base, middle, most, row),) = growth(example())
    assert (head, base) == ("load=heavy cpus=one", "load=none cpus=one")
    assert (middle, most, row.params) == (4.5, 4.5, {"threads": 2})


def test_equal_environments_have_no_columns() -> None:
    assert side_by_side([run(1, series(1.0)), run(2, series(2.0))]) is None
    assert side_by_side([]) is None


def test_what_else_differs_is_said() -> None:
    one = run(1, series(1000.0, environment=environment("none")), engine={"sha256": "a"})
    assert made(one, run(2, series(1.0, environment=environment("heavy")), engine={"sha256": "a"})).unequal == ()
    (text,) = made(one, run(2, series(1.0, environment=environment("heavy")), engine={"sha256": "b"})).unequal
    assert text.startswith("engine of ")


def test_json_fits_the_schema() -> None:
    validator = Draft202012Validator({"$ref": "#/$defs/side_by_side", "$defs": schema()["$defs"]})
    told = to_json(example())
    assert list(validator.iter_errors(told)) == []
    assert list(validator.iter_errors({**told, "columns": []})) != []


def test_the_table_has_maxima_first(capsys: pytest.CaptureFixture[str]) -> None:
    show_side_by_side(example())
    lines = capsys.readouterr().out.splitlines()
    head = next(index for index, line in enumerate(lines) if line.startswith("test "))
    assert lines[head + 1].split() == ["THR-P-SLS", "threads=2", "max", "2", "us", "9", "us", "invalid"]
    assert lines[head + 2].split() == ["median", "1.1", "us", "4", "us", "-"]
    assert "THR-P-SLS threads=2 with load=heavy cpus=reserved: invalid: moved" in lines
    assert lines[-1].startswith("maxima, load=heavy cpus=one against load=none cpus=one: 4.5 times (middle of all)")
