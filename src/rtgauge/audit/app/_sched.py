"""Parameters of SCHED_DEADLINE: only a system call tells them."""

from __future__ import annotations

import ctypes
import platform
import struct

from rtgauge.audit.app._observation import Reservation

NUMBERS = {"x86_64": 315, "aarch64": 275, "riscv64": 275}  # of sched_getattr
FORM = "=IIQiIQQQ"  # size, policy, flags, nice, priority, runtime, deadline, period


def reservation(tid: int) -> Reservation | None:
    """None where it cannot be asked."""
    number = NUMBERS.get(platform.machine())
    if number is None:
        return None
    buffer = ctypes.create_string_buffer(struct.calcsize(FORM))
    if ctypes.CDLL(None).syscall(number, tid, buffer, len(buffer), 0) != 0:
        return None
    *_, runtime, deadline, period = struct.unpack(FORM, buffer.raw)
    return Reservation(runtime, deadline, period)
