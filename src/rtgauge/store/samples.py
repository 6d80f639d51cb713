"""samples.parquet: every sample of a run, one row each, for pandas, polars, DuckDB, R and whoever reads Parquet.

| column | what |
|---|---|
| test | the test's id |
| result | which entry of `results` in results.json it belongs to |
| index | its number within the series, as counted on the target: lost ones leave gaps |
| start, stop | the raw stamps in ticks of the stamp clock (ns by the OS's clock; stop may be the value itself) |
| aux | the small number that the test declares |
| value | in the result's unit, corrected for the stamp overhead |
| at | seconds since the run began |
| flags | 1: the first sample after a pause for draining; 2: samples before it were lost |

Of samples that the target accumulated, which are no rows, the file's metadata tells for each result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from rtgauge.model import Samples, SeriesTrace

AFTER_PAUSE = 1
AFTER_LOSS = 2
ROWS = 1 << 18  # of a row group: what is held in memory at a time

SCHEMA = pa.schema(
    [
        ("test", pa.dictionary(pa.int32(), pa.string())),
        ("result", pa.int32()),
        ("index", pa.int64()),
        ("start", pa.uint64()),
        ("stop", pa.uint64()),
        ("aux", pa.uint16()),
        ("value", pa.float64()),
        ("at", pa.float64()),
        ("flags", pa.uint8()),
    ]
)


def write_samples(file: BinaryIO, series: Sequence[Samples | None]) -> None:
    """Writes the samples behind results 0, 1, ... one row group after the other."""
    schema = SCHEMA.with_metadata({f"result {place}": text for place, text in _left_out(series)})
    with pq.ParquetWriter(file, schema, compression="zstd", use_dictionary=["test"]) as writer:
        for batch in batches(series):
            writer.write_batch(batch, row_group_size=ROWS)


def _left_out(series: Sequence[Samples | None]) -> Iterator[tuple[int, str]]:
    """What the file does not hold: samples that the target accumulated instead of sending them."""
    for place, samples in enumerate(series):
        kept = samples.raw.accumulated if samples is not None else None
        if samples is not None and kept is not None:
            yield place, f"the first {samples.n} of {samples.n + kept.measured.count} samples: the rest was accumulated"


def batches(series: Sequence[Samples | None]) -> Iterator[Any]:
    """The rows, at most ROWS at a time; a batch holds rows of one result only."""
    for result, samples in enumerate(series):
        if samples is not None:
            yield from _of_one(result, samples)


def differences(file: Path | BinaryIO, series: Sequence[Samples | None]) -> list[str]:
    """How `file` differs from what these samples would be written as; one line for each column and result.

    Raises OSError or pyarrow's ArrowInvalid when it is not a readable Parquet file.
    """
    found: dict[str, None] = {}
    with pq.ParquetFile(file) as stored:
        if not stored.schema_arrow.equals(SCHEMA):
            return ["samples.parquet: its columns are not those that this version writes"]
        groups = stored.metadata.num_row_groups
        group = 0
        for group, wanted in enumerate(batches(series), start=1):
            if group > groups:
                return [*found, "samples.parquet: it ends too early"]
            _compare(stored.read_row_group(group - 1), wanted, found)
        if groups > group:
            found["samples.parquet: it holds more samples than the trace"] = None
    return list(found)


def _of_one(result: int, samples: Samples) -> Iterator[Any]:
    raw, names = samples.raw, pa.array([samples.id])
    at = samples.at if samples.width < 64 else None  # a clock that wraps is unwrapped from sample to sample
    for first in range(0, samples.n, ROWS):
        part = slice(first, min(samples.n, first + ROWS))
        rows = part.stop - part.start
        columns = [
            pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), names),
            pa.array(np.full(rows, result, dtype=np.int32)),
            pa.array(_index(raw, part)),
            pa.array(raw.start[part]),
            pa.array(_stop(samples, part)),
            pa.array(raw.aux[part]),
            pa.array(replace(samples, raw=replace(raw, ticks=raw.ticks[part])).value),
            pa.array(samples.at_of(part) if at is None else at[part]),
            pa.array(_flags(raw, part)),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _stop(samples: Samples, part: slice) -> NDArray[np.uint64]:
    """The stop stamp as the target took it."""
    ticks = samples.raw.ticks[part].astype(np.int64)
    if samples.raw.info.source == "value":
        return ticks.view(np.uint64)
    upwards = ticks if samples.tick_s > 0 else -ticks
    mask = np.uint64((1 << samples.width) - 1)
    stop: NDArray[np.uint64] = (samples.raw.start[part] + upwards.view(np.uint64)) & mask
    return stop


def _index(raw: SeriesTrace, part: slice) -> NDArray[np.int64]:
    """Numbers as counted on the target, of the samples at positions `part`."""
    places, gaps = _losses(raw)
    position = np.arange(part.start, part.stop, dtype=np.int64)
    return position + gaps[np.searchsorted(places, position, side="right")]


def _flags(raw: SeriesTrace, part: slice) -> NDArray[np.uint8]:
    flags = np.zeros(part.stop - part.start, dtype=np.uint8)
    for places, flag in ((np.asarray(raw.resumed, dtype=np.int64), AFTER_PAUSE), (_losses(raw)[0], AFTER_LOSS)):
        flags[places[(places >= part.start) & (places < part.stop)] - part.start] |= flag
    return flags


def _losses(raw: SeriesTrace) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions of the samples before which some were lost, and how many were lost up to there in all (0 first)."""
    missing = sorted(raw.missing)
    gaps = np.cumsum([0, *(count for _, count in missing)], dtype=np.int64)
    return np.asarray([first for first, _ in missing], dtype=np.int64) - gaps[:-1], gaps


def _compare(stored: Any, wanted: Any, found: dict[str, None]) -> None:
    result = wanted.column("result")[0].as_py()
    if stored.num_rows != wanted.num_rows:
        found[f"samples.parquet: result {result} has {stored.num_rows} rows in a group of {wanted.num_rows}"] = None
        return
    for name in SCHEMA.names:
        have, want = stored.column(name).combine_chunks(), wanted.column(name)
        if name == "test":
            same = have.cast(pa.string()).equals(want.cast(pa.string()))
        else:
            same = have.null_count == 0 and have.to_numpy().tobytes() == want.to_numpy().tobytes()
        if not same:
            found[f"samples.parquet: column {name} of result {result} differs from the trace"] = None
