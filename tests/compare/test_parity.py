"""What has to be equal before systems are ranked against each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge.compare import align
from rtgauge.compare.parity import BUILT_IN, Rules, judge, read
from rtgauge.compare.values import Column
from rtgauge.errors import UsageError
from tests.compare.columns import references

SAME = {"time": "real", "processor": "A", "tick": "1 ms", "preemption model": "PREEMPT_RT"}


def column(name: str, **settings: str | None) -> Column:
    told = {**SAME, **{key.replace("_", " "): value for key, value in settings.items()}}
    return Column(name, "run", {key: value for key, value in told.items() if value is not None}, {})


def groups(*columns: Column, rules: Rules | None = None, across: bool = False) -> tuple[tuple[int, ...], ...]:
    return judge(columns, rules or Rules(), across).groups


def test_equal_systems_are_ranked() -> None:
    made = judge([column("a"), column("b", OS="another", compiler="another")])
    assert (made.groups, made.drifts, made.unknown, made.refused) == (((0, 1),), (), (), False)


@pytest.mark.parametrize("name", BUILT_IN)
def test_each_setting_of_the_built_in_list_counts(name: str) -> None:
    other = column("b", **{name.replace(" ", "_"): "another"})
    made = judge([column("a"), other, column("c")])
    assert [one.name for one in made.drifts] == [name]
    assert made.groups == ((0, 2), (1,))
    assert made.grounds == (0, 1, 0)
    assert not judge([column("a"), other], across=True).refused


def test_what_is_not_known_is_told_and_counts_as_equal() -> None:
    made = judge([column("a"), column("b", tick=None)])
    assert (made.refused, [one.name for one in made.unknown]) == (False, ["tick"])
    assert judge([column("a", processor="not printed (64-bit)"), column("b", processor="not printed")]).drifts == ()


def test_what_is_not_known_joins_only_where_one_group_fits() -> None:
    known = column("a", tick="1 ms"), column("b", tick="10 ms")
    assert groups(*known, column("c", tick=None)) == ((0,), (1,), (2,))
    assert groups(column("c", tick=None, processor="X"), *known, column("d", processor="X")) == ((0, 3), (1,), (2,))


def test_machines_are_not_equal_because_one_says_too_little() -> None:
    one, other = column("a", processor=None, platform="here"), column("b", platform="there")
    assert groups(one, other) == ((0,), (1,))
    assert groups(one, column("b", platform="here")) == ((0, 1),)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [("1 ms", "1.0003 ms", True), ("1 ms", "1000 us", True), ("1 ms", "1.2 ms", False), ("1 ms", "odd", False)],
)
def test_a_measured_tick_has_two_digits(one: str, other: str, equal: bool) -> None:
    assert judge([column("a", tick=one), column("b", tick=other)]).refused is not equal


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("PREEMPT_RT", "Fully Preemptible Kernel (real-time)", True),
        ("PREEMPT", "full pre-emption (PREEMPT), not PREEMPT_RT", True),
        ("full (PREEMPT_DYNAMIC), not PREEMPT_RT", "PREEMPT_DYNAMIC", True),  # not looked at in one run
        ("PREEMPT_RT", "PREEMPT_DYNAMIC", False),
        ("No Forced Preemption (server)", "voluntary: the kernel is not PREEMPT_RT", False),
        ("PREEMPT_RT", "PREEMPT", False),
    ],
)
def test_preemption_models_by_any_name(one: str, other: str, equal: bool) -> None:
    assert judge([column("a", preemption_model=one), column("b", preemption_model=other)]).refused is not equal


def test_virtual_time_depends_on_all_that_the_run_says() -> None:
    def virtual(name: str, **settings: str) -> Column:
        return column(name, **{"time": "virtual", "engine": "e1", "virtual_qemu": "q1", **settings})

    assert groups(virtual("a"), virtual("b")) == ((0, 1),)
    assert [one.name for one in judge([virtual("a"), virtual("b", virtual_qemu="q2")]).drifts] == ["virtual qemu"]
    files = [virtual(name, virtual_emulator_files=f"pvh.bin:{name}") for name in "ab"]
    assert [one.name for one in judge(files).drifts] == ["virtual emulator files"]
    assert [one.name for one in judge([virtual("a"), virtual("b", engine="e2")]).drifts] == ["engine"]
    assert groups(column("a", engine="e1"), column("b", engine="e2")) == ((0, 1),)  # real time is that of any engine


def test_a_file_names_what_must_be_equal(tmp_path: Path) -> None:
    file = tmp_path / "parity.toml"
    file.write_text('equal = ["assertions", "load"]\n')
    rules = read(file)
    assert (rules.names, rules.strict) == (("assertions", "load"), True)
    alike = column("a", load="none", assertions="off"), column("b", load="none", assertions="off", tick="9 ms")
    assert groups(*alike, rules=rules) == ((0, 1),)
    assert groups(*alike, column("c", load="none", assertions="on"), rules=rules) == ((0, 1), (2,))
    unknown = column("c", load="none"), column("d", load="none")
    assert groups(*alike, *unknown, rules=rules) == ((0, 1), (2,), (3,))  # not known is like nothing else
    file.write_text('equal = ["assertions"]\nunknown = "equal"\n')
    assert groups(*alike, *unknown, rules=read(file)) == ((0, 1, 2, 3),)
    virtual = column("v", time="virtual", assertions="off")
    assert groups(alike[0], virtual, rules=read(file)) == ((0,), (1,))  # that always counts


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("equal = 3", "equal must be a list of settings"),
        ("equal = []", "equal must be a list of settings"),
        ("equal = [1]", "equal must be a list of settings"),
        ("", "equal must be a list of settings"),
        ('equal = ["tick"]\nunknown = "no"', 'unknown must be "differs" or "equal"'),
        ('same = ["tick"]', "unknown key 'same': legal are equal, unknown"),
        ("equal = [", "is not TOML"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "parity.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as error:
        read(file)
    assert str(error.value).startswith(str(file))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read(tmp_path / "nothing")


def test_settings_that_nobody_knows() -> None:
    with pytest.raises(UsageError, match=r"unknown setting 'tik': did you mean tick\? legal are "):
        judge([column("a"), column("b")], Rules(("tik",)))
    assert judge([column("a", odd="1"), column("b")], Rules(("odd",), strict=True)).refused


def test_published_systems_of_several_machines() -> None:
    made = align(references("ce7@atom-z530", "linux-2.6.33.7.2-rt30", "lynxos-3.0.1"))
    assert made.parity.groups == ((0, 1), (2,))
    best = {place for row in made.rows for found in row.best.values() for place in found}
    assert best == {0, 1}
