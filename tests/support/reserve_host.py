"""A program that reserves a CPU and is killed: `python reserve_host.py CPU group|affinity [SECONDS]`.

It says `reserved ID`, where ID is its guardian's, and starts a child that outlives it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import rtgauge._reserve as reserve
from rtgauge._reserve import _guardian


def main(cpu: str, how: str, seconds: str = "60") -> None:
    if how == "affinity":
        reserve.group_for = lambda _name: None  # type: ignore[attr-defined]
    made: list[_guardian.Guardian] = []

    class Noted(_guardian.Guardian):
        def __init__(self, journal: Path, lock: int) -> None:
            super().__init__(journal, lock)
            made.append(self)
            sys.stdout.write(f"guardian {self.id}\n")
            sys.stdout.flush()

    reserve.Guardian = Noted  # type: ignore[misc,attr-defined]
    with reserve.reserving(int(cpu)):
        child = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL)
        sys.stdout.write(f"child {child.pid}\nreserved\n")
        sys.stdout.flush()
        time.sleep(float(seconds))
    sys.stdout.write("released\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
