"""A Linux kernel in a guest of the lab, with the engine as its only program."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rtgauge.errors import TargetError
from rtgauge.lab.address import Address
from rtgauge.lab.analyser import to_json
from rtgauge.lab.defaults import in_a_guest
from rtgauge.lab.kernels import Ready, kernel_of
from rtgauge.lab.loads import GuestLoad, load_of
from rtgauge.lab.machine import attached_line, digest, initial_files, kernel_line, machine_line, machine_words
from rtgauge.lab.modules import NAME, Module, module_of
from rtgauge.lab.own_modules import in_order, names_and_hashes, read_modules
from rtgauge.lab.plugin import plugin_of, plugin_words
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.lab.systems import PROTECTS
from rtgauge.loads import programs
from rtgauge.model import RunSpec
from rtgauge.targets import _emulator, _guest
from rtgauge.targets._emulator_files import emulator_files, file_hash, version
from rtgauge.targets._engine import DESCRIBE_S, Starts, find_engine
from rtgauge.targets._lab import LIST_BYTES, SLACK_S, SLOWNESS, emulator, say, sha256, within
from rtgauge.targets._lab_clock import by_board_clock
from rtgauge.targets._process import Exit
from rtgauge.targets._process import converse as converse_here
from rtgauge.targets.base import Description, Ending, Sink, Stop

FREE = 1 << 29  # bytes of a guest's memory for samples and threads
ENGINE, INIT = "rtgauge-engine-static", "rtgauge-init"


@dataclass(frozen=True)
class GuestTarget:
    address: Address
    storage: Storage | None = None  # None: the user's
    this_machine: bool = False
    exact: bool = True

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
        source = self.address.board.source if NAME in self._loaded else None  # whoever built it
        return Description(
            descriptors=tuple(in_a_guest(one, source) for one in trace.descriptors),
            engine=names[-1],
            engine_path=str(self._path(ENGINE)),
            engine_sha256=sha256(self._program(ENGINE)),
            cpus=(0,),
            loads=trace.loads,
            programs=tuple(name for name, load in programs().items() if load.libraries),
            memory=FREE,
            virtual=self._identity(emulator, kernel),
            kernel_config=kernel.config,
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
        watch, told, load = _emulator.Watch(), _guest.Told(), self._load(spec)
        plugin, unwatched = self._plugin()
        starts = Starts(
            engine=self._path(ENGINE),
            spec=replace(spec, live=False),  # whether somebody watches must not change what is measured
            limits=[SLOWNESS * limit + SLACK_S for limit in limits],
            sink=sink,
            stop=stop,
            workspace=None,
            converse=by_board_clock(self._conversation(watch, told, load, plugin)),
            now=watch.now,
        )
        ending = starts.until_done()
        notes = [f"the guest's first process: {line}" for line in dict.fromkeys(told.said)]
        notes += self._of_console(told, [*(death.reason for death in ending.deaths), ending.why or ""])
        notes += [f"the first program began {ns / 1e9:.3f} virtual s after the kernel" for ns in told.boots_ns]
        notes += [f"tests and loads took {told.busy_ns / 1e9:.2f} busy virtual s"] if told.busy_ns else []
        taken = self._taken(told)
        return replace(
            ending,
            notes=(*ending.notes, *notes),
            loads=(load.report(told.loads),) if load else (),
            virtual=self._identity(self._emulator, self._kernel, load, taken)
            if load or taken != self._loaded
            else None,
            analyser=unwatched if plugin is None else to_json(told.analyser, self.address.board.ns_per_instruction),
        )

    def _of_console(self, told: _guest.Told, reasons: Sequence[str]) -> list[str]:
        """What a guest that went wrong left there, for the log."""
        if any(_guest.SILENT in reason for reason in reasons):
            words = self.address.board.early_console
            hint = f"--kernel-append '{words}' has it speak earlier, unless it is none for this board"
            return [f"the guest's kernel said nothing (limits are seconds of the emulator's processor time): {hint}"]
        return [f"the guest's console: {line}" for line in _emulator.telling(told.console)] if any(reasons) else []

    # ---- a boot -----------------------------------------------------------------------------------------------------

    def _conversation(
        self, watch: _emulator.Watch, told: _guest.Told, load: GuestLoad | None = None, plugin: Path | None = None
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
            files = initial_files(self._program(INIT), self._program(ENGINE), request, self._loaded, self._spare)
            contents = {"kernel": self._kernel.content, "initrd": (load.archive() if load else b"") + files}
            if plugin is not None:
                contents[_guest.ANALYSER] = b""
            words = partial(self._words, plugin)
            return _guest.converse(words, contents, watch, told, take, overdue, stop, most)

        return converse

    def _words(self, plugin: Path | None, files: Mapping[str, str]) -> list[str]:
        words = [self._emulator, *machine_words(self.address, files)]
        watched = plugin_words(plugin, self.address.board.arch, files[_guest.ANALYSER]) if plugin else []
        return [*words, *watched]

    def _plugin(self) -> tuple[Path | None, dict[str, str | int] | None]:
        """The analyser where it is asked for; where there can be none, why not, for the manifest."""
        if not self.address.analyser:
            return None, None
        try:
            return plugin_of(self._storage, self._emulator, say), None
        except TargetError as error:
            say(f"without the analyser: {error}")
            return None, {"why": str(error)}

    def _list(self) -> bytes:
        """What the engine says of itself, asked once: here where it can run here, else in a guest."""
        from rtgauge.trace.writer import encode_list_request

        name = sha256(self._program(ENGINE))
        noted = self._storage.noted("lists", name)
        known = self._storage.get(str(noted.get("sha256"))) if noted else None
        if known is not None:
            return known
        chunks: list[bytes] = []
        watch, told = _emulator.Watch(), _guest.Told()
        here = platform.machine() == self.address.board.arch
        converse = converse_here if here else self._conversation(watch, told)
        limit = DESCRIBE_S if here else 4 * DESCRIBE_S
        ended = converse(
            self._path(ENGINE), encode_list_request(), chunks.append, within(limit), Stop(), LIST_BYTES, None
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
        return kernel_of(self._storage, self.address, say)

    @cached_property
    def _module(self) -> Module | None:
        """Sources of interrupts, for a kernel whose headers the distribution has."""
        if self.address.kernel is not None:
            return None
        try:
            return module_of(self._storage, self.address.board.arch, self._kernel.origin, say)
        except TargetError as error:
            say(f"without the kernel module, so with fewer sources of interrupts: {error}")
            return None

    @cached_property
    def _own(self) -> dict[str, bytes]:
        """The user's modules by name."""
        return read_modules(self.address.modules, self.address.board.arch)

    def _load(self, spec: RunSpec) -> GuestLoad | None:
        """The program that is to run beside the tests."""
        return load_of(self._storage, self.address.board.arch, spec.environment.get("load", ""), say)

    @cached_property
    def _loaded(self) -> dict[str, bytes]:
        """All modules by name, in the order of loading."""
        ours = None if NAME in self._own or self._module is None else self._module.content
        return in_order(self._own, ours)

    @property
    def _spare(self) -> tuple[str, ...]:
        """What a guest goes on without where its kernel does not take it: ours, never what the user asked for."""
        return () if NAME in self._own else (NAME,)

    def _taken(self, told: _guest.Told) -> dict[str, bytes]:
        """The modules that were at work in every guest in which something was measured. A guest ends at the first one
        of the user's that its kernel does not take, and ours is the last: so it is the first that there were."""
        taken = dict(list(self._loaded.items())[: min(told.modules, default=0)])
        if told.modules and NAME in self._spare and NAME in self._loaded and NAME not in taken:
            say("without the kernel module, so with fewer sources of interrupts: the guest's kernel does not take it")
        return taken

    @cached_property
    def _emulator(self) -> str:
        return emulator(self.address.board)

    def _path(self, name: str) -> Path:
        return guest_program(self.address.board.arch, name)

    def _program(self, name: str) -> bytes:
        return self._path(name).read_bytes()

    @cached_property
    def _booted(self) -> str:
        return sha256(self._kernel.content)

    def _identity(
        self,
        emulator: str,
        kernel: Ready,
        load: GuestLoad | None = None,
        modules: Mapping[str, bytes] | None = None,
    ) -> dict[str, Any]:
        """All that the figures depend on beside the request, which is in the manifest as it is. `modules`: those that
        the guest had; None: all that it was to have."""
        address, modules = self.address, self._loaded if modules is None else modules
        found = {
            "ns_per_instruction": address.board.ns_per_instruction,
            "system": address.system.name,
            "board": address.board.name,
            "processor": address.board.cpu.partition(",")[0],
            **PROTECTS[address.system.os],
            "machine": machine_line(address),
            "attached": attached_line(address),
            "command_line": kernel_line(address),
            "emulator": version(emulator),
            "qemu": file_hash(Path(emulator)),
            "emulator_files": emulator_files(emulator, address.board),
            "kernel": kernel.sha256,
            "kernel_booted": self._booted,
            "kernel_from": kernel.origin,
            "kernel_options": None if kernel.config is None else digest({"config": kernel.config}),
            "init": sha256(self._program(INIT)),
            "engine": sha256(self._program(ENGINE)),
            "module": sha256(modules[NAME]) if NAME in modules else None,
            "own_modules": names_and_hashes({name: modules[name] for name in self._own if name in modules}),
            "programs": None if load is None else f"{load.load.name} {load.program.sha256}",
            "replica": address.replica,
        }
        return {**found, "configuration": digest(found)}


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
