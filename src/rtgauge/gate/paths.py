"""The path in virtual time: how long a service takes when nothing comes between, exact to the instruction.

It is the mode of the undisturbed cluster: a disturbance only adds time, so of the clusters that hold a good part of the
samples it is the one with the least values (for a rate, with the largest). A service that begins anywhere in a loop
takes each of some values about as often, which lie evenly, a comb: then the path is its shortest tooth. Where neither a
value nor a comb stands out, the samples follow no one path, and there is none to compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, BinaryIO

from rtgauge.errors import StoreError
from rtgauge.gate.spread import spread_of
from rtgauge.gate.values import HAIR, Path, Range, Shares

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rtgauge.store.readers import StoredRun

SAMPLES = "samples.parquet"
UNDISTURBED = 0.25  # share of the samples that the cluster holds at least
CLEAR = 1.5  # times as many samples have the mode as any other value of the cluster
LEAST = 0.25  # share of the samples that have the mode; the tooth of a comb has less
TOLD = 0.02  # share from which another value is kept
COMB = 0.9  # share of the cluster's samples that lie on the teeth of a comb
TEETH = 5  # of a comb at least, evenly: some values apart are ways that a service goes, and the tick says which
TOOTH = 3  # samples that a tooth has at least,
TEETH_MEAN = 10  # and on the average of all: then none is missing by chance
APART = 2.0  # of the unit, between teeth at least: what lies closer is less than an instruction
CLOSE, MANY = 4.0, 20  # teeth that are closer are that many at least: a few side by side are ways that mix
MOST_VALUES = 50
_FIRST = 1 << 18  # samples of a result that are looked at, the first ones


Taken = tuple[Path, tuple[Range, ...]]  # the path of a run, and between what the quantiles of its samples lie


def paths_of(run: StoredRun, results: Sequence[Mapping[str, Any]], more_is_better: Sequence[bool]) -> dict[int, Taken]:
    """Of each result of a stored run that has samples, by its place in results.json, in their unit. StoreError where
    the samples cannot be read."""
    import pyarrow as pa

    try:
        return {
            place: (
                path_of(values, _clusters(results[place]), more_is_better[place]),
                spread_of(values, more_is_better[place]),
            )
            for place, values in _series(run)
            if 0 <= place < len(results) and len(values)
        }
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        raise StoreError(f"cannot read the samples of {run.id}, so no path is known: {error}") from error


def path_of(values: NDArray[np.float64], clusters: Sequence[tuple[float, float]], more_is_better: bool = False) -> Path:
    """`clusters`: (from, to) of each, in order of their values. ValueError without a sample, or for one that is not
    finite."""
    import numpy as np

    if not len(values) or not np.isfinite(values).all():
        raise ValueError("a sample is not finite")
    every, counts = np.unique(np.round(values, 6), return_counts=True)
    shares = counts / len(values)
    taken = _taken(every, shares)
    for low, high in reversed(clusters) if more_is_better else clusters:
        inside = (every >= low - HAIR) & (every <= high + HAIR)
        if shares[inside].sum() < UNDISTURBED:
            continue
        of_cluster, have = every[inside], shares[inside]
        order = np.argsort(-have, kind="stable")
        top = float(have[order[0]])
        second = float(have[order[1]]) if len(order) > 1 else 0.0
        if top < LEAST or top < CLEAR * second:
            tooth = _first_tooth(of_cluster, have, len(values), more_is_better)
            return Path(None, 0.0, taken) if tooth is None else Path(*tooth, taken)
        return Path(float(of_cluster[order[0]]), top, taken)
    return Path(None, 0.0, taken)


def _first_tooth(
    every: NDArray[np.float64], shares: NDArray[np.float64], n: int, more_is_better: bool
) -> tuple[float, float] | None:
    """The undisturbed end of a comb and its share; None where the values are none, or where that tooth is so rare that
    another run may not have it."""
    import numpy as np

    is_tooth = shares * n >= TOOTH - HAIR
    teeth, have = every[is_tooth], shares[is_tooth]
    if len(teeth) < TEETH or have.sum() < COMB * shares.sum() or have.mean() * n < TEETH_MEAN:
        return None
    end = -1 if more_is_better else 0
    first = teeth[-TEETH:] if more_is_better else teeth[:TEETH]
    steps = np.diff(first)
    if np.ptp(steps) > HAIR or steps[0] < APART or (steps[0] < CLOSE and len(teeth) < MANY):
        return None
    share = float(have[end])
    return (float(teeth[end]), share) if have.mean() / 2 - HAIR <= share < LEAST else None


def _taken(every: NDArray[np.float64], shares: NDArray[np.float64]) -> Shares:
    import numpy as np

    order = np.argsort(-shares, kind="stable")[:MOST_VALUES]
    return tuple((float(every[i]), float(shares[i])) for i in order if shares[i] >= TOLD)


def _clusters(result: Mapping[str, Any]) -> list[tuple[float, float]]:
    """Those that results.json has; all values together where it has none."""
    found = [(float(one["from"]), float(one["to"])) for one in result.get("clusters") or ()]
    return sorted(found) or [(float("-inf"), float("inf"))]


def _series(run: StoredRun) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """For each result that has samples its place and their values, at most the first _FIRST of them. Where a run was
    cut short before they were written, they are computed from its trace."""
    from rtgauge.store.compute import compute_stored
    from rtgauge.store.files import open_stored

    try:
        with open_stored(run.path / SAMPLES) as file:
            yield from _of_file(file)
    except FileNotFoundError:
        for place, samples in enumerate(compute_stored(run.path, run.manifest).series):
            if samples is not None and samples.n:
                yield place, samples.value[:_FIRST]


def _of_file(file: BinaryIO) -> Iterator[tuple[int, NDArray[np.float64]]]:
    import numpy as np
    import pyarrow.parquet as pq

    def groups(stored: Any) -> Iterator[tuple[int, Any]]:
        for group in range(stored.metadata.num_row_groups):  # each holds samples of one result only
            table = stored.read_row_group(group, columns=["result", "value"])
            if table.num_rows:
                yield int(table.column("result")[0].as_py()), table.column("value")

    with pq.ParquetFile(file) as stored:
        for place, pieces in groupby(groups(stored), key=lambda one: one[0]):
            kept: list[NDArray[np.float64]] = []
            for _, values in pieces:
                if sum(map(len, kept)) < _FIRST:
                    kept.append(values.to_numpy())
            yield place, np.concatenate(kept)[:_FIRST]
