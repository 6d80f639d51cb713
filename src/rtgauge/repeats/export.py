"""The run to run of several runs for other programs, as `run_to_run` of results.schema.json says."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rtgauge.model import Between
from rtgauge.repeats.values import Repeated, Repeats

SCHEMA = 1


def to_json(repeats: Repeats) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "series": repeats.series,
        "target": repeats.target,
        "of": repeats.of,
        "verdict": {"ruling": repeats.ruling, "reason": repeats.reason},
        "exposure_s": repeats.exposure_s,
        "unequal": list(repeats.unequal),
        "notes": list(repeats.notes),
        "runs": [
            {name: getattr(run, name) for name in ("run", "number", "state", "ruling", "created", "exposure_s")}
            for run in repeats.runs
        ],
        "results": [_result_to_json(one) for one in repeats.results],
    }


def _result_to_json(one: Repeated) -> dict[str, Any]:
    return {
        "id": one.id,
        "params": dict(one.params),
        "environment": dict(one.environment),
        "unit": one.unit,
        "statuses": list(one.statuses),
        "agree": one.agree,
        "checks_apart": [{"what": what, "holds": list(holds)} for what, holds in one.apart],
        "n": one.n,
        "lost": one.lost,
        "exposure_s": one.exposure_s,
        "max": one.max,
        "maxima": list(one.maxima),
        "unmeasurable": one.unmeasurable,
        "within": None if one.p25 is None else {"p25": one.p25, "p75": one.p75},
        "between": {name: {"n": figure.n, **_plain(figure)} for name, figure in one.figures.items()},
    }


def _plain(figure: Between) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(figure).items()}
