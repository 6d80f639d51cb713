"""Addresses of FreeRTOS, on a board and on this machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rtgauge.errors import UsageError
from rtgauge.lab.address import parse, parse_here, with_options
from rtgauge.lab.machine import attached_line, board_words, machine_line, platform_words


def test_an_address_is_read_and_written_again() -> None:
    text = with_options("lab:freertos@virt-a53?config=configB=2&config=configA=(1)", freertos="/my kernel", replica=3)
    found = parse(text.partition(":")[2])
    assert (found.kernel, found.replica) == (Path("/my kernel"), 3)
    assert found.config == (("configA", "(1)"), ("configB", "2"))
    again = parse(found.name.partition(":")[2])
    assert (again.kernel, again.config, again.replica) == (found.kernel, found.config, 0)


def test_the_order_of_options_makes_no_other_system_and_the_last_of_a_name_counts() -> None:
    names = {parse(f"freertos?config={text}").name for text in ("configA=1,configB=2", "configB=2,configA=9,configA=1")}
    assert names == {"lab:freertos@mps2-an385?config=configA=1,configB=2"}


def test_each_system_takes_its_own_kernel_when_both_are_measured() -> None:
    given = {"kernel": "/linux/Image", "append": "quiet", "freertos": "/freertos"}
    assert "kernel=/freertos" in with_options("lab:freertos", **given)
    assert "append" not in with_options("lab:freertos", **given)
    assert "kernel=/linux/Image&append=quiet" in with_options("lab:linux-rt", **given)
    assert with_options("posix:freertos", freertos="/freertos") == "posix:freertos?kernel=/freertos"
    with pytest.raises(UsageError, match="--freertos-kernel and --replicas are for targets of the lab, not for local"):
        with_options("local", freertos="/freertos")


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        ("freertos@q35", "legal are mps2-an385, virt-a53, virt-rv64"),
        ("freertos?append=quiet", "legal are kernel, config, replica"),
        ("freertos?config=configTICK_RATE_HZ", "config takes NAME=VALUE"),
        ("freertos?config=TICK=1", "config takes NAME=VALUE"),
        ("freertos?config=configA=1;configB=2", "config takes NAME=VALUE"),
        ("freertos?config=configA=$ENV{HOME}", "config takes NAME=VALUE"),
        ("freertos?config=" + ",".join(f"configA{n}=1" for n in range(70)), "64 options of FreeRTOS are the most"),
        ("freertos?replica=x", "a number from 0"),
    ],
)
def test_a_wrong_address_names_what_is_legal(rest: str, what: str) -> None:
    with pytest.raises(UsageError, match=re.escape(what)):
        parse(rest)


def test_the_simulator_is_on_this_machine() -> None:
    found = parse_here("freertos?config=configTICK_RATE_HZ=100")
    assert (found.name, found.board.ns_per_instruction) == ("posix:freertos?config=configTICK_RATE_HZ=100", 0)
    for rest, what in (
        ("", "simulates one system"),
        ("linux", "simulates one system"),
        ("freertos?replica=1", "no replicas"),
    ):
        with pytest.raises(UsageError, match=what):
            parse_here(rest)


def test_both_worlds_have_the_same_machine_on_the_same_board() -> None:
    linux, freertos = parse("linux-rt@virt-a53"), parse("freertos@virt-a53")
    assert machine_line(linux) == machine_line(freertos)
    assert platform_words(linux.board) == platform_words(freertos.board)
    assert attached_line(linux) != attached_line(freertos)
    assert "virtualization=on" in attached_line(freertos)


def test_the_words_of_a_board_make_time_count_instructions() -> None:
    words = " ".join(board_words(parse("freertos@mps2-an385"), "/x/image"))
    for part in ("-icount shift=7,sleep=off", "-seed 1", "clock=vm", "-serial none", "-kernel /x/image", "-smp 1"):
        assert part in words
    assert "-semihosting-config enable=on,target=native" in words
