"""How often each value came, of many samples in little memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rtgauge.errors import UsageError
from rtgauge.export._samples import batches, left_out, opened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rtgauge.store.readers import StoredRun

    Steps = Callable[[NDArray[np.float64]], NDArray[np.int64]]

DIFFERENT_MOST = 4_000_000
"""Values of one result; the formats that count them are for latencies, which have fewer."""


def counted(run: StoredRun, chosen: Sequence[int], steps: Steps) -> Iterator[tuple[int, dict[int, int]]]:
    """(result, {step: samples}) of each that has samples. `steps` turns values into whole numbers. UsageError where
    samples are missing or too many different ones."""
    for line in left_out(run, chosen):
        raise UsageError(f"{line}: this format needs every sample")
    current: tuple[int, dict[int, int]] | None = None
    with opened(run) as stored:
        for result, table in batches(stored, chosen):
            if current is not None and current[0] != result:
                yield current
                current = None
            current = current or (result, {})
            _add(current[1], steps(table["value"].to_numpy()), run)
    if current is not None:
        yield current


def _add(counts: dict[int, int], steps: Any, run: StoredRun) -> None:
    import numpy as np

    values, numbers = np.unique(steps, return_counts=True)
    for value, number in zip(values.tolist(), numbers.tolist(), strict=True):
        counts[value] = counts.get(value, 0) + number
    if len(counts) > DIFFERENT_MOST:
        raise UsageError(
            f"run {run.id} has more than {DIFFERENT_MOST} different values in a result: export it as parquet"
        )
