"""A program of the distribution's, with the shared libraries that it needs, as files of a guest."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from rtgauge.errors import TargetError
from rtgauge.lab.cpio import Entry, file, folder, pack, program
from rtgauge.lab.image import is_elf
from rtgauge.lab.packages import fetch
from rtgauge.lab.storage import Storage

LOAD = "load"  # what is to run, also in engine/guest/load.c
_PROGRAM = "/usr/s?bin/{}"
_LIBRARIES = r"(?:/usr)?/lib(?:64)?/(?:[^/]+/)?(?:lib|ld)[^/]*\.so[^/]*"
_DYNAMIC, _INTERPRETER, _LOADED = 2, 3, 1
_NEEDED, _STRINGS, _NAME = 1, 5, 14


@dataclass(frozen=True)
class Program:
    path: str  # in the guest
    files: Mapping[str, bytes]  # by their paths there, without the leading slash
    version: str  # of its package, and the beginning of `sha256`
    sha256: str = ""  # of all its files and their paths

    def archive(self, args: Sequence[str]) -> bytes:
        """The part of the initial file system that has the guest run it as its load."""
        folders = {str(one) for path in self.files for one in PurePosixPath(path).parents} - {"."}
        words = "".join(f"{word}\0" for word in (self.path, *args)).encode()
        entries: list[Entry] = [folder(name) for name in sorted(folders)]
        entries += [program(path, content) for path, content in sorted(self.files.items())]
        return pack([*entries, file(LOAD, words)])


def program_of(
    storage: Storage, arch: str, name: str, package: str, libraries: Sequence[str], say: Callable[[str], None]
) -> Program:
    """The program `name` of `package`; `libraries`: the packages that have what it needs. TargetError where something
    is missing."""
    found = fetch(storage, f"{package}.{arch}", arch, [package], _PROGRAM.format(name), say)
    content = _content(storage, next(iter(found.files.values())))
    there: dict[str, bytes] = {}
    for name_of_package in libraries:
        files = fetch(storage, f"{name_of_package}.{arch}", arch, [name_of_package], _LIBRARIES, say).files
        there |= {PurePosixPath(path).name: _content(storage, digest) for path, digest in files.items()}
    path = f"bin/{name}"
    files_of_guest = {path: content, **_needed(content, there, f"the program {name} of {package}")}
    made_of = hashlib.sha256()
    for where, one in sorted(files_of_guest.items()):
        made_of.update(f"{where}\0{len(one)}\0".encode() + one)
    digest = made_of.hexdigest()
    return Program(f"/{path}", files_of_guest, f"{found.package} {found.version}, SHA-256 {digest[:16]}", digest)


def _content(storage: Storage, digest: str) -> bytes:
    content = storage.get(digest)
    if content is None:
        raise TargetError(f"the lab's cache has lost {digest}")
    return content


def _needed(content: bytes, there: Mapping[str, bytes], what: str) -> dict[str, bytes]:
    """Everything that must be there beside an ELF file so that it can be started. `there`: libraries by the names of
    their files, which may differ from those that others need them by."""
    elf = Elf(content)
    named = {Elf(one).name: one for one in there.values() if one[:4] == b"\x7fELF"} | dict(there)
    out: dict[str, bytes] = {}
    wanted = list(elf.needed)
    if elf.interpreter:
        loader = PurePosixPath(elf.interpreter)
        out[str(loader.relative_to("/"))] = _found(named, loader.name, what)
    while wanted:
        name = wanted.pop()
        path = f"lib/{name}"
        if path not in out:
            out[path] = _found(named, name, what)
            wanted += Elf(out[path]).needed
    return out


def _found(named: Mapping[str, bytes], name: str, what: str) -> bytes:
    if name not in named:
        raise TargetError(f"{what} needs the library {name}, which none of the packages known for it has")
    return named[name]


class Elf:
    """What an ELF file says of what it needs. TargetError where it is none of 64 bits, little-endian."""

    def __init__(self, data: bytes) -> None:
        if not is_elf(data):
            raise TargetError("a file of a package is no program or library of a known format")
        self._data = data
        try:
            self._segments = list(self._read_segments())
            self.interpreter = self._interpreter()
            tags = list(self._tags())
            strings = next((value for tag, value in tags if tag == _STRINGS), 0)
            self.needed = tuple(self._text(strings, value) for tag, value in tags if tag == _NEEDED)
            self.name = next((self._text(strings, value) for tag, value in tags if tag == _NAME), "")
        except (struct.error, ValueError) as error:
            raise TargetError(f"a file of a package is damaged: {error}") from error

    def _read_segments(self) -> Iterator[tuple[int, int, int, int]]:
        """Kind, place in the file, address, size."""
        (at,), (size, count) = struct.unpack_from("<Q", self._data, 32), struct.unpack_from("<HH", self._data, 54)
        for i in range(count):
            kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", self._data, at + i * size)
            yield kind, offset, address, length

    def _interpreter(self) -> str:
        for kind, offset, _, length in self._segments:
            if kind == _INTERPRETER:
                return self._data[offset : offset + length].rstrip(b"\0").decode("utf-8")
        return ""

    def _tags(self) -> Iterator[tuple[int, int]]:
        for kind, offset, _, length in self._segments:
            if kind == _DYNAMIC:
                yield from struct.iter_unpack("<qQ", self._data[offset : offset + length // 16 * 16])

    def _text(self, strings: int, at: int) -> str:
        for kind, offset, address, length in self._segments:
            if kind == _LOADED and address <= strings < address + length:
                begin = strings - address + offset + at
                return self._data[begin : self._data.index(b"\0", begin)].decode("utf-8")
        raise ValueError("its names lie outside of it")
