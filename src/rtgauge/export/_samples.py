"""The samples of a stored run, a piece at a time, from its samples.parquet."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rtgauge.errors import StoreError, UsageError

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun


@contextlib.contextmanager
def opened(run: StoredRun) -> Iterator[Any]:
    """The run's Parquet file. UsageError where it has none; StoreError where it is damaged."""
    import pyarrow.parquet as pq

    from rtgauge.store.files import open_stored, why
    from rtgauge.store.folder import SAMPLES
    from rtgauge.store.samples import SCHEMA

    try:
        with open_stored(run.path / SAMPLES) as stream:
            file = _parquet(pq, stream, run)
            if not file.schema_arrow.equals(SCHEMA):
                raise StoreError(f"{run.path / SAMPLES}: its columns are not those that this version writes")
            yield file
    except FileNotFoundError:
        raise UsageError(f"run {run.id} is {run.state} and has no {SAMPLES}: nothing can be exported") from None
    except OSError as error:
        raise StoreError(f"cannot read {run.path / SAMPLES}: {why(error)}") from error


def _parquet(pq: Any, stream: Any, run: StoredRun) -> Any:
    try:
        return pq.ParquetFile(stream)
    except Exception as error:  # a damaged Parquet file raises errors of many kinds
        raise StoreError(f"samples.parquet of run {run.id} is damaged: {type(error).__name__}") from error


def batches(file: Any, chosen: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """(result, its rows as a table), in the order of the file; a row group holds rows of one result only."""
    wanted = set(chosen)
    for group in range(file.num_row_groups):
        result = _result_of(file, group)
        if result in wanted:
            yield result, file.read_row_group(group)


def _result_of(file: Any, group: int) -> int:
    """From the group's statistics where it has them, so that what is not wanted is not read."""
    column = file.metadata.row_group(group).column(file.schema_arrow.get_field_index("result"))
    if column.statistics is not None and column.statistics.has_min_max:
        return int(column.statistics.min)
    return int(file.read_row_group(group, columns=["result"])["result"][0].as_py())


def left_out(run: StoredRun, chosen: Sequence[int]) -> Iterator[str]:
    """What the samples of these results do not hold, one line each."""
    results = run.results.get("results") or ()
    for i in chosen:
        kept = results[i].get("accumulated")
        if kept:
            name = " ".join([results[i]["id"], *(f"{k}={v}" for k, v in (results[i].get("params") or {}).items())])
            there = f"only its first {kept['raw']} samples are there one by one"
            yield f"{name}: {there}, {kept['folded']} were accumulated"
