"""A stored run, or several runs that repeat each other, as a column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from rtgauge.compare.configuration import configuration
from rtgauge.compare.distributions import pooled
from rtgauge.compare.judged import judged, points, ratings
from rtgauge.compare.published import IN_KEY
from rtgauge.compare.values import VERDICT, Column, Figure, Histogram, Key
from rtgauge.errors import StoreError
from rtgauge.repeats import OneRun, one_run
from rtgauge.repeats.skipped import skipped, with_skipped
from rtgauge.repeats.values import GRAVEST, OneResult, total
from rtgauge.results import complaint_about

Content = Mapping[str, Any]  # of results.json
Manifest = Mapping[str, Any]
_OF_ALL = {"max": max, "min": min}  # of several runs; other figures: the middle of those of the runs
_GRAVITY = ("fail", "invalid", "inconclusive", "not-permitted", "not-supported", "pass with remark", "pass")
_SHORT = "below what the clock can measure"
_COUNTED = ("lost", "skipped")  # in samples; exposure is in seconds


def column(name: str, runs: Sequence[tuple[Content, Manifest, str]], notes: Sequence[str] = ()) -> Column:
    """`runs`: of each the content of results.json, the manifest and the state. StoreError where one is damaged."""
    try:
        return _column(name, runs, notes)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        for content, manifest, _ in runs:
            if complaint := complaint_about(content):
                raise StoreError(f"results.json of run {manifest.get('run')} is damaged: {complaint}") from None
        raise  # a mistake of ours


def _column(name: str, runs: Sequence[tuple[Content, Manifest, str]], notes: Sequence[str]) -> Column:
    small: list[OneRun] = []
    found: dict[Key, list[tuple[Content, OneResult]]] = {}
    checks: dict[Key, tuple[Figure, ...]] = {}
    for content, manifest, state in runs:
        small.append(one_run(content, manifest, state, spread=False))
        for entry, result in zip(content.get("results") or (), small[-1].results.values(), strict=True):
            key = _key(result)
            figures = with_skipped(entry, result.figures)
            found.setdefault(key, []).append((entry, replace(result, figures=figures)))
            for check, (what, holds) in result.checks.items():
                at = Key(key.id, key.params, key.part, check, key.environment)
                word = Figure(VERDICT, "pass" if holds else "fail", note=what, environment=_environment(result))
                checks[at] = (*checks.get(at, ()), word)
    content, manifest, _ = runs[-1]
    told, about, _ = runs[gravest := _gravest_run(small)]
    which = f"points and ratings are those of run {small[gravest].run}, one with the gravest verdict of {len(runs)}"
    return Column(
        name=name,
        kind="series" if len(runs) > 1 else "run",
        configuration=configuration(content, manifest, len(runs)),
        cells={key: cell for key, every in found.items() if (cell := tuple(_figures(every, len(runs))))},
        checks={key: (_gravest(words, len(runs)),) for key, words in checks.items()},
        runs=len(runs),
        created=str(content.get("created") or ""),
        notes=(*notes, *([which] if len(runs) > 1 else [])),
        points=points(told),
        judged=judged([(one[0], one[1]) for one in runs]),
        ratings=ratings(told, about),
        target=str(content.get("target") or manifest.get("target") or ""),
        histograms={key: one for key, every in found.items() if (one := pooled(_histograms(every))) is not None},
    )


def _histograms(every: Sequence[tuple[Content, OneResult]]) -> Iterator[Histogram]:
    for entry, result in every:
        bins = tuple(
            (float(low), float(high), int(count)) for low, high, count in entry.get("histogram") or () if count
        )
        if bins and not result.unmeasurable:
            yield Histogram(result.unit or "", bins)


def _gravest_run(runs: Sequence[OneRun]) -> int:
    """The last of those with the gravest ruling."""
    order = [GRAVEST.index(run.ruling) if run.ruling in GRAVEST else len(GRAVEST) for run in runs]
    return max(place for place, grade in enumerate(order) if grade == min(order))


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
    having = [(entry, result) for entry, result in every if result.figures]
    if not having:
        return
    with_figures = [result for _, result in having]
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
        ("skipped", [skipped(entry) for entry, _ in having]),
        ("exposure", [one.exposure_s for one in with_figures]),
    ):
        whole = total(told)
        if whole is not None:  # nobody told in a run that was imported; only periodic threads skip
            yield Figure(name, repr(whole), "count" if name in _COUNTED else "s", environment=environment)


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
