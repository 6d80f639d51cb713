"""A stored run, or several runs that repeat each other, as a column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from rtgauge.compare.published import IN_KEY
from rtgauge.compare.values import VERDICT, Column, Figure, Key
from rtgauge.repeats import one_run
from rtgauge.repeats.values import OneResult, total
from rtgauge.units import format_ns

Content = Mapping[str, Any]  # of results.json
Manifest = Mapping[str, Any]
_OF_ALL = {"max": max, "min": min}  # of several runs; other figures: the middle of those of the runs
_GRAVITY = ("fail", "invalid", "inconclusive", "not-permitted", "not-supported", "pass with remark", "pass")
_SHORT = "below what the clock can measure"


def column(name: str, runs: Sequence[tuple[Content, Manifest, str]], notes: Sequence[str] = ()) -> Column:
    """`runs`: of each the content of results.json, the manifest and the state. StoreError where one is damaged."""
    found: dict[Key, list[tuple[Content, OneResult]]] = {}
    checks: dict[Key, tuple[Figure, ...]] = {}
    for content, manifest, state in runs:
        results = one_run(content, manifest, state).results.values()
        for entry, result in zip(content.get("results") or (), results, strict=True):
            key = _key(result)
            found.setdefault(key, []).append((entry, result))
            for check, (what, holds) in result.checks.items():
                at = Key(key.id, key.params, key.part, check, key.environment)
                word = Figure(VERDICT, "pass" if holds else "fail", note=what, environment=_environment(result))
                checks[at] = (*checks.get(at, ()), word)
    content, manifest, _ = runs[-1]
    return Column(
        name=name,
        kind="series" if len(runs) > 1 else "run",
        configuration=_configuration(content, manifest, len(runs)),
        cells={key: cell for key, every in found.items() if (cell := tuple(_figures(every, len(runs))))},
        checks={key: (_gravest(words, len(runs)),) for key, words in checks.items()},
        runs=len(runs),
        notes=tuple(notes),
    )


def _key(result: OneResult) -> Key:
    params = {str(name): str(value) for name, value in result.params.items()}
    part = "" if result.id == "MEM-P-FTP" else params.pop("part", "")
    environment = tuple((name, str(result.environment[name])) for name in IN_KEY if name in result.environment)
    return Key(result.id, tuple(sorted(params.items())), part, "", environment)


def _environment(result: OneResult) -> dict[str, str]:
    return {str(name): str(value) for name, value in result.environment.items()}


def _figures(every: Sequence[tuple[Content, OneResult]], runs: int) -> Iterator[Figure]:
    """The verdict, or the figures, of one result in all runs."""
    environment = _environment(every[0][1])
    words = [
        Figure(VERDICT, *_word(entry, result), environment=environment)
        for entry, result in every
        if result.status not in ("ok", None)
    ]
    if words:
        yield _gravest(words, runs)
    with_figures = [result for _, result in every if result.figures]
    if not with_figures:
        return
    unit = with_figures[0].unit or ""
    short = any(result.unmeasurable for result in with_figures)
    for name in dict.fromkeys(name for result in with_figures for name in result.figures):
        values = tuple(result.figures[name] for result in with_figures if name in result.figures)
        value = _OF_ALL.get(name, median)(values)
        yield Figure(
            name, repr(value), unit, note=_SHORT if short else "", environment=environment, values=values,
            unmeasurable=short,
        )  # fmt: skip
    yield Figure("n", str(sum(result.n for result in with_figures)), "count", environment=environment)
    for name, told in (
        ("lost", [one.lost for one in with_figures]),
        ("exposure", [one.exposure_s for one in with_figures]),
    ):
        whole = total(told)
        if whole is not None:  # nobody told in a run that was imported
            yield Figure(name, repr(whole), "count" if name == "lost" else "s", environment=environment)


def _word(entry: Content, result: OneResult) -> tuple[str, str, str, str]:
    """Text, unit, qualifier and note of a verdict."""
    unchecked = [str(one.get("name")) for one in entry.get("unchecked") or ()]
    if result.status == "pass" and unchecked:
        return "pass with remark", "", "", f"not checked: {', '.join(unchecked)}"
    return str(result.status), "", "", str(result.reason or "")


def _gravest(words: Sequence[Figure], runs: int) -> Figure:
    worst = min(words, key=lambda one: _GRAVITY.index(one.text) if one.text in _GRAVITY else 0)
    same = sum(one.text == worst.text for one in words)
    if runs == 1 or same == runs:
        return worst
    note = "; ".join(text for text in (f"{same} of {runs} runs", worst.note) if text)
    return Figure(VERDICT, worst.text, note=note, environment=worst.environment)


def _configuration(content: Content, manifest: Manifest, runs: int) -> dict[str, str]:
    system = content.get("system") or {}
    facts, clock = system.get("facts") or {}, system.get("clock") or {}
    spec = content.get("spec") or manifest.get("spec") or {}
    environment = spec.get("environment") or {}
    memory = facts.get("memory_kb")
    virtual = "virtual" in str(clock.get("name") or "")
    told = {
        "figures": "measured" if runs == 1 else f"measured, {runs} runs",
        "year": str(content.get("created") or "")[:4],
        "platform": f"{manifest.get('host') or '?'} ({content.get('target') or '?'})",
        "time": "virtual" if virtual else "real",
        "OS": facts.get("os"),
        "version": " ".join(str(facts[name]) for name in ("release", "version") if facts.get(name)),
        "processor": facts.get("cpu_model") or facts.get("machine"),
        "processors": facts.get("cpus"),
        "memory MB": None if memory is None else round(int(memory) / 1024),
        "tick": _tick(content, facts),
        "preemption model": _finding(content, "preemption model") or _model(str(facts.get("version") or "")),
        "hypervisor": _finding(content, "hypervisor"),
        "kernel command line": facts.get("kernel_command_line"),
        "stamp clock": clock.get("name"),
        "engine": str((manifest.get("engine") or {}).get("sha256") or "")[:12],
        **{name: environment.get(name) for name in ("load", "cache", "cpus")},
    }
    return {name: str(text) for name, text in told.items() if text not in (None, "")}


def _tick(content: Content, facts: Mapping[str, Any]) -> str | None:
    """As the run found it, else as the system says."""
    lines = (line for entry in content.get("results") or () for line in entry.get("evidence") or ())
    ns = next((line.get("value") for line in lines if line.get("name") == "tick_ns"), facts.get("tick_ns"))
    return format_ns(ns) if isinstance(ns, int | float) else None


def _finding(content: Content, check: str) -> str | None:
    found = (one.get("summary") for one in content.get("audit") or () if one.get("check") == check)
    return next((str(text) for text in found if text), None)


def _model(version: str) -> str | None:
    return next((name for name in ("PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT") if name in version), None)
