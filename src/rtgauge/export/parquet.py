"""The samples as Parquet, with the figures of their results in the file's metadata.

All columns of samples.parquet; `result` counts as in the run. The metadata holds, as JSON, `rtgauge`: the run, its
system, and id, parameters, unit and status of each result that is in the file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from rtgauge import __version__
from rtgauge.export._samples import batches, left_out, opened

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun

SUMMARY = "every sample and what it belongs to, for pandas, polars, DuckDB and R"
_TOLD = ("id", "params", "environment", "status", "unit", "source", "aux", "n", "lost", "overhead", "resolution")


def write(run: StoredRun, chosen: Sequence[int], file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    about = json.dumps(_about(run, chosen), allow_nan=False)
    with opened(run) as stored:
        kept = stored.schema_arrow.metadata or {}
        schema = stored.schema_arrow.with_metadata({**kept, "rtgauge": about})
        with pq.ParquetWriter(file, schema, compression="zstd", use_dictionary=["test"]) as writer:
            for _, table in batches(stored, chosen):
                writer.write_table(table.replace_schema_metadata(schema.metadata), row_group_size=table.num_rows)


def _about(run: StoredRun, chosen: Sequence[int]) -> dict[str, Any]:
    results = run.results.get("results") or ()
    return {
        "version": __version__,
        "run": run.id,
        "target": run.manifest.get("target"),
        "created": run.manifest.get("created"),
        "system": (run.results.get("system") or {}).get("facts"),
        "results": {str(i): {name: results[i].get(name) for name in _TOLD} for i in chosen},
        "left_out": list(left_out(run, chosen)),
    }
