from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

from rtgauge.blame.causes import KINDS
from rtgauge.blame.wakeup import PHASES, UNSEEN
from rtgauge.report.blocks import LOOKS
from rtgauge.report.sections._blame import _LOOKS, _MEANING

TEXT = (Path(__file__).parents[2] / "docs" / "blame.md").read_text("utf-8")


def test_the_table_names_every_kind() -> None:
    assert set(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.M)) == set(KINDS)


def test_the_phases_are_those_of_the_program() -> None:
    plain = " ".join(TEXT.split()).replace(" (until it woke the thread)", "")
    names = [name for _, name, _ in PHASES]
    assert f"the {', '.join(names[:-1])}, and {names[-1]}." in plain
    assert f'"{UNSEEN[0]}"' in plain


def test_every_kind_has_a_look_and_its_place_in_the_schema() -> None:
    assert set(_LOOKS) == set(KINDS)
    assert set(_LOOKS.values()) == set(_MEANING) == set(LOOKS)
    schema = json.loads(files("rtgauge").joinpath("results.schema.json").read_text("utf-8"))
    blame = schema["$defs"]["result"]["properties"]["blame"]["properties"]
    kinds = [blame["causes"]["items"]["properties"]["kind"]["enum"]]
    kinds += [blame["samples"]["items"]["properties"]["parts"]["items"]["properties"]["kind"]["enum"]]
    assert kinds == [list(KINDS), list(KINDS)]
