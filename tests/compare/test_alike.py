"""What has to be alike beside the settings that rank: samples, and the parts of a guest."""

from __future__ import annotations

from dataclasses import replace

from rtgauge.compare.align import align
from rtgauge.compare.alike import parts
from rtgauge.compare.values import Column
from tests.compare.columns import content, measured_column
from tests.compare.test_align import switch


def guest(name: str, module: str, kernel: str = "k1", init: str = "i1") -> Column:
    told = {"virtual module": module, "virtual kernel": kernel, "virtual init": init, "time": "virtual"}
    column = measured_column(name, [switch(1000.0)])
    return replace(column, configuration={**column.configuration, **told})


def test_unlike_numbers_of_samples_are_told() -> None:
    made = align([measured_column("a", [switch(1000.0, n=250)]), measured_column("b", [switch(1000.0, n=100_000)])])
    (note,) = made.notes
    assert note.startswith("1 of 1 results have more than twice as many samples on one system as on another (profile: ")
    assert align([measured_column("a", [switch(1.0, n=250)]), measured_column("b", [switch(1.0, n=300)])]).notes == ()


def test_profile_and_samples_are_settings() -> None:
    from rtgauge.compare.configuration import configuration

    told = configuration(content(switch(1.0, n=250), switch(2.0, n=100)), {"profile": "quick"}, 1)
    assert (told["profile"], told["samples"]) == ("quick", "350 in 2 results")


def test_several_builds_of_a_module_for_one_kernel_are_told() -> None:
    columns = [guest("none", "m1"), guest("voluntary", "m1"), guest("full", "m2"), guest("rt", "m3", "k2")]
    assert list(parts(columns)) == [
        "Several builds of the module on the same kernel: m1 for none, voluntary; m2 for full. "
        "What differs between these is not due to kernels and command lines alone."
    ]
    assert next(one.text for one in align(columns).conclusion if one.rule == "changes").startswith("Several builds of")
    assert list(parts([guest("a", "m1"), guest("b", "m3", "k2")])) == []  # each kernel needs its own
    assert "init: i1 for a; i2 for b" in next(parts([guest("a", "m1"), guest("b", "m1", init="i2")]))
