"""`--cpus reserved`: the CPU under test for the test alone, for as long as it runs.

Other tasks and movable interrupts are moved to the other CPUs; what cannot be moved is listed. Everything is put back,
whatever happens: by a guardian process when this one dies, by the next run or `rtgauge doctor` when both die.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rtgauge._reserve._groups import Group, group_for
from rtgauge._reserve._guardian import Guardian
from rtgauge._reserve._journal import FOLDER, NAME, BusyError, Journal, hold
from rtgauge._reserve._masks import to_list
from rtgauge._reserve._move import Moved, move_all
from rtgauge._reserve._seen import Look, look, seen_since
from rtgauge._reserve._undo import undo, write
from rtgauge.errors import TargetError, UsageError

__all__ = ["Reservation", "check", "left_behind", "outside", "recover", "reserving"]

_SYS_NICE = 23  # CAP_SYS_NICE
_PATIENCE_S = 5.0  # for the guardian of a run that was just killed
_BUSY = "another run has reserved a CPU of this machine: wait for it to end"


@dataclass
class Reservation:
    """A CPU that is reserved. `told` is what the run keeps of it, see docs/cpus.md."""

    cpu: int
    group: Group | None
    free: frozenset[int]  # where the thread that starts engines might run before
    moved: Moved
    begun: Look
    told: dict[str, Any] = field(default_factory=dict)

    def look(self) -> None:
        """Notes what has run on the CPU since the reservation began."""
        self.told["seen"] = seen_since(self.begun)


_current: list[Reservation] = []  # at most one in a process: the machine has one measurement at a time


def check(cpu: int) -> None:
    """Raises UsageError where `cpu` cannot be reserved, TargetError where we may not."""
    if len(_online()) < 2:
        raise UsageError(f"CPU {cpu} is the only one here: --cpus reserved needs another one for everybody else")
    if not _permitted():
        raise TargetError(
            "not permitted: --cpus reserved moves the tasks and interrupts of others, which takes root (CAP_SYS_NICE)"
        )


@contextlib.contextmanager
def reserving(cpu: int | None, folder: Path = FOLDER) -> Iterator[Reservation | None]:
    """Reserves `cpu` for the block; None: nothing. Raises TargetError where that is not possible. `folder`: of the
    journal."""
    if cpu is None:
        yield None
        return
    recover(folder)
    others = _online() - {cpu}
    group = group_for(f"rtgauge-{os.getpid()}")
    head = {"schema": 1, "cpu": cpu, "others": to_list(others), "process": os.getpid()}
    try:
        journal = Journal(folder, head)
    except BusyError:
        raise TargetError(_BUSY) from None
    except OSError as error:
        raise TargetError(f"CPU {cpu} cannot be reserved: {folder}: {error.strerror}") from error
    try:
        try:
            guardian = Guardian(journal.path, journal.handle)
        except (OSError, subprocess.SubprocessError) as error:
            journal.path.unlink(missing_ok=True)
            raise TargetError(f"CPU {cpu} cannot be reserved: {error}") from error
        reservation: Reservation | None = None
        try:
            free = frozenset(os.sched_getaffinity(0))
            moved = move_all(cpu, others, group, journal)
            reservation = Reservation(cpu, moved.group, free, moved, look(cpu), moved.told())
            _current.append(reservation)
            yield reservation
        finally:
            _current.clear()
            problems = guardian.end()
            if problems is None:  # it was killed
                problems = undo(journal.path)
            if reservation is not None:
                reservation.told["not_put_back"] = problems
    finally:
        journal.close()


@contextlib.contextmanager
def outside() -> Iterator[None]:
    """What the calling thread starts in the block may run on the reserved CPU as well; nothing where none is."""
    if not _current:
        yield
        return
    reservation, thread = _current[0], threading.get_native_id()
    now = frozenset(os.sched_getaffinity(0))
    if reservation.group is not None:
        write(f"{reservation.group.parent}/tasks", str(thread))
    else:
        os.sched_setaffinity(0, reservation.free)
    try:
        yield
    finally:
        if reservation.group is not None:
            write(f"{reservation.group.path}/tasks", str(thread))
        else:
            os.sched_setaffinity(0, now)


def left_behind(folder: Path = FOLDER) -> bool:
    """Whether there is something to put back: the journal of a run that was killed together with its guardian. Who may
    not read it cannot tell whether that run still goes on."""
    try:
        handle = os.open(folder / NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        return isinstance(error, PermissionError)
    try:
        hold(handle)
    except BusyError:
        return False
    finally:
        os.close(handle)
    return True


def recover(folder: Path = FOLDER) -> list[str] | None:
    """Puts back what a killed run left. None where there was nothing, else what could not be put back. Raises
    TargetError where a reservation is in force."""
    try:
        handle = os.open(folder / NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        hold(handle, _PATIENCE_S)
        if not (folder / NAME).exists():  # its guardian was just done
            return None
        return undo(folder / NAME)
    except BusyError:
        raise TargetError(_BUSY) from None
    except OSError as error:
        raise TargetError(f"what a killed run changed cannot be put back: {error}") from error
    finally:
        os.close(handle)


def _online() -> frozenset[int]:
    from rtgauge._reserve._masks import from_list

    try:
        return from_list(Path("/sys/devices/system/cpu/online").read_text("ascii"))
    except (OSError, ValueError):
        return frozenset(range(os.cpu_count() or 1))


def _permitted() -> bool:
    try:
        status = Path("/proc/self/status").read_text("utf-8", "replace").splitlines()
        caps = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff:"))
    except (OSError, StopIteration, ValueError):
        return False
    return os.geteuid() == 0 and bool(caps >> _SYS_NICE & 1)
