"""The command line of QEMU for a guest whose every instruction is the same in each run.

Files are given as the numbers of open files, which are placeholders in what is hashed and shown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta, timezone

from rtgauge.lab.address import Address
from rtgauge.lab.cpio import Entry, device, file, folder, pack, program
from rtgauge.lab.systems import LINUX, Board

SHARED_BYTES = 1 << 30  # of memory that the trace is written to; only what is used takes any
MODULES = "modules"  # the list of those to be loaded, one path a line, in order; also in engine/guest/init.c
SPARE = "-"  # before the path of one that the guest can do without; there too
FILES = ("kernel", "initrd", "console", "shared")
# Left out of a boot: trials of ciphers, and keys that nothing here is signed with. They are a quarter of its work, and
# the former go on beside the first of our tests. A kernel that lacks them takes no notice.
_SPARED = "cryptomgr.notests initcall_blacklist=jent_mod_init,load_system_certificate_list"
# Recorded to nowhere, for what recording brings: QEMU's threads take turns. Else the one that moves an idle guest's
# clock on to the next timer may read how far the guest has come before the other has said so: the clock goes too far.
_TURNS = "rr=record,rrfile=/dev/null"
_EPOCH = datetime(2020, 1, 1, tzinfo=timezone.utc)
_STEP = timedelta(hours=7, minutes=1, seconds=13)  # between the start times of two replicas


def machine_words(address: Address, files: Mapping[str, str]) -> list[str]:
    """The words behind the program's name. `files`: paths of FILES."""
    return [
        *platform_words(address.board),
        *_attached(address.replica),
        *("-chardev", f"file,id=console,path={files['console']}", "-serial", "chardev:console"),
        *("-object", f"memory-backend-file,id=shared,share=on,size={SHARED_BYTES},mem-path={files['shared']}"),
        *("-device", "ivshmem-plain,memdev=shared"),
        *("-kernel", files["kernel"], "-initrd", files["initrd"], "-append", kernel_line(address)),
    ]


def board_words(address: Address, image: str) -> list[str]:
    """The same for an image of system and engine, which reads and writes files by semihosting."""
    return [
        *platform_words(address.board),
        *_attached(address.replica),
        *address.board.image_words.split(),
        *("-serial", "none", "-semihosting-config", "enable=on,target=native", "-kernel", image),
    ]


def platform_words(board: Board) -> list[str]:
    """Processor, memory and time: what is the same for all systems on a board."""
    return [
        *("-M", board.machine, "-cpu", board.cpu, "-smp", "1", "-m", str(board.memory_mb)),
        *board.devices.split(),
        *("-accel", "tcg", "-icount", f"shift={board.shift},sleep=off,{_TURNS}"),
    ]


def _attached(replica: int) -> list[str]:
    base = _EPOCH + replica * _STEP
    return [
        *("-no-user-config", "-nodefaults", "-display", "none", "-monitor", "none", "-nic", "none", "-no-reboot"),
        *("-seed", "1", "-rtc", f"base={base:%Y-%m-%dT%H:%M:%S},clock=vm"),
    ]


def machine_line(address: Address) -> str:
    """The platform for people and for hashes, as QEMU's command line has it."""
    return " ".join([address.board.program, *platform_words(address.board)])


def attached_line(address: Address) -> str:
    """The rest of QEMU's command line, without what differs from start to start."""
    if address.system.os == LINUX:
        words = machine_words(address, {name: f"<{name}>" for name in FILES})
    else:
        words = board_words(address, "<image>")
    return " ".join(words[len(platform_words(address.board)) :])


def kernel_line(address: Address) -> str:
    """The kernel's command line. The user's words come last: the last one counts."""
    own = (f"rtgauge.virtual={address.board.ns_per_instruction}",)
    dummy = (f"rtgauge.replica={address.replica}",) if address.replica else ()
    return " ".join(filter(None, (address.board.append, _SPARED, *own, *dummy, address.system.append, address.append)))


def initial_files(
    init: bytes, engine: bytes, request: bytes, modules: Mapping[str, bytes] | None = None, spare: Collection[str] = ()
) -> bytes:
    """The guest's whole file system. `modules`: by name, in the order in which they are loaded; of them `spare`: those
    that the guest goes on without where its kernel does not take them. The request comes last: what is before lies
    where it always does."""
    entries: list[Entry] = [folder(name) for name in ("dev", "proc", "sys", "tmp")]
    entries += [device("dev/console", 5, 1), program("init", init), program("engine", engine)]
    if modules:
        entries += [file(name, content) for name, content in modules.items()]
        lines = (f"{SPARE if name in spare else ''}/{name}\n" for name in modules)
        entries += [file(MODULES, "".join(lines).encode())]
    return pack([*entries, file("request", request)])


def digest(content: Mapping[str, object]) -> str:
    """SHA-256 of values in a form of their own, so that equal means equal."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
