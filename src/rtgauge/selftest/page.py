"""The table of docs/selftest.md: for each fault what caught it and what it said."""

from __future__ import annotations

from pathlib import Path

from rtgauge.selftest.run import Case, Outcome

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
_LONGEST = 150  # characters of what was said


def table(outcome: Outcome) -> str:
    rows = ["| fault | what it does | caught by | what it said |", "|---|---|---|---|"]
    return "\n".join([*rows, *map(_row, outcome.cases)])


def _row(case: Case) -> str:
    said = "<br>".join(_cell(f"{name}: {_short(text)}") for name, text in case.said)
    by = dict.fromkeys(name.split()[1] if name.startswith("engine ") else name.split()[0] for name, _ in case.said)
    others = [test for test in case.caught_by if test not in by]
    tests = ", ".join(by) + (f"; also {', '.join(others)}" if others else "")
    return f"| `{case.fault}` | {_cell(case.what)} | {tests or 'nothing'} | {said} |"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def page_with(text: str, outcome: Outcome) -> str:
    """`text` with the table in the place of the one that it has."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{table(outcome)}\n\n{END}{rest.partition(END)[2]}"


def write_page(path: Path, outcome: Outcome) -> None:
    path.write_text(page_with(path.read_text("utf-8"), outcome), "utf-8")
