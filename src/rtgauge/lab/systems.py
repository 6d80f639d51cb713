"""What systems.toml says: boards, kernels and systems."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rtgauge._toml import read_toml
from rtgauge.registry import pick

PACKAGES = {
    "x86_64": "qemu-system-x86",
    "aarch64": "qemu-system-arm",
    "arm": "qemu-system-arm",
    "riscv64": "qemu-system-misc",
}
LINUX, FREERTOS = "linux", "freertos"
PROTECTS: Mapping[str, Mapping[str, str]] = {
    LINUX: {
        "memory_protection": "programs have memory of their own, and cannot reach the kernel's",
        "user_mode": "programs have fewer rights than the kernel, and enter it by a trap",
    },
    FREERTOS: {
        "memory_protection": "none: tasks and kernel are one program in one memory",
        "user_mode": "none: tasks have all rights, and call the kernel as a function",
    },
}
"""What an OS protects against, in the way in which it runs in the lab: what it takes is part of its figures."""


@dataclass(frozen=True)
class Board:
    """What QEMU emulates, always with one processor: two are not deterministic everywhere."""

    name: str
    what: str
    arch: str  # as Linux calls it
    machine: str
    cpu: str
    devices: str  # words of QEMU's command line
    memory_mb: int
    shift: int
    clock: str
    append: str = ""  # that a Linux kernel needs
    early_console: str = ""  # more of these, for one that is silent
    source: str = ""  # of interrupts, that our kernel module has there
    image_words: str = ""  # of QEMU's command line, for systems that are linked with the engine
    image_source: str = ""  # of interrupts, that these have
    compiler: str = ""  # for these; "": there are none for this board
    compiler_package: str = ""  # of Debian and Ubuntu

    @property
    def ns_per_instruction(self) -> int:
        """0: time is real."""
        return 1 << self.shift if self.machine else 0

    @property
    def program(self) -> str:
        return f"qemu-system-{self.arch}"

    @property
    def package(self) -> str:
        """Of Debian and Ubuntu, that has the program."""
        return PACKAGES[self.arch]


def simulator() -> Board:
    """This machine, on which FreeRTOS's own simulator runs as a program."""
    return Board(
        name="posix",
        what="FreeRTOS's simulator on this machine",
        arch=platform.machine(),
        machine="",
        cpu="",
        devices="",
        memory_mb=32,
        shift=0,
        clock="",
        compiler="cc",
        compiler_package="gcc",
    )


@dataclass(frozen=True)
class System:
    name: str
    what: str
    kernel: str  # name of an entry of `kernels`; "": the user's own
    boards: tuple[str, ...]  # the first is taken where none is named
    append: str
    os: str = LINUX
    file: Path | None = None  # the kernel, of a system of the user's own
    config: Path | None = None  # the options that it was built with


@dataclass(frozen=True)
class Lab:
    boards: Mapping[str, Board]
    kernels: Mapping[str, Mapping[str, tuple[str, ...]]]  # name, architecture: patterns of packages
    systems: Mapping[str, System]

    def system(self, name: str) -> System:
        """UsageError, with the legal names, where there is none."""
        return pick("lab system", name, self.systems)

    def board(self, system: System, name: str = "") -> Board:
        """The board of that name, or the first of the system. UsageError names those that the system runs on."""
        legal = {one: self.boards[one] for one in system.boards}
        return pick(f"board of {system.name}", name or system.boards[0], legal)


def lab() -> Lab:
    """What is shipped, and the systems of the user's own file. UsageError where that is wrong."""
    from rtgauge.lab.own_systems import own_file, own_systems

    return replace(shipped(), systems={**shipped().systems, **own_systems(own_file())})


@cache
def shipped() -> Lab:
    content = read_toml(Path(__file__).with_name("systems.toml"), "the list of the lab's systems")
    return Lab(
        boards={name: Board(name=name, **entry) for name, entry in content["boards"].items()},
        kernels={
            name: {arch: tuple(patterns) for arch, patterns in entry.items()}
            for name, entry in content["kernels"].items()
        },
        systems={
            name: System(name=name, **{**entry, "boards": tuple(entry["boards"])})
            for name, entry in content["systems"].items()
        },
    )
