"""Stored runs for other programs, one format in each file.

A module here that defines `render(run) -> bytes` or `write(run, chosen, file)` is a format; `run` is a
rtgauge.store.readers.StoredRun, `chosen` the indices of the results that are wanted. What writes to a file does so
piece by piece: a run may hold ten million samples.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from rtgauge.errors import UsageError
from rtgauge.registry import pick, plugins

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun

Writer = Callable[["StoredRun", Sequence[int], BinaryIO], object]


def formats() -> dict[str, Writer]:
    """All formats by name."""
    whole = {name: _whole(render) for name, render in plugins("rtgauge.export", "render").items()}
    return dict(sorted({**whole, **plugins("rtgauge.export", "write")}.items()))


def summaries() -> dict[str, str]:
    """What each format is for."""
    return plugins("rtgauge.export", "SUMMARY")


def export(run: StoredRun, format: str) -> bytes:
    """The run in that format. UsageError names the legal ones, or what the run lacks for it."""
    file = io.BytesIO()
    export_to(file, run, format)
    return file.getvalue()


def export_to(
    file: BinaryIO, run: StoredRun, format: str, test: str | None = None, params: Mapping[str, str] | None = None
) -> None:
    """As `export`, to a file; of the results of test `test` with these values of parameters only. UsageError where the
    run has none such, or says what it lacks for the format; then nothing was written."""
    writer = pick("export format", format, formats())
    if run.manifest.get("imported") is not None:
        raise UsageError(
            f"run {run.id} was imported: it holds no samples that could be exported, its file is beside it"
        )
    if (test or params) and format in plugins("rtgauge.export", "render"):
        raise UsageError(f"format {format} is of the whole run: it takes neither --test nor --param")
    writer(run, choose(run.results.get("results") or (), test, params or {}), file)


def choose(results: Sequence[Mapping[str, Any]], test: str | None, params: Mapping[str, str]) -> list[int]:
    """The indices of the results of a test with these parameters; of all without either."""
    chosen = list(range(len(results)))
    if test is not None:
        known = dict.fromkeys(str(result["id"]) for result in results)
        pick("test", test.upper(), known)
        chosen = [i for i in chosen if results[i]["id"] == test.upper()]
    for name, value in params.items():
        values = [(results[i].get("params") or {}).get(name) for i in chosen]
        legal = dict.fromkeys(str(one) for one in values if one is not None)
        if not legal:
            others = dict.fromkeys(key for i in chosen for key in results[i].get("params") or {})
            pick("parameter", name, others)
        pick(f"value of {name}", value, legal)
        chosen = [i for i, one in zip(chosen, values, strict=True) if one is not None and str(one) == value]
    return chosen


def _whole(render: Callable[[StoredRun], bytes]) -> Writer:
    return lambda run, _chosen, file: file.write(render(run))
