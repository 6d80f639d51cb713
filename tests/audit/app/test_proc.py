"""Text of /proc, also as no kernel writes it."""

from __future__ import annotations

import pytest

from rtgauge.audit.app._around import cpus
from rtgauge.audit.app._calls import parse_syscall
from rtgauge.audit.app._proc import parse_areas, parse_limits, parse_maps, parse_memory, parse_stat, parse_status

FIELDS = [0] * 38
FIELDS[5], FIELDS[6], FIELDS[8], FIELDS[10], FIELDS[11] = 0x400000, 11, 3, 20, 5
FIELDS[16], FIELDS[18], FIELDS[36], FIELDS[37] = 4, 777, 80, 1
REST = "S " + " ".join(map(str, FIELDS)) + " 0 0\n"
SMAPS = """1000-3000 r-xp 00000000 08:01 12   /usr/bin/loop
Rss:                   8 kB
VmFlags: rd ex mr mw me lo
5000-9000 rw-p 00000000 00:00 0    [heap]
Rss:                  12 kB
VmFlags: rd wr mr mw me ac
f000-10000 rw-s 00000000 00:06 9   /dev/mem with spaces
Rss:                   4 kB
VmFlags: rd wr sh io pf
"""


@pytest.mark.parametrize("name", ["loop", "a) R 1 2 (b", "x\ny", "\x1b[2J", ""])
def test_a_name_may_hold_anything(name: str) -> None:
    stat = parse_stat(f"7 ({name}) {REST}")
    assert (stat.name, stat.state, stat.priority, stat.policy, stat.start) == (name, "S", 80, 1, 777)
    assert (stat.minor, stat.major, stat.cpu_ticks, stat.threads) == (11, 3, 25, 4)


@pytest.mark.parametrize("text", ["", "7", "7 (x", ")(", f"7 (x) {REST[:20]}", f"7 (x) {REST.replace('777', 'x')}"])
def test_what_is_no_stat_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"stat|invalid literal"):
        parse_stat(text)


def test_memory_takes_only_sizes() -> None:
    status = parse_status("Name:\tx: y\nVmLck:\t 8 kB\nVmRSS:\t-4 kB\nVmSwap:\tmuch\nVmData: 1 MB\n")
    assert parse_memory(status) == {"VmLck": 8192}


def test_limits() -> None:
    text = "Limit   Soft\nMax open files            1024                 4096                 files\nMax x   1\n"
    text += "Max realtime timeout      unlimited            unlimited            us        \n"
    assert parse_limits(text) == {"Max open files": ("1024", "4096"), "Max realtime timeout": ("unlimited",) * 2}


def test_mappings_know_what_is_locked_and_new() -> None:
    areas = parse_areas(SMAPS, {(0x1000, 0x3000), (0x5000, 0x6000)})
    assert [(area.name, area.locked, area.resident, area.fresh) for area in areas] == [
        ("/usr/bin/loop", True, 8192, 0),
        ("[heap]", False, 12288, 0x3000),
        ("/dev/mem with spaces", False, 4096, 0x1000),
    ]
    assert [area.lockable for area in areas] == [True, True, False]
    assert parse_maps(SMAPS) == {(0x1000, 0x3000), (0x5000, 0x9000), (0xF000, 0x10000)}
    assert parse_areas("garbage\nVmFlags: lo\nRss:\n"[:8], set()) == ()


def test_a_list_of_cpus_that_no_machine_has_is_refused() -> None:
    assert cpus("0-2,5") == (0, 1, 2, 5)
    with pytest.raises(ValueError, match="CPU list"):
        cpus("0-99999999999")


@pytest.mark.parametrize("text", ["running", "", "-1 0x0 0x0", "74", "x y z a b c d e", "99999 0 0 0 0 0 0 0 0"])
def test_a_thread_that_runs_is_in_no_call(text: str) -> None:
    assert parse_syscall(text, 5, "x86_64") is None


def test_a_call_is_named_where_its_number_is_known() -> None:
    line = "74 0x3 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f32"
    call = parse_syscall(line, 5, "x86_64")
    assert call
    assert (call.tid, call.name, call.args[0]) == (5, "fsync", 3)
    assert parse_syscall(line, 5, "vax") is None
