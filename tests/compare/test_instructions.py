"""Virtual time beside virtual time: times as instructions, and what single runs permit to say."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from rtgauge.compare import align, tables, to_json
from rtgauge.compare.instructions import ns_per_instruction
from rtgauge.compare.terminal import lines
from rtgauge.compare.values import Column, Comparison
from rtgauge.errors import UsageError
from tests.compare.columns import measured_column, references
from tests.compare.test_align import switch

ENGINE = {"engine": "0123456789ab"}
AVERAGE, LARGEST = 763.4, 1664.0


def guest(name: str, os: str = "Linux", ns: str = "2", runs: int = 1, **more: Any) -> Column:
    """One on the board, with these figures of THR-P-SLS."""
    settings = {"virtual board": more.pop("board", "virt-a53"), "virtual ns per instruction": ns, "time": "virtual"}
    average, values = more.pop("avg", AVERAGE), {"min": 700.0, "max": LARGEST, **more}
    column = measured_column(name, *([[switch(average, **values)]] * runs), os=os)
    return replace(column, configuration={**column.configuration, **ENGINE, **settings})


def shown(made: Comparison) -> dict[str, tuple[str, ...]]:
    return {line[1]: line[2:] for line in tables.overview(made).rows}


def test_two_operating_systems_on_one_board_are_told_in_instructions() -> None:
    made = align([guest("a"), guest("b", "FreeRTOS", avg=1000.0, max=2 * 123_457.0)])
    told = shown(made)
    assert told["max instructions"] == ("832", "123457")  # to the last digit
    assert told["avg instructions"] == ("381.7", "500")
    assert told["exposure s"] == ("1", "1")  # for how long: no count of instructions
    assert told["samples"] == ("1000", "1000")
    text = "\n".join(lines(made))
    assert "Latencies are in instructions of 2 ns of virtual time each" in text
    assert "stay in time" not in text
    assert "avg ns" not in text.split("== Key tests")[1].split("== ")[0]
    assert "avg us" in text.split("== THR-P-SLS")[1]  # the tests have times


@pytest.mark.parametrize(
    ("other", "instructions"),
    [
        (guest("b"), False),  # one OS: a study of kernels
        (guest("b", "FreeRTOS"), True),
        (guest("b", "FreeRTOS", board="virt-rv64"), False),
        (guest("b", "FreeRTOS", ns="128"), False),
        (references("qnx-6.5")[0], False),
        (measured_column("b", [switch(1.0)], os="FreeRTOS"), False),
    ],
)
def test_where_instructions_are_shown_without_being_asked_for(other: Column, instructions: bool) -> None:
    made = align([guest("a"), other])
    assert any("instructions" in name for name in shown(made)) == instructions


def test_the_user_chooses() -> None:
    both = [guest("a"), guest("b", "FreeRTOS")]
    assert "max us" in shown(align(both, unit="time"))
    assert "max instructions" in shown(align([guest("a"), guest("b")], unit="instructions"))
    with pytest.raises(UsageError, match=r"a \(2 ns\), b \(128 ns\)"):
        align([guest("a"), guest("b", ns="128")], unit="instructions")
    with pytest.raises(UsageError, match=r"b \(not counted\)"):
        align([guest("a"), measured_column("b", [switch(1.0)])], unit="instructions")


def test_what_is_no_whole_number_of_instructions_stays_in_time() -> None:
    made = align([guest("a"), guest("b", "FreeRTOS", max=LARGEST + 1)])
    assert not any("instructions" in name for name in shown(made))
    assert "no whole number of instructions stay in time" in "\n".join(lines(made))


def test_an_average_with_more_digits_than_are_shown_is_about() -> None:
    made = align([guest("a", avg=1000 / 3), guest("b", "FreeRTOS", avg=700.1 + 0.2)])
    assert shown(made)["avg instructions"] == ("~166.667", "350.15")


def test_for_programs_figures_stay_in_their_unit() -> None:
    made = align([guest("a"), guest("b", "FreeRTOS")])
    found = to_json(made)
    assert found["ns_per_instruction"] == 2
    figures = {one["statistic"]: one for one in found["rows"][found["overview"][0]]["figures"]}
    assert (figures["max"]["value"], figures["max"]["unit"], figures["max"]["common"]) == (1664, "ns", 1664)
    assert to_json(align([guest("a"), *references("qnx-6.5")]))["ns_per_instruction"] is None


@pytest.mark.parametrize("odd", ["", "0", "-2", "NaN", "Infinity", "two"])
def test_no_instruction_takes_this(odd: str) -> None:
    assert ns_per_instruction([guest("a", ns=odd)]) is None
    assert ns_per_instruction([guest("a", ns="2"), guest("b", ns="2")]) == Decimal(2)


def changes(*columns: Column) -> list[str]:
    return [one.text for one in align(columns).conclusion if one.rule == "changes"]


def test_differences_of_single_runs_in_virtual_time_are_exact() -> None:
    (told,) = changes(guest("a"), guest("b", avg=900.0), guest("c", avg=901.0))  # once, of all
    assert told.startswith("b, c against a: virtual time repeats to the last digit")
    assert "each difference is exact" in told
    assert "`--replicas N`" in told
    assert "chance" not in told


def test_but_of_series_and_of_real_time_the_old_sentence_holds() -> None:
    assert "cannot be told" in changes(guest("a", runs=2), guest("b"))[0]
    (single,) = changes(measured_column("a", [switch(1.0)]), measured_column("b", [switch(2.0)]))
    assert single == "b against a: one run each; whether a difference is more than chance cannot be told."
    assert "with an interval" in changes(guest("a", runs=2), guest("b", runs=2))[0]
    assert changes(guest("a"), guest("b", ns="128")) == []  # unequal machines: no differences at all
