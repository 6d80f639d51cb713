"""Ratings in the report: every figure with its reason, nothing by glyph or colour alone."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge.ratings import rate, to_json
from rtgauge.ratings.rules import STARS
from rtgauge.report.formats import html, md
from rtgauge.report.sections.ratings import section
from rtgauge.report.view import RunView
from tests.ratings.runs import KEY, behaviour, content, cyclic, manifest


def text(run: RunView) -> str:
    return md.page([section(run)])


def test_stars_are_told_as_glyphs_and_as_a_number() -> None:
    told = text(RunView(content(), manifest()))
    assert "**★★★★★ 5 of 5 stars" in told
    assert "- results 5: TMR-P-CYC threads=1 interval=1ms: none of 400000 late" in told


def test_every_rule_is_printed_also_where_the_stars_are_withheld() -> None:
    told = text(RunView(content(), manifest(None)))
    assert "**Withheld**" in told
    assert "a stated deadline" in told
    assert "rtgauge evaluate local --deadline 1ms --load heavy" in told
    for name, _ in STARS:
        assert f"- Stars, {name}: " in told


def test_opinions_are_marked_and_the_others_are_named_as_not_rated() -> None:
    opinions = {"by": "me", "support": {"score": 3.0, "why": "slow"}}
    told = text(RunView(content(), manifest(), opinions=opinions))
    assert "| support (opinion of me) | 3 | slow |" in told
    assert "documentation, development methodology, price: missing an opinion" in told
    assert "| test results | 10 |" in told  # a measured one is not marked


def test_a_basis_leads_to_its_results() -> None:
    run = RunView(content([cyclic(), *(behaviour(id_) for id_ in KEY)], audit=["warn"]), manifest())
    page = html.page([section(run)], "r")
    for entry in run.entries:
        assert f'href="#{entry.anchor}"' in page
    assert 'href="#audit"' in page
    assert 'aria-label="test results: performance: 10 of 10"' in page


def test_commands_are_told_once_and_only_the_longer_of_two() -> None:
    told = manifest() | {"descriptors": [{"id": "TMR-P-CYC", "samples": [10000, 60000, 3600000]}]}
    lines = text(RunView(content([cyclic(10_000)], load="none"), told)).splitlines()
    commands = [line.strip() for line in lines if line.strip().startswith("rtgauge ")]
    assert commands == [
        "rtgauge evaluate local --deadline 1ms --load heavy --profile standard", "rtgauge list questionnaire",
    ]  # fmt: skip


HOSTILE = "a\x1b[31m\u202e<script>|`\n" + "x" * 300


@pytest.mark.parametrize(
    "changed",
    [
        {"results": []},
        {"results": None, "audit": None, "spec": None, "system": None},
        {"target": HOSTILE, "profile": HOSTILE},
        {"results": [cyclic() | {"params": {HOSTILE: HOSTILE}}, behaviour(HOSTILE, HOSTILE)]},
        {"results": [cyclic() | {"worst": [], "histogram": [], "max": 1e30}]},
        {"results": [cyclic() | {"max": -5.0, "worst": []}]},
        {"results": [cyclic() | {"n": 10**30}]},
        {"results": [cyclic() | {"n": 1, "lost": 10**30}]},
        {"audit": [{"check": HOSTILE, "status": HOSTILE}]},
        {"results": [cyclic() | {"synthetic": {"n": 2, "max": 1e30, "overruns": 10**30, "entered": 1}}]},
    ],
)
def test_nothing_that_a_run_may_hold_breaks_it(changed: dict[str, Any]) -> None:
    run = RunView(content() | changed, manifest())
    page = html.page([section(run)], "r")
    assert "<script>|" not in page
    assert "\u202e" not in page + text(run)
    assert "\x1b" not in page + text(run)


def test_what_is_rated_goes_into_json() -> None:
    import json

    made = json.loads(json.dumps(to_json(rate(content(), manifest())), allow_nan=False))
    assert made["stars"]["value"] == 5
    assert made["stars"]["glyphs"] == "★★★★★"
    assert made["categories"][0]["basis"][0] == {"id": "THR-B-NEW", "params": {}, "status": "pass"}
