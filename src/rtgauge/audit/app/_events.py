"""The text of kernel events as calls, faults, births, signals and pre-emptions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rtgauge.audit.app._observation import Call, Trace

LINE = re.compile(r".{1,16}-(\d+) +\[\d{3,}\] \S+ +(\d+)\.(\d{6}): (.*)")  # TASK-PID [CPU] FLAGS SECONDS: EVENT
ENTER = re.compile(r"sys_(\w+)\((.*)\)")
LEAVE = re.compile(r"sys_(\w+) -> 0x([0-9a-f]+)")
ARGUMENT = re.compile(r"\w+: (?:0x)?([0-9a-f]+)")
SWITCH = re.compile(r"prev_comm=.{0,15} prev_pid=(\d+) prev_prio=-?\d+ prev_state=(\S+) ==> "
                    r"next_comm=(.{0,15}) next_pid=(\d+) next_prio=-?\d+")  # fmt: skip
FAULT = re.compile(r"page_fault_user: address=(?:0x)?([0-9a-f]+)")
BIRTH = re.compile(r"task_newtask: pid=(\d+) comm=.{0,15} clone_flags=([0-9a-f]+)")
SIGNAL = re.compile(r"signal_deliver: sig=(\d+)")
CLONE_THREAD = 0x10000


@dataclass
class _Open:
    """A call whose end has not been met."""

    name: str
    args: tuple[int, ...]
    start: int
    slept: bool = False


@dataclass
class _Reader:
    """Events so far."""

    tids: set[int]  # threads of the program; grows with those that it starts
    calls: list[Call] = field(default_factory=list)
    open: dict[int, _Open] = field(default_factory=dict)
    faults: list[tuple[int, int]] = field(default_factory=list)
    births: list[tuple[int, int, bool]] = field(default_factory=list)
    signals: list[tuple[int, int]] = field(default_factory=list)
    preempted: list[tuple[int, str, int]] = field(default_factory=list)

    def close(self, tid: int, now: int, result: int | None) -> None:
        call = self.open.pop(tid, None)
        if call is not None:
            slept = now - call.start if call.slept else 0
            self.calls.append(Call(tid, call.name, call.args, result, slept, call.start))


def parse(text: str, lost: int, tids: Iterable[int], seconds: float) -> tuple[tuple[Call, ...], Trace]:
    """Calls in the order of their start, and the rest. Lines that are not of the form are passed over."""
    reader = _Reader(set(tids))
    first = last = count = 0
    for line in text.split("\n"):
        match = LINE.fullmatch(line.strip())
        if match is None or line.startswith("#"):
            continue
        now = int(match[2]) * 10**9 + int(match[3]) * 1000
        count += 1
        first, last = first or now, now
        _take(reader, int(match[1]), now, match[4])
    for tid in list(reader.open):
        reader.close(tid, last, None)
    calls = tuple(sorted(reader.calls, key=lambda call: call.start_ns))
    covered = (last - first) / 1e9 if lost else seconds
    faults, births = tuple(reader.faults), tuple(reader.births)
    return calls, Trace(count, lost, covered, faults, births, tuple(reader.signals), tuple(reader.preempted))


def _take(reader: _Reader, tid: int, now: int, event: str) -> None:
    if event.startswith("sched_switch:"):
        if match := SWITCH.search(event):
            _switch(reader, int(match[1]), match[2], match[3], int(match[4]))
    elif tid not in reader.tids:
        return  # a process that the program started
    elif match := ENTER.fullmatch(event):
        reader.close(tid, now, None)
        reader.open[tid] = _Open(match[1], _arguments(match[1], match[2]), now)
    elif match := LEAVE.fullmatch(event):
        value = int(match[2], 16)
        reader.close(tid, now, value - (1 << 64) if value >> 63 else value)
    elif match := FAULT.match(event):
        reader.faults.append((tid, int(match[1], 16)))
    elif match := BIRTH.match(event):
        thread = bool(int(match[2], 16) & CLONE_THREAD)
        reader.births.append((tid, int(match[1]), thread))
        if thread:
            reader.tids.add(int(match[1]))
    elif match := SIGNAL.match(event):
        reader.signals.append((tid, int(match[1])))


def _arguments(name: str, text: str) -> tuple[int, ...]:
    if name == "futex" and " op: " not in text:  # a kernel that writes it another way: better none than the wrong one
        return ()
    return tuple(int(each, 16) for each in ARGUMENT.findall(text))


def _switch(reader: _Reader, tid: int, state: str, other: str, other_tid: int) -> None:
    if tid not in reader.tids:
        return
    call = reader.open.get(tid)
    if state.startswith("R"):
        if call is None or call.name != "sched_yield":
            reader.preempted.append((tid, other, other_tid))
    elif call:
        call.slept = True
