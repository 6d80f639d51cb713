"""The published systems, as their figures are printed."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest

from rtgauge.errors import UsageError
from rtgauge.reference import rows
from rtgauge.reference.systems import figures, find, systems, titles


def test_every_printed_row_belongs_to_one_system() -> None:
    assert len(figures()) == len(rows("published")) + len(rows("published_modern")) == 852 + 84
    owned = Counter(id(figure) for one in systems().values() for figure in one.figures)
    assert owned == Counter(id(figure) for figure in figures())


def test_a_figure_keeps_what_is_printed_with_it() -> None:
    (found,) = [
        one
        for one in find("qnx-6.5")[0].figures
        if (one.published_id, one.statistic, one.section) == ("CLK-P-DUR", "max", "3.5.1")
    ]
    assert (found.value, found.number, found.unit, found.source) == ("10", Decimal(10), "us", "cmp-atom-2012")
    assert {one.qualifier for one in figures()} == {"", "<", ">", "<=", ">=", "approx"}
    assert any(one.note for one in figures())


def test_a_name_alone_means_all_platforms() -> None:
    assert [one.address for one in find("ce7")] == ["ce7@atom-z530", "ce7@pentium2-233"]
    assert [one.address for one in find("ce7@pentium2-233")] == ["ce7@pentium2-233"]


def test_what_holds_on_any_platform_belongs_to_the_only_one() -> None:
    (lynx,) = find("lynxos-3.0.1")
    assert {one.platform for one in lynx.figures} == {"dell-p2-266", "any"}


@pytest.mark.parametrize("name", ["qnx-6.6", "qnx-6.5@rpi4b", "", "@"])
def test_an_unknown_system_names_the_legal_ones(name: str) -> None:
    with pytest.raises(UsageError, match=r"legal are qnx-6.5@atom-z530, ce7@atom-z530, "):
        find(name)


def test_years_and_sources_are_known() -> None:
    assert find("vxworks-5.3.1")[0].year == "2001"
    assert find("linux-6.1.35-rt")[0].year == ""  # not printed
    assert {source for one in systems().values() for source in one.sources} == set(titles())


def test_every_described_system_has_figures() -> None:
    assert {f"{row['system']}@{row['platform']}" for row in rows("systems")} <= set(systems())
