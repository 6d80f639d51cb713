"""The beginning of the memory that a guest shares with us: engine/guest/shared.h. Not to be trusted."""

from __future__ import annotations

import struct
from dataclasses import dataclass

MAGIC = 0x3149544755414752
TRACE_AT = 4096
BOOTS, MEASURES, ENDED = 0, 1, 2
OUTPUT = 2048  # bytes
_FORM = struct.Struct(f"<6QiI2Q 2QiI {OUTPUT}s")
SIZE = _FORM.size


@dataclass(frozen=True)
class Header:
    state: int = BOOTS
    status: int = 0  # of the engine; negative: the signal that ended it
    tail: int = 0  # bytes of the trace that are there
    dropped: int = 0  # and that there was no room for
    begun_ns: int = 0  # since the kernel began
    ended_ns: int = 0
    idle_ns: int = 0  # in which the guest's processor had nothing to do between those two, in steps of 10 ms
    modules: int = 0  # of the kernel that were at work before the first test
    load_begun_ns: int = 0  # 0: there is no load that is a program
    load_rounds: int = 0  # that came to their end
    load_status: int = 0  # of the last one, as a shell says it
    load_output: str = ""

    @property
    def busy_ns(self) -> int:
        """Virtual time in which instructions were executed: what takes the host's time. 0 while it is not known."""
        return max(0, self.ended_ns - self.begun_ns - self.idle_ns) if self.state == ENDED else 0


def read_header(raw: bytes, room: int) -> Header:
    """What the guest says by now; what cannot be is taken as nothing. `room`: bytes of the memory."""
    if len(raw) < SIZE:
        return Header()
    magic, _, begun, ended, tail, dropped, status, state, idle, modules, *of_load = _FORM.unpack_from(raw)
    load_begun, rounds, load_status, written, output = of_load
    if magic != MAGIC or state > ENDED or tail > room - TRACE_AT:
        return Header()
    wrote = output[:written].decode("utf-8", "replace")
    return Header(state, status, tail, dropped, begun, ended, idle, modules, load_begun, rounds, load_status, wrote)
