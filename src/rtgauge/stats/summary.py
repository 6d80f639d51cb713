"""All figures of one series: the statistics that every series has, and those that it names."""

from __future__ import annotations

from typing import Any

from rtgauge.model import Samples, Summary
from rtgauge.registry import plugins
from rtgauge.stats.view import Statistic, View, view_of


def summarise(samples: Samples) -> Summary:
    """ValueError when there is no sample."""
    view = view_of(samples)
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
        analysis=named,
        problems=(*samples.problems, *problems),
    )


def statistics() -> dict[str, Statistic]:
    """Every statistic there is, by name."""
    found: dict[str, Statistic] = plugins("rtgauge.stats", "STATISTIC")
    return found


def _named(view: View) -> tuple[dict[str, Any], list[str]]:
    """Results of the analyses that the series asks for, and what it asks for that does not exist."""
    known = statistics()
    wanted = dict.fromkeys(view.samples.raw.info.analyse)
    unknown = [f"there is no analysis {name!r}" for name in wanted if name not in known]
    return {name: known[name].compute(view) for name in wanted if name in known and not known[name].always}, unknown
