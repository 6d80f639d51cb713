"""Programs that an image is built with: which are missing, and the packages that have them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from rtgauge.errors import TargetError
from rtgauge.lab.commands import finished

CMAKE = (("cmake", "cmake"), ("ninja", "ninja-build"))  # and their packages of Debian and Ubuntu


@dataclass(frozen=True)
class Compiler:
    name: str
    version: str  # the first line that it says of itself


def compiler_of(name: str, package: str) -> Compiler:
    """TargetError, with what to install, where it or anything else that builds is missing."""
    wanted = [(name, package), *CMAKE]
    missing = [(program, owner) for program, owner in wanted if not shutil.which(program)]
    if missing:
        programs, packages = (", ".join(one) for one in zip(*missing, strict=True))
        raise TargetError(f"no image can be built: {programs} missing; install {packages.replace(',', '')}")
    done = finished([name, "--version"], 30.0, f"{name} does not say its version")
    return Compiler(name, (done.stdout.splitlines() or [name])[0].strip()[:200])
