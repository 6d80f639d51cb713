from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rtgauge.model import Samples
from rtgauge.store import samples as module
from rtgauge.store.samples import AFTER_LOSS, AFTER_PAUSE, SCHEMA, differences, write_samples
from rtgauge.trace.reader import read_trace
from tests.support.series import samples_of
from tests.support.traces import FakeTest, build_trace, fake_series, fake_test, frames, records


def series_of(data: bytes) -> list[Samples | None]:
    return [one for test in samples_of(read_trace(data)) for one in test]


def two_tests() -> list[FakeTest]:
    return [
        fake_test("CAL-P-TRC", series=[[20, 21, 22]]),
        fake_test("THR-P-SLS", series=[fake_series(range(100, 140), aux=np.arange(40), aux_name="cpu")]),
    ]


def written(path: Path, series: list[Samples | None]) -> pa.Table:
    with path.open("wb") as file:
        write_samples(file, series)
    return pq.read_table(path)


def test_each_sample_is_one_row(tmp_path: Path) -> None:
    series = [None, *series_of(build_trace(two_tests()))]
    table = written(tmp_path / "x", series)
    assert table.schema.equals(SCHEMA)
    assert table.column("test").to_pylist() == ["CAL-P-TRC"] * 3 + ["THR-P-SLS"] * 40
    assert table.column("result").to_pylist() == [1] * 3 + [2] * 40
    assert table.column("index").to_pylist() == [*range(3), *range(40)]
    assert table.column("value").to_pylist() == [20, 21, 22, *range(80, 120)]
    assert table.column("aux").to_pylist() == [0, 0, 0, *range(40)]
    start, stop = (table.column(name).to_numpy() for name in ("start", "stop"))
    assert (stop - start).tolist() == [20, 21, 22, *range(100, 140)]
    assert np.array_equal(table.column("at").to_numpy()[3:], series[2].at)  # type: ignore[union-attr]
    assert set(table.column("flags").to_pylist()) == {0}


def test_many_samples_are_written_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written(tmp_path / "whole", series_of(build_trace(two_tests())))
    monkeypatch.setattr(module, "ROWS", 7)
    parts = written(tmp_path / "parts", series_of(build_trace(two_tests())))
    assert parts.equals(whole)
    assert pq.ParquetFile(tmp_path / "parts").metadata.num_row_groups == 1 + 6


def test_lost_samples_leave_gaps_and_flags(tmp_path: Path) -> None:
    made = records([fake_test("THR-P-SLS", series=[fake_series(range(100, 140), block=10, resumed=(10,))])])
    lost = next(i for i, record in enumerate(made) if record.get("first") == 20)
    encoded = [frames([record], first=number) for number, record in enumerate(made)]
    table = written(tmp_path / "x", series_of(b"".join(e for i, e in enumerate(encoded) if i != lost)))
    assert table.column("index").to_pylist() == [*range(20), *range(30, 40)]
    flags = table.column("flags").to_pylist()
    assert {i: flag for i, flag in enumerate(flags) if flag} == {10: AFTER_PAUSE, 20: AFTER_LOSS}


def test_stop_is_the_stamp_that_the_target_took(tmp_path: Path) -> None:
    clock = {"width": 32, "anchor_stamp": (1 << 32) - 1_000_500}
    trace = build_trace([fake_test("THR-P-SLS", series=[fake_series([900], starts=[(1 << 32) - 500])])], clock=clock)
    table = written(tmp_path / "x", series_of(trace))
    assert table.column("start").to_pylist() == [(1 << 32) - 500]
    assert table.column("stop").to_pylist() == [400]


def test_a_clock_that_counts_down(tmp_path: Path) -> None:
    trace = build_trace([fake_test("X-P-Y", series=[fake_series([-50], starts=[1000])])], clock={"direction": -1})
    table = written(tmp_path / "x", series_of(trace))
    assert table.column("stop").to_pylist() == [950]


def test_values_are_their_own_stop(tmp_path: Path) -> None:
    series = [fake_series([4096, -1], source="value", unit="B")]
    table = written(tmp_path / "x", series_of(build_trace([fake_test("MEM-B-LEK", series=series)])))
    assert table.column("stop").to_pylist() == [4096, (1 << 64) - 1]
    assert table.column("value").to_pylist() == [4096, -1]


def test_a_run_without_samples_is_an_empty_table(tmp_path: Path) -> None:
    table = written(tmp_path / "x", [None, None])
    assert table.num_rows == 0
    assert table.schema.equals(SCHEMA)


# ---- comparing ----


def test_what_was_written_does_not_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 7)
    series = series_of(build_trace(two_tests()))
    written(tmp_path / "x", series)
    assert differences(tmp_path / "x", series) == []


@pytest.mark.parametrize("column", [name for name in SCHEMA.names if name != "test"])
def test_one_changed_number_is_named(tmp_path: Path, column: str) -> None:
    series = series_of(build_trace(two_tests()))
    table = written(tmp_path / "x", series)
    values = table.column(column).to_numpy().copy()
    values[20] += 1
    changed = table.set_column(SCHEMA.get_field_index(column), SCHEMA.field(column), pa.array(values))
    _write_in_groups(tmp_path / "x", changed, (3, 40))
    assert differences(tmp_path / "x", series) == [
        f"samples.parquet: column {column} of result 1 differs from the trace"
    ]


def test_missing_and_added_rows_are_named(tmp_path: Path) -> None:
    series = series_of(build_trace(two_tests()))
    table = written(tmp_path / "x", series)
    _write_in_groups(tmp_path / "x", table, (3,))
    assert differences(tmp_path / "x", series) == ["samples.parquet: it ends too early"]
    _write_in_groups(tmp_path / "x", pa.concat_tables([table, table]), (3, 40, 43))
    assert differences(tmp_path / "x", series) == ["samples.parquet: it holds more samples than the trace"]
    _write_in_groups(tmp_path / "x", table, (3, 39))
    assert "39 rows in a group of 40" in differences(tmp_path / "x", series)[0]


def test_another_test_is_named(tmp_path: Path) -> None:
    series = series_of(build_trace(two_tests()))
    written(tmp_path / "x", series)
    assert series[1] is not None
    other = [series[0], replace(series[1], id="THR-P-SLP")]
    assert differences(tmp_path / "x", other) == ["samples.parquet: column test of result 1 differs from the trace"]


def _write_in_groups(path: Path, table: pa.Table, sizes: tuple[int, ...]) -> None:
    with pq.ParquetWriter(path, SCHEMA) as writer:
        first = 0
        for size in sizes:
            writer.write_table(table.slice(first, size))
            first += size


def test_it_writes_to_anything_that_takes_bytes() -> None:
    stream = io.BytesIO()
    write_samples(stream, series_of(build_trace(two_tests())))
    assert pq.read_table(io.BytesIO(stream.getvalue())).num_rows == 43
