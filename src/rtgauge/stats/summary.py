"""All figures of one series: the statistics that every series has, and those that it names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rtgauge.model import Samples, Summary
from rtgauge.registry import plugins
from rtgauge.stats.basic import PERCENTILES, rank
from rtgauge.stats.view import Statistic, View, view_of

EXTREMES = "extremes"
"""The one analysis that is made of a series beside its figures, by the pipeline."""


class MedianUnknownError(ValueError):
    """So many values of accumulated samples were not kept that not even the median is known."""


def summarise(samples: Samples) -> Summary:
    """ValueError when there is no sample; MedianUnknownError when too few of them were kept."""
    view = view_of(samples)
    if view.whole.at(rank(view.whole.n, PERCENTILES["50"])) is None:
        raise MedianUnknownError("more than half of the samples lie beyond the bins, where they were only counted")
    made = {name: one.compute(view) for name, one in statistics().items() if one.always}
    named, problems = _named(view)
    return Summary(
        **made["basic"],
        lost=samples.raw.lost,
        exposure_s=made["exposure"],
        worst=made["worst"],
        histogram=made["histogram"],
        clusters=made["clusters"],
        period=made["period"],
        unmeasurable=made["unmeasurable"],
        overhead=samples.overhead,
        resolution=samples.resolution,
        synthetic=named.pop("periodic", None),
        accumulated=kept_as(samples),
        analysis=named,
        problems=(*samples.problems, *problems, *_limits(samples, view)),
    )


def kept_as(samples: Samples) -> dict[str, Any] | None:
    """How the samples beyond the raw ones were kept, times in the unit; None where all are raw."""
    kept = samples.raw.accumulated
    if kept is None:
        return None
    pile = kept.measured
    return {
        "raw": samples.n,
        "folded": pile.count,
        "bin": kept.width * samples.scale,
        "bins": kept.bins,
        "bins_to": kept.bins * kept.width * samples.scale,
        "beyond": len(pile.values),
        "dropped": pile.dropped_below + pile.dropped_beyond,
        "pauses": kept.pauses,
        "paused_s": kept.paused * abs(samples.tick_s),
        "of_raw": _of_raw(samples),
    }


def _of_raw(samples: Samples) -> list[str]:
    """The analyses that need every sample, and so see the raw ones only."""
    known = statistics()
    named = dict.fromkeys(("clusters", "period", *samples.raw.info.analyse))
    return [name for name in named if name in known and not known[name].whole]


def _limits(samples: Samples, view: View) -> Iterator[str]:
    """What the figures of accumulated samples do not tell."""
    kept = samples.raw.accumulated
    if kept is None:
        return
    names = " and ".join(_of_raw(samples))
    yield f"{names} are of the first {samples.n} of {view.whole.n} samples, which were kept one by one"
    dropped = kept.measured.dropped_below + kept.measured.dropped_beyond
    if dropped:
        yield f"{dropped} values beyond the bins were counted and not kept: percentiles among them are not known"


def statistics() -> dict[str, Statistic]:
    """Every statistic there is, by name."""
    found: dict[str, Statistic] = plugins("rtgauge.stats", "STATISTIC")
    return found


def _named(view: View) -> tuple[dict[str, Any], list[str]]:
    """Results of the analyses that the series asks for, and what it asks for that does not exist."""
    known = statistics()
    wanted = dict.fromkeys(view.samples.raw.info.analyse)
    unknown = [f"there is no analysis {name!r}" for name in wanted if name not in known and name != EXTREMES]
    return {name: known[name].compute(view) for name in wanted if name in known and not known[name].always}, unknown
