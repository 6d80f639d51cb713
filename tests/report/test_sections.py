"""Scope, repeat, history and acronyms: what they say is true of the run, and holds for runs from elsewhere."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import pytest

from rtgauge import __version__
from rtgauge.cli._parser import parse
from rtgauge.definitions import FAMILIES
from rtgauge.report import RunView, render
from rtgauge.report.blocks import Code, Section
from rtgauge.report.sections import acronyms, changes, contents, repeat, scope, sections
from rtgauge.report.sections.acronyms import ACRONYMS, closing, texts
from tests.report.example import big_run, result, view
from tests.report.hostile import EVIL, HOSTILE, evil_run

PASSED = result("MUT-B-ARC", status="pass")


def told(section: Section | None) -> str:
    assert section is not None
    return " | ".join(texts(section.part))


def run_with(manifest: dict[str, Any] | None = None, **top: Any) -> RunView:
    run = view([(PASSED, None)], **top)
    return replace(run, manifest={**run.manifest, **(manifest or {})})


# ---- scope -----------------------------------------------------------------------------------------------------------


def test_scope_names_what_was_evaluated() -> None:
    text = told(scope.section(big_run()))
    for word in ("Linux 6.1.0-rt", "local", "quick", "load none or heavy", "the 19 tests asked for are defined as"):
        assert word in text


def test_scope_lists_every_test_of_the_run() -> None:
    text = told(scope.section(big_run()))
    for id_, _ in big_run().groups:
        assert id_.partition("-")[0] in text
        assert id_.split("-", 2)[2] in text


def test_scope_says_what_is_not_covered() -> None:
    text = told(scope.section(run_with({"left_out": "3 tests: the engine died"})))
    for words in (
        "Left out: 3 tests: the engine died",
        "No requirement was given",
        "nothing ran beside the tests",
        "One run: what differs from run to run is not known.",
        "file systems (FS)",
        "no bound",
    ):
        assert words in text
    assert "mutexes (MUT)" not in text


def test_scope_does_not_deny_what_was_there() -> None:
    loaded = result("MUT-B-ARC", status="pass", environment={"load": "heavy", "cache": "dirty", "cpus": "all"})
    run = view([(loaded, None)], requirements=[{"name": "x", "ruling": "met"}])
    text = told(scope.section(run))
    assert "1 requirement" in text
    for words in ("No requirement", "under load", "Cold caches", "proven by these results"):
        assert words not in text
    assert "a deadline of 100 µs" in told(scope.section(run_with({"deadline_ns": 100_000}))).replace("100µs", "100 µs")


def test_scope_of_a_foreign_catalogue_and_of_nothing() -> None:
    assert "XYZ" in told(scope.section(view([(result("XYZ-P-ABC"), None)])))
    assert "not told" in told(scope.section(RunView({})))
    assert "no description of its tests" in told(scope.section(RunView({})))


def test_an_imported_run_is_said_to_be_one() -> None:
    text = told(scope.section(run_with(imported={"program": "cyclictest", "format": "x", "version": ""})))
    assert "Nothing of it was measured by rtgauge" in text


# ---- repeat ----------------------------------------------------------------------------------------------------------


def lines_of(run: RunView) -> list[str]:
    section = repeat.section(run)
    assert section is not None
    return [line for block in section.part.blocks if isinstance(block, Code) for line in block.lines]


def test_the_command_stands_as_it_was_given() -> None:
    command = [".venv/bin/rtgauge", "run", "local", "--tests", "THR-*", "--tag", "two words"]
    assert "rtgauge run local --tests 'THR-*' --tag 'two words'" in lines_of(run_with({"command": command}))


def test_the_lines_are_understood_by_this_program() -> None:
    command = ["rtgauge", "run", "local", "--tests", "THR-*", "--tag", "x y"]
    own = [shlex.split(line)[1:] for line in lines_of(run_with({"command": command})) if line.startswith("rtgauge ")]
    assert [words[0] for words in own] == ["doctor", "run", "verify"]
    for words in own:
        parse(words)


@pytest.mark.parametrize("evil", HOSTILE)
def test_a_foreign_command_stays_arguments_of_rtgauge(evil: str) -> None:
    run = run_with({"command": ["rtgauge", evil, "; rm -rf ~"], "versions": {"rtgauge": evil}}, run=evil, target=evil)
    for line in lines_of(run):
        assert "\n" not in line
        assert "\x1b" not in line
        if line.startswith("#"):  # which not every shell passes over
            assert not set(line) & set(";|&$`<>\"'\\")
        else:
            assert shlex.split(line)[0] in ("pip", "rtgauge")
    assert any(line.endswith(" '; rm -rf ~'") for line in lines_of(run))


@pytest.mark.parametrize("command", [["sh", "-c", "x"], [EVIL], [], None])
def test_what_is_no_command_of_ours_is_not_offered(command: Any) -> None:
    assert lines_of(run_with({"command": command})) == []


def test_an_imported_run_cannot_be_measured_again() -> None:
    run = run_with({"imported": {"format": "x", "file": "y"}, "command": ["rtgauge", "import", "y"]})
    assert lines_of(run) == []
    assert "repeated by its program alone" in told(repeat.section(run))


def test_digests_and_what_was_asked_are_read_back() -> None:
    spec = {"jobs": [{"id": "A", "samples": 5}, {"id": "B", "samples": 9}], "cpu": -1, "break_on_ns": 5000, "loads": []}
    text = told(repeat.section(run_with({"spec": spec})))
    for words in ("ea" * 32, "0b" * 32, "27\u202f238\u202f506", "5 to 9", "the last one allowed", "5.000\u202fµs"):
        assert words in text


def test_programs_that_were_loads_are_named() -> None:
    load = {"name": "net", "implementation": "stress-ng", "version": "0.15.06", "args": "", "reached": True}
    own = {**load, "implementation": "engine", "version": ""}
    run = view([(result("MUT-B-ARC", status="pass", loads=[load, own]), None)])
    assert "# a load was stress-ng, version 0.15.06" in lines_of(run)
    assert not any("engine" in line for line in lines_of(run))


def test_without_a_manifest_there_is_nothing_to_repeat() -> None:
    assert repeat.section(RunView({})) is None
    assert repeat.section(replace(run_with(), manifest={})) is None


# ---- history ---------------------------------------------------------------------------------------------------------


def test_history_tells_beginning_end_and_report() -> None:
    text = told(
        changes.section(run_with({"tag": "before the patch", "repeat": {"number": 2, "of": 5}, "series": "s-1"}))
    )
    for words in (
        "2026-03-01 10:15:00",
        "Measured: run 2 of 5 of s-1",
        "before the patch",
        "Ended, complete",
        "2026-03-01 10:16:12",
        f"rtgauge {__version__}",
    ):
        assert words in text


def test_history_tells_deaths_and_why_a_run_ended() -> None:
    deaths = [{"id": f"T-{n}", "params": {}, "reason": "signal 11"} for n in range(8)]
    text = told(changes.section(run_with({"deaths": deaths, "state": "broken", "why": "the disk is full"})))
    assert "The engine died in T-0: signal 11" in text
    assert "and in 3 more tests" in text
    assert "Ended, broken: the disk is full" in text


def test_figures_of_another_version_are_said_to_be() -> None:
    assert "compute" not in told(changes.section(run_with()))
    assert "rtgauge verify computes them again" in told(changes.section(run_with({"versions": {"rtgauge": "0.0.9"}})))


def test_history_of_nothing() -> None:
    assert "This report" in told(changes.section(RunView({})))
    assert "This report" in told(changes.section(RunView({}, {"versions": None, "repeat": None, "deaths": [None]})))


# ---- acronyms --------------------------------------------------------------------------------------------------------


def test_only_acronyms_that_stand_in_the_report_are_explained() -> None:
    found = acronyms_of(view([(result("MUT-B-ARC", status="fail", reason="the TLB was cold"), None)]))
    assert "translation lookaside buffer" in found
    assert ACRONYMS["NUMA"] not in found


def acronyms_of(run: RunView) -> str:
    return told(next(one for one in sections(run) if one.part.anchor == "acronyms"))


def test_parts_of_ids_are_explained_as_such() -> None:
    made = closing([contents.section(view([(result("SMP-P-WAK"), None)]))])
    text = told(made)
    assert f"SMP- | {FAMILIES['SMP']}" in text
    assert "THR-" not in text
    assert "-P- | performance" in text


@pytest.mark.parametrize(("text", "name"), [("two CPUs", "CPU"), ("the cpu", None), ("tscore", None), ("IRQs,", "IRQ")])
def test_an_acronym_is_a_word_of_its_own(text: str, name: str | None) -> None:
    run = RunView({"results": [], "problems": [text]})
    made = closing([s for s in sections(run) if s.part.anchor == "method"])
    words = told(made).split(" | ") if made else []
    plain = closing([s for s in sections(RunView({"results": []})) if s.part.anchor == "method"])
    before = told(plain).split(" | ") if plain else []
    assert set(words) - set(before) == ({name, ACRONYMS[name]} if name else set())


def test_the_table_is_in_order() -> None:
    assert list(ACRONYMS) == sorted(ACRONYMS)


def test_nothing_of_a_hostile_run_becomes_an_acronym() -> None:
    assert "alert" not in acronyms_of(evil_run())


def test_without_sections_there_are_no_acronyms() -> None:
    assert acronyms.closing([]) is None


# ---- all -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["html", "md"])
def test_all_of_them_are_in_every_format(format: str) -> None:
    text = str(render(big_run(), format))
    for title in ("Purpose and scope", "How to repeat it", "History", "Acronyms"):
        assert title in text


def test_the_anchors_of_sections_differ_and_short_names_are_short() -> None:
    made = sections(replace(big_run(), vendor="We agree."))
    assert len({one.part.anchor for one in made}) == len(made)
    assert all(len(one.short) <= 12 for one in made)
