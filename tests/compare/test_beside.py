"""What stands beside figures in virtual time, and what the times of a simulator are worth."""

from __future__ import annotations

from rtgauge.compare.align import align
from rtgauge.compare.beside import beside
from rtgauge.compare.configuration import configuration
from rtgauge.compare.values import Column, Figure, Key

SAFE, OPEN = "programs have memory of their own", "none: one program"


def column(
    name: str, ns: str | None = "2", protection: str | None = None, time: str = "virtual", **more: str
) -> Column:
    told = {"virtual ns per instruction": ns, "memory protection": protection, "time": time, **more}
    figures = (Figure("avg", "10", "ns", values=(10.0,)),)
    return Column(
        name, "run", {name: text for name, text in told.items() if text is not None}, {Key("THR-P-SLS"): figures}
    )


def test_the_unit_of_virtual_time_is_told() -> None:
    (line,) = beside([column("a"), column("b")])
    assert line.startswith("virtual time counts instructions, each of which takes 2 ns")
    assert list(beside([column("a"), column("b", "128")])) == [
        "a: an instruction takes 2 ns",
        "b: an instruction takes 128 ns",
    ]
    assert list(beside([column("a", None, time="real")])) == []


def test_what_one_protects_against_and_another_does_not_is_told_of_both() -> None:
    told = list(beside([column("linux", protection=SAFE), column("freertos", protection=OPEN)]))
    assert told[1:] == [f"memory protection of linux: {SAFE}", f"memory protection of freertos: {OPEN}"]
    assert len(list(beside([column("a", protection=SAFE), column("b", protection=SAFE)]))) == 1
    assert (
        f"memory protection of freertos: {OPEN}"
        in align([column("linux", protection=SAFE), column("freertos", protection=OPEN)]).notes
    )


def test_no_difference_is_told_to_a_simulator() -> None:
    made = align([column("machine", None, time="real"), column("simulator", None, time="simulated")])
    assert made.differences == ()
    assert "the times of a simulator say nothing, so no differences are told" in made.notes[0]
    assert [setting.name for setting in made.parity.drifts] == ["time"]


def test_options_that_a_system_was_built_with_are_settings() -> None:
    facts = {"os": "FreeRTOS", "simulator": "yes", "freertos.configASSERT": 0, "freertos.configTICK_RATE_HZ": 100}
    told = configuration({"system": {"facts": facts}}, {}, 1)
    assert (told["configASSERT"], told["assertions"], told["configTICK_RATE_HZ"]) == ("0", "none", "100")
    assert told["time"] == "simulated"
    virtual = {"processor": "cortex-a53", "memory_protection": OPEN, "user_mode": "none", "board": "virt-a53"}
    told = configuration({"system": {"facts": facts}}, {"virtual": virtual}, 1)
    assert (told["processor"], told["memory protection"], told["user mode"]) == ("cortex-a53", OPEN, "none")
    assert told["virtual board"] == "virt-a53"
    assert "virtual processor" not in told
