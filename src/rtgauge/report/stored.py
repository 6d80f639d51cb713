"""From a run folder to what the report shows: the stored results, and the samples behind them read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rtgauge.errors import StoreError
from rtgauge.report.view import RunView

if TYPE_CHECKING:
    from rtgauge.model import Samples
    from rtgauge.repeats import Repeats
    from rtgauge.repeats.side_by_side import SideBySide
    from rtgauge.store.readers import StoredRun


def view_of(stored: StoredRun, repeats: Repeats | None = None, side: SideBySide | None = None) -> RunView:
    """The run with its samples, the runs that it is one of, and those in other environments beside it. Where the trace
    cannot be read, or says something else than the stored results, the results are shown without samples and the view's
    problems say why."""
    entries: Sequence[Mapping[str, Any]] = stored.results.get("results") or ()
    problems = list(stored.problems)
    series: Sequence[Samples | None] = ()
    try:
        from rtgauge.store.compute import compute_stored

        computed = compute_stored(stored.path, stored.manifest)
        if _same(entries, computed.content["results"]):
            series = computed.series
        else:
            problems.append("the stored results are not those of the stored trace: diagrams of samples are left out")
    except StoreError as error:
        problems.append(f"the samples cannot be read again: {error}")
    return RunView(stored.results, stored.manifest, series, tuple(dict.fromkeys(problems)), repeats, side)


def _same(stored: Sequence[Mapping[str, Any]], computed: Sequence[Mapping[str, Any]]) -> bool:
    """Whether both name the same results in the same order, each with the same quantity and extremes."""
    names = ("id", "params", "n", "min", "max")
    return len(stored) == len(computed) and all(
        all(one.get(name) == other.get(name) for name in names) for one, other in zip(stored, computed, strict=True)
    )
