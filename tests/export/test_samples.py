"""Samples for other programs: each file is read by what such programs read it with, and holds every sample."""

from __future__ import annotations

import csv
import io
import json
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rtgauge.cli import main
from rtgauge.errors import StoreError, UsageError
from rtgauge.export import _counts, export, export_to, formats, summaries
from rtgauge.importers import read
from rtgauge.store.readers import StoredRun, open_run
from rtgauge.store.samples import ROWS, SCHEMA
from tests.targets.engines import make_engine

PERIODIC = "TMR-P-CYC"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> StoredRun:
    """The periodic test and a test with parts, as the fake system gives them."""
    folder = tmp_path_factory.mktemp("export")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RTGAUGE_ENGINE", str(make_engine(folder / "engine")))
        patch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-export-{folder.name}-{id(folder)}")
        assert main(["run", "local", "--tests", "*-P-*", "--samples", "300", "--store", str(folder / "store")]) == 0
    (path,) = (folder / "store/runs").iterdir()
    return open_run(path)


def rows_of(run: StoredRun, **chosen: Any) -> list[dict[str, str]]:
    file = io.BytesIO()
    export_to(file, run, "csv", **chosen)
    return list(csv.DictReader(io.StringIO(file.getvalue().decode())))


def test_csv_has_a_row_for_each_sample_with_the_same_numbers(run: StoredRun) -> None:
    rows = rows_of(run)
    stored = pq.read_table(run.path / "samples.parquet")
    assert len(rows) == stored.num_rows == sum(result.get("n", 0) for result in run.results["results"])
    for name, of in (("value", float), ("at", float), ("start", int), ("stop", int), ("index", int), ("flags", int)):
        assert [of(row[name]) for row in rows] == stored[name].to_pylist(), name
    results = run.results["results"]
    for row, place, aux in zip(rows, stored["result"].to_pylist(), stored["aux"].to_pylist(), strict=True):
        result = results[place]
        params = dict(result["params"])
        assert row["part"] == params.pop("part", "")
        assert row["test"] == result["id"]
        assert row["unit"] == result["unit"]
        assert dict(word.split("=") for word in row["params"].split()) == {k: str(v) for k, v in params.items()}
        named, other = ("cpu", "aux") if result["aux"] == "cpu" else ("aux", "cpu")
        assert (row[named], row[other]) == (str(aux), "")


def test_only_the_results_that_are_asked_for(run: StoredRun) -> None:
    results = run.results["results"]
    one = next(result for result in results if result.get("n") and result["params"])
    name, value = next(iter(one["params"].items()))
    rows = rows_of(run, test=one["id"].lower(), params={name: str(value)})
    wanted = [r for r in results if r["id"] == one["id"] and r["params"].get(name) == value]
    assert len(rows) == sum(result.get("n", 0) for result in wanted) > 0
    assert {row["test"] for row in rows} == {one["id"]}
    assert len(rows) < len(rows_of(run))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--format", "cvs"], "did you mean csv? legal are csv, cyclictest-json, hdrhistogram, parquet, perfetto"),
        (["--format", "csv", "--test", "TMR-P-CYX"], "unknown test 'TMR-P-CYX': did you mean TMR-P-CYC?"),
        (["--format", "csv", "--param", "intervall=1ms"], "unknown parameter 'intervall': did you mean interval?"),
        (["--format", "csv", "--test", PERIODIC, "--param", "interval=7s"], "unknown value of interval '7s'"),
        (["--format", "csv", "--param", "interval"], "--param takes NAME=VALUE"),
        (["--format", "perfetto", "--test", PERIODIC], "of the whole run: it takes neither --test nor --param"),
        (["--format", "cyclictest-json", "--test", "CAL-P-TRC"], "no result of TMR-P-CYC"),
    ],
)
def test_what_is_not_there_is_named(
    words: list[str], told: str, run: StoredRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(run.path), *words, "-o", str(tmp_path / "file")]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "file").exists()


def test_parquet_is_the_run_with_what_its_rows_belong_to(run: StoredRun) -> None:
    made = pq.read_table(io.BytesIO(export(run, "parquet")))
    stored = pq.read_table(run.path / "samples.parquet")
    assert made.replace_schema_metadata(None).equals(stored.replace_schema_metadata(None))
    about = json.loads(made.schema.metadata[b"rtgauge"])
    assert about["run"] == run.id
    assert about["system"]["os"] == run.results["system"]["facts"]["os"]
    for place, result in about["results"].items():
        assert result["id"] == run.results["results"][int(place)]["id"]
        assert result["params"] == run.results["results"][int(place)]["params"]


def test_cyclictest_json_says_of_the_periodic_test_what_the_run_says(run: StoredRun) -> None:
    made = export(run, "cyclictest-json")
    content = json.loads(made)
    mine = [result for result in run.results["results"] if result["id"] == PERIODIC]
    assert content["num_threads"] == len(content["thread"]) == len(mine) > 0
    for thread, result in zip(content["thread"].values(), mine, strict=True):
        assert thread["cycles"] == sum(thread["histogram"].values()) == result["n"]
        assert thread["min"] == int(result["min"] // 1000)
        assert thread["max"] == int(result["max"] // 1000)
        assert thread["avg"] == pytest.approx(result["avg"] / 1000, abs=0.01)
    format, foreign = read(made)
    assert format == "cyclictest-json"
    assert [one.n for one in foreign.series] == [result["n"] for result in mine]
    assert not any(one.broken for one in foreign.series)


def test_the_form_is_that_of_the_program() -> None:
    """The same keys in the same places, colons included, as in a file that cyclictest wrote."""
    file = Path(__file__).parent.parent / "importers/files/cyclictest-histogram.json"
    truth = json.loads(file.read_text())
    made = {"cmdline:", "rt_test_version:", "file_version", "start_time", "end_time", "return_code", "sysinfo"}
    assert set(truth) == made | {"num_threads", "resolution_in_ns", "thread"}
    source = (Path(formats()["cyclictest-json"].__code__.co_filename)).read_text()
    assert all(f'"{name}"' in source for name in truth)


def test_hdrhistogram_is_read_by_its_own_package(run: StoredRun, tmp_path: Path) -> None:
    from hdrh.histogram import HdrHistogram
    from hdrh.log import HistogramLogReader

    file = tmp_path / "log"
    file.write_bytes(export(run, "hdrhistogram"))
    reader = HistogramLogReader(str(file), HdrHistogram(1, 1 << 40, 3))
    mine = [r for r in run.results["results"] if r.get("n") and r["unit"] == "ns"]
    tags = [line.split(",")[0] for line in file.read_text().splitlines() if line.startswith("Tag=")]
    assert [tag.partition("=")[2].split("/")[0] for tag in tags] == [result["id"] for result in mine]
    for result in mine:
        found = reader.get_next_interval_histogram()
        assert found.get_total_count() == result["n"] - result["negatives"]
        assert found.get_max_value() == pytest.approx(result["max"], rel=1e-3, abs=1)
        assert found.get_value_at_percentile(50) == pytest.approx(max(0, result["median"]), rel=1e-3, abs=1)


def test_every_format_says_what_it_is_for() -> None:
    assert set(summaries()) == set(formats())


def test_accumulated_results_are_not_told_as_whole(run: StoredRun) -> None:
    from dataclasses import replace

    results = [dict(one) for one in run.results["results"]]
    for one in results:
        if one["id"] == PERIODIC:
            one["accumulated"] = {"raw": 300, "folded": 700}
    cut = replace(run, results={**run.results, "results": results})
    for format in ("cyclictest-json", "hdrhistogram"):
        with pytest.raises(UsageError, match="only its first 300 samples are there one by one, 700 were accumulated"):
            export(cut, format)
    about = json.loads(pq.read_schema(io.BytesIO(export(cut, "parquet"))).metadata[b"rtgauge"])
    assert any("700 were accumulated" in line for line in about["left_out"])


@pytest.mark.parametrize("damage", ["absent", "garbage", "columns"])
def test_damaged_samples_are_one_line(damage: str, run: StoredRun, tmp_path: Path) -> None:
    from dataclasses import replace

    file = tmp_path / "samples.parquet"
    if damage == "garbage":
        file.write_bytes(b"PAR1" * 9)
    if damage == "columns":
        pq.write_table(pa.table({"test": ["x"]}), file)
    with pytest.raises((StoreError, UsageError), match=r"samples\.parquet"):
        export(replace(run, path=tmp_path), "csv")


def test_too_many_different_values(run: StoredRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_counts, "DIFFERENT_MOST", 0)
    with pytest.raises(UsageError, match="export it as parquet"):
        export(run, "hdrhistogram")


def test_memory_does_not_grow_with_the_samples(run: StoredRun, tmp_path: Path) -> None:
    """A million samples as CSV take less than the text that is written."""
    from dataclasses import replace

    groups = 5
    columns = {
        "test": pa.DictionaryArray.from_arrays(pa.array(np.zeros(ROWS, np.int32)), pa.array([PERIODIC])),
        **{n: pa.array(np.arange(ROWS), SCHEMA.field(n).type) for n in ("index", "start", "stop", "value", "at")},
        **{n: pa.array(np.zeros(ROWS, np.uint8)).cast(SCHEMA.field(n).type) for n in ("result", "aux", "flags")},
    }
    group = pa.table({name: columns[name] for name in SCHEMA.names}, schema=SCHEMA)
    with pq.ParquetWriter(tmp_path / "samples.parquet", SCHEMA) as writer:
        for _ in range(groups):
            writer.write_table(group, row_group_size=ROWS)
    large = replace(run, path=tmp_path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (tmp_path / "out.csv").open("wb") as file:
        export_to(file, large, "csv")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    written = (tmp_path / "out.csv").stat().st_size
    assert written > 60 << 20
    assert grown < written / 2
