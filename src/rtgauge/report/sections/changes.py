"""The history of what this report tells: when it was measured, by what, how it ended, and who wrote the report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rtgauge import __version__
from rtgauge.report import display
from rtgauge.report.blocks import Block, Cell, Column, Part, Section, Table, Text, Tone
from rtgauge.report.view import RunView

_DEATHS_NAMED = 5


def section(run: RunView) -> Section:
    rows = tuple(_rows(run))
    table = Table((Column("When (UTC)"), Column("What"), Column("By")), rows)
    blocks: list[Block] = [table]
    stored = _rtgauge(run)
    if stored and stored != __version__:
        text = (
            f"The figures are those that rtgauge {stored} stored; this report was written by rtgauge {__version__}. "
            "rtgauge verify computes them again."
        )
        blocks.append(Text(text, tone="warn"))
    return Section(94, Part("history", "History", tuple(blocks)), "History")


def _rows(run: RunView) -> Iterator[tuple[Cell, ...]]:
    manifest = run.manifest
    begun = str(run.results.get("created") or manifest.get("created") or "")
    by = ", ".join(word for word in (f"rtgauge {_rtgauge(run)}" if _rtgauge(run) else "", _engine(run)) if word)
    imported = manifest.get("imported") or run.results.get("imported")
    yield _row(begun, "Imported from a file" if imported else _begun(run), by)
    if manifest.get("tag"):
        yield _row(begun, f"Called “{manifest['tag']}”", "the user")
    deaths = [one for one in manifest.get("deaths") or () if isinstance(one, dict)]
    for death in deaths[:_DEATHS_NAMED]:
        yield _row("", f"The engine died in {death.get('id')}: {display.micro(str(death.get('reason')))}", "", "bad")
    if len(deaths) > _DEATHS_NAMED:
        yield _row("", f"and in {len(deaths) - _DEATHS_NAMED} more tests", "", "bad")
    state = str(manifest.get("state") or "")
    if state:
        why = f": {display.micro(str(manifest['why']))}" if manifest.get("why") else ""
        told = {"complete": "Ended, complete", "running": "Not ended"}.get(state, f"Ended, {state}")
        yield _row(str(manifest.get("finished") or ""), told + why, "", "plain" if state == "complete" else "warn")
    yield _row("", "This report", f"rtgauge {__version__}")


def _begun(run: RunView) -> str:
    repeat = run.manifest.get("repeat") or {}
    number, of = repeat.get("number"), repeat.get("of")
    series = f" of {run.manifest['series']}" if run.manifest.get("series") else ""
    return f"Measured: run {number} of {of}{series}" if isinstance(of, int) and of > 1 else "Measured"


def _row(when: str, what: str, by: str, tone: Tone = "plain") -> tuple[Cell, ...]:
    return (
        Cell(when.partition(".")[0].replace("T", " ").removesuffix("Z") or "–"),
        Cell(what, tone=tone),
        Cell(by or "–"),
    )


def _rtgauge(run: RunView) -> str:
    return _version(run, "rtgauge")


def _engine(run: RunView) -> str:
    return _version(run, "engine")


def _version(run: RunView, name: str) -> str:
    versions: Any = run.manifest.get("versions")
    return str(versions.get(name) or "") if isinstance(versions, dict) else ""
