"""The contract of a load that is a program: of this machine, or, from its package, of a guest of the lab."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from rtgauge.errors import TargetError

_VERSION_S = 5.0


@dataclass(frozen=True)
class HostLoad:
    """A program that is started again and again, or once and until it is interrupted. It runs in the normal class on
    the CPUs that loads may use, in a folder of its own, and ends with us whatever happens."""

    name: str
    program: str
    package: str  # of Debian and Ubuntu, that has the program
    what: str
    degree: str
    unit: str  # what `count` counts
    args: Callable[[int], tuple[str, ...]]  # for so many CPUs
    count: Callable[[str], int]  # from what the program wrote until it ended
    endless: bool = False  # runs until it is interrupted, and then says what it did
    version: tuple[str, ...] = ("--version",)  # arguments that make it say its version
    instead: str = ""  # what to use where it is missing
    guest_args: tuple[str, ...] = ()  # in a guest
    libraries: tuple[str, ...] = ()  # packages that have all that it needs, where a guest can run it; none: it cannot

    def missing(self) -> str | None:
        """What must be installed, or None."""
        if shutil.which(self.program):
            return None
        instead = f", or use {self.instead}" if self.instead else ""
        return f"the program {self.program} is missing: install the package {self.package}{instead}"

    def require(self) -> None:
        missing = self.missing()
        if missing:
            raise TargetError(f"load {self.name}: {missing}")

    def version_line(self) -> str:
        """The first line that the program says of itself, "" when it says nothing."""
        try:
            done = subprocess.run(
                [self.program, *self.version],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_VERSION_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        lines = (done.stdout or done.stderr).strip().splitlines()
        return lines[0].strip()[:200] if lines else ""
