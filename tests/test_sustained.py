"""IRQ-S-SUS on the fake system, whose tick can be made to keep a handler waiting."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge.model import Job
from tests.test_events import evidence, measure

JOBS = [Job("IRQ-S-SUS", 1000, {"source": "timer", "level": level}) for level in ("thread", "handler")]


def test_a_series_begins_in_each_phase_of_the_tick(engine_fake: Path) -> None:
    for test in measure(engine_fake, *JOBS).tests:
        told = evidence(test)
        assert told["series_begun_in_own_phase"] == told["tick_phases_visited"] == 64


def test_the_sweep_finds_what_a_thousand_in_a_row_do_not(engine_fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tick takes 20 us: an interrupt that is due just as it begins comes together with one 20.001 us later."""
    monkeypatch.setenv("RTGAUGE_FAULT", "tick-takes:20")
    for test in measure(engine_fake, *JOBS).tests:
        rows = [str(text) for name, text in evidence(test).items() if name.startswith("row ")]
        assert "period 20001 ns, generated 1000, serviced 1000, lost 0" in rows
        assert any(text.startswith("period 20001 ns, generated 32,") and "lost 0" not in text for text in rows)
        assert evidence(test)["shortest_period_ns"] == 25001


def test_a_system_that_keeps_the_asker_beyond_the_due_time_is_asked_again(
    engine_fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tick takes longer than the 211 to 277 us between the asking and the due time."""
    monkeypatch.setenv("RTGAUGE_FAULT", "tick-takes:500")
    params: dict[str, str | int] = {"source": "timer", "from": "due", "level": "primary"}
    (test,) = measure(engine_fake, Job("IRQ-P-LAT", 500, params)).tests
    assert test.outcome == "done"
    assert int(evidence(test)["interrupts_asked_for_too_late"]) > 0
    assert evidence(test)["interrupts_unmatched"] == 0


def test_a_system_that_is_late_by_much_has_a_period_too(engine_fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Series that have lost interrupts end early, so that longer periods come to be tried."""
    monkeypatch.setenv("RTGAUGE_FAULT", "tick-takes:400")
    for test in measure(engine_fake, *JOBS).tests:
        assert test.outcome == "done"
        assert 400_000 < int(evidence(test)["shortest_period_ns"]) < 520_000
