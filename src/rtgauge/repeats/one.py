"""A run made small, so that a thousand of them fit into memory."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rtgauge.errors import StoreError
from rtgauge.repeats.values import Key, OneResult, OneRun
from rtgauge.stats.basic import PERCENTILES
from rtgauge.stats.between import Within, within

Result = Mapping[str, Any]  # one entry of results.json
_SHARES = {"median" if name == "50" else f"p{name}": share[0] / share[1] for name, share in PERCENTILES.items()}
FIGURES = ("median", "avg", *(name for name in _SHARES if name != "median"), "max", "min")


def one_run(content: Mapping[str, Any], manifest: Mapping[str, Any], state: str, spread: bool = True) -> OneRun:
    """`content`: of results.json. `state`: of the run folder. `spread`: also what the samples within the run let
    expect, which takes a while. StoreError where the content is damaged."""
    try:
        return _one_run(content, manifest, state, spread)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise StoreError(f"results.json of run {manifest.get('run')} is damaged: {error!r}") from error


def _one_run(content: Mapping[str, Any], manifest: Mapping[str, Any], state: str, spread: bool) -> OneRun:
    results: dict[Key, OneResult] = {}
    for entry in content.get("results") or ():
        made = _one_result(entry, state == "complete", spread)
        place = 0
        while (key := (made.id, _words(made), place)) in results:
            place += 1
        results[key] = made
    repeat, verdict = manifest.get("repeat") or {}, content.get("verdict") or {}
    return OneRun(
        run=str(manifest.get("run") or content.get("run") or ""),
        number=_whole(repeat.get("number")),
        of=_whole(repeat.get("of")),
        series=manifest.get("series"),
        state=state,
        ruling=verdict.get("ruling"),
        reason=str(verdict.get("reason") or ""),
        target=str(content.get("target") or manifest.get("target") or ""),
        created=str(content.get("created") or manifest.get("created") or ""),
        exposure_s=None if content.get("imported") else float(content.get("exposure_s") or 0.0),
        same=_same(content, manifest),
        results=results,
    )


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 1


def _words(result: OneResult) -> str:
    return str([sorted((str(k), str(v)) for k, v in one.items()) for one in (result.params, result.environment)])


def _same(content: Mapping[str, Any], manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What makes runs repeats of the same."""
    system, spec = content.get("system") or {}, content.get("spec") or manifest.get("spec") or {}
    facts, clock = system.get("facts") or {}, system.get("clock") or {}
    return {
        "target": content.get("target"),
        "host": manifest.get("host"),
        "engine": (manifest.get("engine") or {}).get("sha256"),
        "rtgauge": (manifest.get("versions") or {}).get("rtgauge"),
        "kernel": [facts.get(name) for name in ("os", "release", "version", "cmdline") if name in facts] or None,
        "clock": clock.get("name"),
        "what was asked": {name: value for name, value in spec.items() if name != "time_ms"} or None,
        "deadline": manifest.get("deadline_ns"),
        "what was required": manifest.get("requirements") or None,
    }


def _one_result(entry: Result, whole_run: bool, spread: bool) -> OneResult:
    params, environment = entry.get("params") or {}, entry.get("environment") or {}
    status = str(entry.get("status"))
    never_ended = entry.get("exposure_s") is None and status == "invalid" and not whole_run
    counts = status == "ok" and bool(entry.get("n")) and entry.get("max") is not None
    checks = {
        str(check.get("name")): (str(check.get("what") or check.get("name")), bool(check.get("holds")))
        for check in entry.get("checks") or ()
        if not never_ended
    }

    def untold(name: str) -> bool:
        return bool(entry.get("imported")) and entry.get(name) is None

    return OneResult(
        id=str(entry.get("id")),
        params=dict(params),
        environment=dict(environment),
        unit=entry.get("unit"),
        status=None if never_ended else status,
        reason=entry.get("reason"),
        checks=checks,
        figures=_figures(entry) if counts else {},
        within=_within(entry) if counts and spread else None,
        n=int(entry.get("n") or 0) if counts else 0,
        lost=(None if untold("lost") else int(entry.get("lost") or 0)) if counts else 0,
        exposure_s=(None if untold("exposure_s") else float(entry.get("exposure_s") or 0.0)) if counts else 0.0,
        unmeasurable=bool(entry.get("unmeasurable")),
    )


def _figures(entry: Result) -> dict[str, float]:
    percentiles = {f"p{name}": value for name, value in (entry.get("percentiles") or {}).items()}
    every = {**percentiles, **{name: entry.get(name) for name in ("median", "avg", "max", "min")}}
    told = {name: float(every[name]) for name in FIGURES if every.get(name) is not None}
    return {name: value for name, value in told.items() if math.isfinite(value)}


def _within(entry: Result) -> Within | None:
    bins, mean = entry.get("histogram"), entry.get("avg")
    if not bins or mean is None:
        return None
    step = float(entry.get("resolution") or 0.0)
    return within(bins, float(entry["min"]), float(entry["max"]), float(mean), step, _SHARES)
