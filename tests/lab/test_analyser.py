"""The analyser's log, its place in the manifest, and its readings beside a guest's own."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.lab import plugin
from rtgauge.lab.address import parse, with_options
from rtgauge.lab.analyser import ENTRY, EXIT, FIRST, LAST, MAGIC, from_json, read_log, readings, to_json
from rtgauge.lab.storage import Storage
from rtgauge.model import Result, Samples

NS = 2  # an instruction
PROGRAM, MODULE = 0x401000, 0xFFFFFFFFC0201AD3


def log(records: Sequence[tuple[int, int]], lost: int = 0) -> bytes:
    head = struct.pack("<4Q", MAGIC, 1000, len(records), lost)
    return head + b"".join(struct.pack("<2Q", count, address) for count, address in records)


def interrupts(n: int = 40, begin: int = 1_000_000, seed: int = 1) -> list[list[int]]:
    """The four readings of each, some 120 000 instructions apart."""
    made, at, random = [], begin, np.random.default_rng(seed)
    for _ in range(n):
        at += 105_000 + int(random.integers(0, 32_768))
        took = int(random.integers(270, 310))
        made.append([at, at + took, at + took + 117, at + took + 117 + 450])
    return made


def log_of(marks: Sequence[Sequence[int]], *, lost: int = 0) -> bytes:
    where = (PROGRAM, MODULE, MODULE, PROGRAM)
    return log([(count, place) for each in marks for count, place in zip(each, where, strict=True)], lost)


def samples(start: npt.NDArray[Any], stop: npt.NDArray[Any], ns_per_tick: float = 1.0) -> Samples:
    raw = SimpleNamespace(start=start.astype(np.uint64), ticks=(stop - start).astype(np.int64))
    return cast(Samples, SimpleNamespace(raw=raw, n=len(start), scale=ns_per_tick))


def guest(marks: Sequence[Sequence[int]], places: tuple[int, int], since: int = 7_000_000) -> Samples:
    """What the guest saw of them, by a clock of 1 GHz."""
    of = np.array(marks)
    return samples(since + NS * of[:, places[0]], since + NS * of[:, places[1]])


def result(id_: str = "IRQ-P-LAT", **params: Any) -> Result:
    return cast(Result, SimpleNamespace(id=id_, params=params))


def told(lines: Sequence[Any]) -> dict[str, Any]:
    return {line.name: line.value for line in lines}


def analysed(marks: Sequence[Sequence[int]], **more: Any) -> Any:
    return from_json(to_json([read_log(log_of(marks, **more))], NS))


# ---- the log ---------------------------------------------------------------------------------------------------------


def test_an_interrupt_is_four_readings() -> None:
    marks = interrupts(3)
    assert read_log(log_of(marks, lost=2)).marks.tolist() == marks
    assert read_log(log_of(marks, lost=2)).lost == 2


def test_a_handler_may_read_the_clock_more_often_and_a_system_call_of_the_module_is_no_handler() -> None:
    records = [(10, PROGRAM), (20, MODULE), (25, MODULE), (30, MODULE), (40, PROGRAM)]
    records += [(50, PROGRAM), (60, MODULE), (70, PROGRAM)]
    assert read_log(log(records)).marks.tolist() == [[10, 20, 30, 40]]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\0" * 4096,
        struct.pack("<4Q", MAGIC, 1, 2, 0) + b"\0" * 32,
        log([(1, PROGRAM), (2, MODULE), (3, MODULE)]),
        log_of(interrupts(1))[:60],
    ],
)
def test_what_is_no_whole_interrupt_is_none(raw: bytes) -> None:
    assert len(read_log(raw).marks) == 0


def test_the_manifest_keeps_the_logs_of_all_boots_in_order() -> None:
    first, second = interrupts(5), interrupts(4, begin=50)
    content = to_json([read_log(log_of(first, lost=1)), read_log(b""), read_log(log_of(second))], NS)
    analysis = from_json(content)
    assert analysis.marks[:5].tolist() == first
    assert np.all(np.diff(analysis.marks.ravel()) > 0)
    assert np.diff(analysis.marks[5:], axis=0).tolist() == np.diff(np.array(second), axis=0).tolist()
    assert (analysis.lost, analysis.each_ns) == (1, NS)


@pytest.mark.parametrize("marks", ["no base64 at all!", "AAAA", "", 5])
def test_damaged_readings_are_refused(marks: object) -> None:
    with pytest.raises(ValueError, match=r"damaged|base64|[Pp]adding"):
        from_json({"marks": marks, "lost": 0, "ns_per_instruction": NS})


# ---- beside the guest's own ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id_", "places"), [("IRQ-P-LAT", (LAST, ENTRY)), ("IRQ-P-DLT", (EXIT, FIRST)), ("IRQ-P-TLT", (EXIT, FIRST))]
)
def test_equal_readings_do_not_differ(id_: str, places: tuple[int, int]) -> None:
    marks = interrupts()
    lines = told(readings(result(id_), guest(marks, places), analysed(marks)))
    took = np.diff(np.array(marks)[:, list(places)], axis=1)
    assert lines["analyser_interrupts"] == len(marks)
    assert (lines["analyser_difference_least"], lines["analyser_difference_most"]) == (0, 0)
    assert (lines["analyser_min"], lines["analyser_max"]) == (NS * took.min(), NS * took.max())
    assert "analyser_lost" not in lines


def test_what_the_guest_reads_otherwise_is_told_in_instructions() -> None:
    marks = interrupts()
    seen = guest(marks, (LAST, ENTRY))
    seen.raw.ticks[3] += 10
    seen.raw.ticks[7] -= 4
    lines = told(readings(result(), seen, analysed(marks, lost=9)))
    assert (lines["analyser_difference_least"], lines["analyser_difference_most"]) == (-2, 5)
    assert lines["analyser_lost"] == 9


def test_samples_that_the_guest_left_out_and_times_in_which_it_slept_do_not_confuse_it() -> None:
    marks = interrupts(60)
    seen = guest(marks, (LAST, ENTRY))
    start, ticks = seen.raw.start.astype(np.int64), seen.raw.ticks
    start[30:] += 123_456_789  # virtual time passes without an instruction
    keep = np.delete(np.arange(60), [4, 5, 40])
    lines = told(readings(result(), samples(start[keep], start[keep] + ticks[keep]), analysed(marks)))
    assert lines["analyser_interrupts"] == 57
    assert (lines["analyser_difference_least"], lines["analyser_difference_most"]) == (0, 0)


def test_tests_with_the_same_distances_are_told_apart_by_their_order() -> None:
    """Each test draws its due times anew from the same seed."""
    first = interrupts(20)
    second = [[count + 90_000_000 for count in each] for each in first]
    for each in second:
        each[FIRST] += 40
    analysis = analysed(first + second)
    readings(result("IRQ-P-DLT"), guest(first, (EXIT, FIRST)), analysis)
    lines = told(readings(result("IRQ-P-TLT"), guest(second, (EXIT, FIRST)), analysis))
    assert lines["analyser_interrupts"] == 20
    assert (lines["analyser_difference_least"], lines["analyser_difference_most"]) == (0, 0)


def test_interrupts_that_the_log_does_not_have_are_not_found() -> None:
    seen = guest(interrupts(seed=2), (LAST, ENTRY))
    assert told(readings(result(), seen, analysed(interrupts(seed=1)))) == {"analyser_interrupts": 0}
    assert told(readings(result(), seen, from_json(to_json([], NS)))) == {"analyser_interrupts": 0}


def test_other_tests_and_due_times_have_no_readings() -> None:
    marks = interrupts()
    seen = guest(marks, (LAST, ENTRY))
    assert readings(result("TMR-P-CYC"), seen, analysed(marks)) == ()
    assert readings(result(), None, analysed(marks)) == ()
    (line,) = readings(result(**{"from": "due"}), seen, analysed(marks))
    assert str(line.value).startswith("not supported: ")


# ---- the address, and the plugin ------------------------------------------------------------------------------------


def test_the_address_asks_for_it_and_its_name_does_not() -> None:
    assert parse("linux-rt?analyser=on").analyser
    assert not parse("linux-rt?analyser=off").analyser
    assert parse("linux-rt?analyser=on").name == parse("linux-rt").name
    assert parse(with_options("lab:linux-rt?analyser=on", replica=2).partition(":")[2]).analyser
    with pytest.raises(UsageError, match="analyser is on or off, got 'yes'"):
        parse("linux-rt?analyser=yes")


def quiet(_text: str) -> None:
    pass


def test_without_a_compiler_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing: Callable[[str], None] = lambda _name: None  # noqa: E731 - of the type that is replaced
    monkeypatch.setattr(shutil, "which", missing)
    with pytest.raises(TargetError, match="the analyser cannot be built: no cc or gcc or clang"):
        plugin.plugin_of(Storage(tmp_path), "qemu", quiet)


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_an_emulator_that_takes_no_plugins_is_named(tmp_path: Path) -> None:
    refuses = tmp_path / "qemu"
    refuses.write_text("#!/bin/sh\necho 'qemu: -plugin: invalid option' >&2\nexit 1\n")
    refuses.chmod(0o755)
    with pytest.raises(TargetError, match="takes no plugin of ours: qemu: -plugin: invalid option"):
        plugin.plugin_of(Storage(tmp_path), str(refuses), quiet)


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_it_is_built_once_and_this_qemu_takes_it(tmp_path: Path) -> None:
    qemu = shutil.which("qemu-system-x86_64")
    if qemu is None:
        pytest.skip("no emulator here: apt-get install qemu-system-x86")
    said: list[str] = []
    first = plugin.plugin_of(Storage(tmp_path), qemu, said.append)
    made = first.stat().st_mtime_ns
    assert plugin.plugin_of(Storage(tmp_path), qemu, said.append) == first
    assert first.stat().st_mtime_ns == made
    assert said == ["building the analyser, once"]
