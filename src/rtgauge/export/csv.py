"""One row for each sample, as text.

`params` are the result's parameters as NAME=VALUE with spaces between, without `part`, which has its own column.
`value` is in `unit`, with as many digits as make it the same number again; `start` and `stop` are the raw stamps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from rtgauge.export._samples import batches, opened

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun

SUMMARY = "one row for each sample: value, time, raw stamps, CPU or other small number"
FIRST = ("test", "params", "part", "unit")
COPIED = ("index", "at", "value", "start", "stop")
COLUMNS = (*FIRST, *COPIED, "cpu", "aux", "flags")
_FORMULA = ("=", "+", "-", "@")


def write(run: StoredRun, chosen: Sequence[int], file: BinaryIO) -> None:
    results = run.results.get("results") or ()
    with opened(run) as stored:
        file.write((",".join(COLUMNS) + "\n").encode())
        for result, table in batches(stored, chosen):
            _write(file, results[result] if result < len(results) else {}, table)


def _write(file: BinaryIO, result: Mapping[str, Any], table: Any) -> None:
    import pyarrow as pa
    import pyarrow.csv as pc

    params = result.get("params") or {}
    words = " ".join(f"{name}={value}" for name, value in params.items() if name != "part")
    texts = (str(result.get("id", "")), words, str(params.get("part", "")), str(result.get("unit") or ""))
    columns = [_same(text, table.num_rows) for text in texts] + [table[name] for name in COPIED]
    nothing = pa.nulls(table.num_rows, pa.uint16())
    by_cpu = result.get("aux") == "cpu"
    columns += [table["aux"] if by_cpu else nothing, nothing if by_cpu else table["aux"], table["flags"]]
    made = pa.table(dict(zip(COLUMNS, columns, strict=True)))
    pc.write_csv(made, file, pc.WriteOptions(include_header=False, batch_size=1 << 14, quoting_style="needed"))


def _same(text: str, rows: int) -> Any:
    """A column of one text; such that no spreadsheet takes it for a formula."""
    import pyarrow as pa

    safe = f"'{text}" if text.startswith(_FORMULA) else text
    return pa.repeat(pa.scalar(safe), rows)
