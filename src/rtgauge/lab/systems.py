"""What systems.toml says: boards, kernels and systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rtgauge._toml import read_toml
from rtgauge.registry import pick


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
    append: str  # that its kernels need
    clock: str
    source: str  # of interrupts, that our kernel module has there

    @property
    def ns_per_instruction(self) -> int:
        return 1 << self.shift

    @property
    def program(self) -> str:
        return f"qemu-system-{self.arch}"

    @property
    def package(self) -> str:
        """Of Debian and Ubuntu, that has the program."""
        return {"x86_64": "qemu-system-x86", "aarch64": "qemu-system-arm"}[self.arch]


@dataclass(frozen=True)
class System:
    name: str
    what: str
    kernel: str  # name of an entry of `kernels`; "": the user's own
    boards: tuple[str, ...]  # the first is taken where none is named
    append: str


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


@cache
def lab() -> Lab:
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
