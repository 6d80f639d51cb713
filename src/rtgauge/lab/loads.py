"""Loads that are programs, in a guest: what is sent along, and what they did there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rtgauge.errors import UsageError
from rtgauge.lab.programs import Program, program_of
from rtgauge.lab.shared import Header
from rtgauge.lab.storage import Storage
from rtgauge.loads import programs
from rtgauge.loads.base import HostLoad
from rtgauge.loads.running import report
from rtgauge.model import LoadReport


@dataclass(frozen=True)
class GuestLoad:
    load: HostLoad
    program: Program

    def archive(self) -> bytes:
        """The part of the guest's initial file system that has it run."""
        return self.program.archive(self.load.guest_args)

    def report(self, boots: Sequence[Header]) -> LoadReport:
        """What it did, in virtual time. A guest that did not come to its end did not say it."""
        told = [one for one in boots if one.ended_ns > one.load_begun_ns]
        took = sum(one.ended_ns - one.load_begun_ns for one in told) / 1e9
        rounds = sum(one.load_rounds for one in told)
        said = {
            "rounds": rounds,
            "output": next((one.load_output for one in reversed(told) if one.load_output), ""),
            "status": next((one.load_status for one in told if one.load_status), 0),
        }
        args = f"{' '.join(self.load.guest_args)} on CPU 0"
        return report(self.load, args, self.program.version, said if told else {}, took)


def load_of(storage: Storage, arch: str, environment: str, say: Callable[[str], None]) -> GuestLoad | None:
    """The program among the loads of an environment ("cpu+hackbench"); None where there is none. TargetError where it
    cannot be had."""
    known = programs()
    named = [known[name] for name in environment.split("+") if name in known]
    if len(named) > 1:
        raise UsageError(f"a guest runs one program as a load, not {' and '.join(one.name for one in named)}")
    for load in named:
        return GuestLoad(load, program_of(storage, arch, load.program, load.package, load.libraries, say))
    return None
