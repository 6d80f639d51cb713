"""The virtual lab: a system in an emulator whose clock counts instructions. No privilege, no board, and figures that
are the same in each run, on any host."""

from __future__ import annotations

import contextlib
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rtgauge.errors import TargetError
from rtgauge.lab.address import Address, parse
from rtgauge.lab.defaults import in_a_guest
from rtgauge.lab.kernels import Ready, kernel_of
from rtgauge.lab.loads import GuestLoad, load_of
from rtgauge.lab.machine import digest, initial_files, kernel_line, machine_line, machine_words
from rtgauge.lab.modules import NAME, Module, module_of
from rtgauge.lab.own_modules import in_order, names_and_hashes, read_modules
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.loads import programs
from rtgauge.model import RunSpec
from rtgauge.targets import _guest
from rtgauge.targets._engine import DESCRIBE_S, Starts, find_engine
from rtgauge.targets._process import Exit
from rtgauge.targets._process import converse as converse_here
from rtgauge.targets.base import Description, Ending, Sink, Stop

SUMMARY = "a Linux kernel in exact virtual time, in QEMU"
EXAMPLE = "lab:linux-rt"
FREE = 1 << 29  # bytes of a guest's memory for samples and threads
ENGINE, INIT = "rtgauge-engine-static", "rtgauge-init"
SLOWNESS = 3.0  # an emulated second may take so many of the host's before a job counts as hung, and then SLACK_S
SLACK_S = 30.0
_LIST_BYTES = 16 << 20


def open_target(rest: str, _store: Path) -> LabTarget:
    return LabTarget(parse(rest))


@dataclass(frozen=True)
class LabTarget:
    address: Address
    storage: Storage | None = None  # None: the user's
    this_machine: bool = False

    @property
    def name(self) -> str:
        return self.address.name

    def describe(self) -> Description:
        from rtgauge.trace.events import RunBegun
        from rtgauge.trace.reader import Reader

        emulator, kernel = self._emulator, self._kernel  # what is missing is said before anything runs
        reader, names = Reader(keep_samples=False), [""]
        events = reader.feed(self._list())
        names += [event.engine for event in events if isinstance(event, RunBegun)]
        trace = reader.finish()
        if not trace.complete or not trace.descriptors:
            raise TargetError(f"the engine {self._path(ENGINE)} did not describe its tests: {trace.why}")
        source = self.address.board.source if self._module else None
        return Description(
            descriptors=tuple(in_a_guest(one, source) for one in trace.descriptors),
            engine=names[-1],
            engine_path=str(self._path(ENGINE)),
            engine_sha256=_sha256(self._program(ENGINE)),
            cpus=(0,),
            loads=trace.loads,
            programs=tuple(name for name, load in programs().items() if load.libraries),
            memory=FREE,
            virtual=self._identity(emulator, kernel),
        )

    def reserved(self) -> AbstractContextManager[None]:
        return contextlib.nullcontext()  # what else runs there changes nothing

    def run(
        self,
        spec: RunSpec,
        limits: Sequence[float],
        sink: Sink,
        stop: Stop,
        workspace: Path | None = None,  # noqa: ARG002 - a guest has files of its own
    ) -> Ending:
        watch, told, load = _guest.Watch(), _guest.Told(), self._load(spec)
        starts = Starts(
            engine=self._path(ENGINE),
            spec=replace(spec, live=False),  # whether somebody watches must not change what is measured
            limits=[SLOWNESS * limit + SLACK_S for limit in limits],
            sink=sink,
            stop=stop,
            workspace=None,
            converse=self._conversation(watch, told, load),
            now=watch.now,
        )
        ending = starts.until_done()
        lines = [line for line in told.console.splitlines() if line.strip()][-_guest.TAIL_LINES :]
        notes = [f"the guest's console: {line}" for line in lines] if ending.deaths or ending.why else []
        notes += [f"the first program began {ns / 1e9:.3f} virtual s after the kernel" for ns in told.boots_ns]
        return replace(ending, notes=(*ending.notes, *notes), loads=(load.report(told.loads),) if load else ())

    # ---- a boot -----------------------------------------------------------------------------------------------------

    def _conversation(
        self, watch: _guest.Watch, told: _guest.Told, load: GuestLoad | None = None
    ) -> Callable[[Path, bytes, Callable[[bytes], None], Callable[[], str | None], Stop, int, Path | None], Exit]:
        def converse(
            _engine: Path,
            request: bytes,
            take: Callable[[bytes], None],
            overdue: Callable[[], str | None],
            stop: Stop,
            most: int,
            _folder: Path | None,
        ) -> Exit:
            files = initial_files(self._program(INIT), self._program(ENGINE), request, self._loaded)
            contents = {"kernel": self._kernel.content, "initrd": (load.archive() if load else b"") + files}
            return _guest.converse(self._words, contents, watch, told, take, overdue, stop, most)

        return converse

    def _words(self, files: Mapping[str, str]) -> list[str]:
        return [self._emulator, *machine_words(self.address, files)]

    def _list(self) -> bytes:
        """What the engine says of itself, asked once: here where it can run here, else in a guest."""
        from rtgauge.trace.writer import encode_list_request

        name = _sha256(self._program(ENGINE))
        noted = self._storage.noted("lists", name)
        known = self._storage.get(str(noted.get("sha256"))) if noted else None
        if known is not None:
            return known
        chunks: list[bytes] = []
        watch, told = _guest.Watch(), _guest.Told()
        here = platform.machine() == self.address.board.arch
        converse = converse_here if here else self._conversation(watch, told)
        limit = DESCRIBE_S if here else 4 * DESCRIBE_S
        ended = converse(
            self._path(ENGINE), encode_list_request(), chunks.append, _within(limit), Stop(), _LIST_BYTES, None
        )
        if ended.status or ended.ours:
            raise TargetError(f"the engine {self._path(ENGINE)} {ended.what} and did not describe its tests")
        listed = b"".join(chunks)
        self._storage.note("lists", name, {"sha256": self._storage.put(listed)})
        return listed

    # ---- what it is made of -----------------------------------------------------------------------------------------

    @property
    def _storage(self) -> Storage:
        return self.storage or Storage(cache_root())

    @cached_property
    def _kernel(self) -> Ready:
        return kernel_of(self._storage, self.address, _say)

    @cached_property
    def _module(self) -> Module | None:
        """Sources of interrupts, for a kernel whose headers the distribution has."""
        if self.address.kernel is not None:
            return None
        try:
            return module_of(self._storage, self.address.board.arch, self._kernel.origin, _say)
        except TargetError as error:
            _say(f"without the kernel module, so with fewer sources of interrupts: {error}")
            return None

    @cached_property
    def _own(self) -> dict[str, bytes]:
        """The user's modules by name."""
        return read_modules(self.address.modules, self.address.board.arch)

    def _load(self, spec: RunSpec) -> GuestLoad | None:
        """The program that is to run beside the tests."""
        return load_of(self._storage, self.address.board.arch, spec.environment.get("load", ""), _say)

    @cached_property
    def _loaded(self) -> dict[str, bytes]:
        """All modules by name, in the order of loading."""
        ours = None if NAME in self._own or self._module is None else self._module.content
        return in_order(self._own, ours)

    @cached_property
    def _emulator(self) -> str:
        return emulator(self.address)

    def _path(self, name: str) -> Path:
        return guest_program(self.address.board.arch, name)

    def _program(self, name: str) -> bytes:
        return self._path(name).read_bytes()

    def _identity(self, emulator: str, kernel: Ready) -> dict[str, Any]:
        """All that the figures depend on beside the request, which is in the manifest as it is."""
        address = self.address
        found = {
            "ns_per_instruction": address.board.ns_per_instruction,
            "system": address.system.name,
            "board": address.board.name,
            "machine": machine_line(address),
            "command_line": kernel_line(address),
            "emulator": version(emulator),
            "qemu": _sha256(Path(emulator).read_bytes()),
            "kernel": kernel.sha256,
            "kernel_from": kernel.origin,
            "kernel_options": None if kernel.config is None else digest({"config": kernel.config}),
            "init": _sha256(self._program(INIT)),
            "engine": _sha256(self._program(ENGINE)),
            "module": _sha256(self._loaded[NAME]) if NAME in self._loaded else None,
            "own_modules": names_and_hashes(self._own),
            "replica": address.replica,
        }
        return {**found, "configuration": digest(found)}


def _say(text: str) -> None:
    print(f"rtgauge: {text}", file=sys.stderr)


def emulator(address: Address) -> str:
    """The path of QEMU for the board. TargetError where it is missing."""
    board = address.board
    path = shutil.which(board.program)
    if path is None:
        raise TargetError(
            f"{board.program} is missing, which emulates {board.name}: install the package {board.package}"
        )
    return str(Path(path).resolve())


def version(emulator: str) -> str:
    """The first line that QEMU says of itself."""
    try:
        done = subprocess.run([emulator, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TargetError(f"cannot start {emulator}: {error}") from error
    lines = done.stdout.splitlines()
    return lines[0].strip()[:200] if lines else ""


def guest_program(arch: str, name: str) -> Path:
    """The engine, or the first process, for guests of that processor. TargetError where it was not built."""
    here = platform.machine() == arch
    try:
        return find_engine(name if here else f"{arch}/{name}")
    except TargetError:
        compiler = "musl-tools" if here else "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
        raise TargetError(
            f"the engine for guests with a processor of {arch} is missing: install {compiler}, then rtgauge again"
        ) from None


def _sha256(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def _within(seconds: float) -> Callable[[], str | None]:
    import time

    until = time.monotonic() + seconds
    return lambda: f"gave no answer within {seconds:.0f} s" if time.monotonic() > until else None
