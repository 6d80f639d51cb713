"""The kernel of a guest: the distribution's, or a file of the user's."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.address import Address
from rtgauge.lab.files import read_file
from rtgauge.lab.image import MOST, read_kernel
from rtgauge.lab.packages import Fetched, fetch, known
from rtgauge.lab.storage import Storage
from rtgauge.lab.systems import lab

OPTIONS_MOST = 4 << 20  # bytes of a configuration
_CARRIED = b"IKCFG_ST"  # before it, in a kernel that carries its own
_WANTED = r"/boot/(vmlinuz|config)-.*"


@dataclass(frozen=True)
class Ready:
    """A kernel as QEMU gets it."""

    content: bytes
    sha256: str  # of the file that it came in
    origin: str  # package and version, or the name of the file
    config: str | None = None  # the options that it was built with, where they came with it


def note_name(address: Address) -> str:
    """Under which name the storage knows the kernel of a system."""
    return f"linux-{address.system.kernel}.{address.board.arch}"


def is_there(storage: Storage, address: Address) -> bool:
    """Whether nothing must be fetched."""
    return address.kernel is not None or known(storage, note_name(address)) is not None


def kernel_of(storage: Storage, address: Address, say: Callable[[str], None]) -> Ready:
    """TargetError where there is none, or it cannot be booted on the board."""
    if address.kernel is not None:
        return _own(storage, address)
    patterns = lab().kernels[address.system.kernel].get(address.board.arch)
    if patterns is None:
        raise TargetError(f"no package is known that has {address.system.name} for {address.board.arch}")
    try:
        fetched = fetch(storage, note_name(address), address.board.arch, patterns, _WANTED, say)
    except TargetError as error:
        raise TargetError(f"{error}; --kernel FILE takes a kernel of yours") from None
    return _of_package(storage, address, fetched)


def _of_package(storage: Storage, address: Address, fetched: Fetched) -> Ready:
    names = {path.removeprefix("/boot/").partition("-")[0]: digest for path, digest in fetched.files.items()}
    image, config = names.get("vmlinuz"), names.get("config")
    data = storage.get(image) if image else None
    if data is None or image is None:
        raise TargetError(f"the package {fetched.package} has no kernel")
    options = storage.get(config) if config else None
    return Ready(
        _plain(storage, address, data, image, fetched.package),
        image,
        f"{fetched.package} {fetched.version}",
        None if options is None else options.decode("utf-8", "replace"),
    )


def _own(storage: Storage, address: Address) -> Ready:
    path = address.kernel
    assert path is not None
    data = read_file(path, MOST, "the kernel")
    digest = hashlib.sha256(data).hexdigest()
    plain = _plain(storage, address, data, digest, path.name, keep=False)
    named = address.system.config if path == address.system.file else None
    return Ready(plain, digest, path.name, options_in(plain) if named is None else _read_options(named))


def options_in(kernel: bytes) -> str | None:
    """Those that a kernel carries in itself, built with CONFIG_IKCONFIG; None where it carries none."""
    begin = kernel.find(_CARRIED) + len(_CARRIED)
    if begin < len(_CARRIED):
        return None
    try:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return unpacker.decompress(kernel[begin : begin + OPTIONS_MOST], OPTIONS_MOST).decode("utf-8", "replace")
    except zlib.error:
        return None


def _read_options(path: Path) -> str:
    raw = read_file(path, OPTIONS_MOST, "the file of options")
    if b"CONFIG_" not in raw:
        raise TargetError(f"{path} is no configuration of a kernel: it names no CONFIG_ option")
    return raw.decode("utf-8", "replace")


def _plain(storage: Storage, address: Address, data: bytes, digest: str, name: str, keep: bool = True) -> bytes:
    """As plain as QEMU boots it. That of a package is kept: to unpack it takes longer than to read it."""
    noted = storage.noted("unpacked", digest) if keep else None
    plain = storage.get(str(noted["sha256"])) if noted and "sha256" in noted else None
    if plain is None:
        plain = read_kernel(data, address.board.arch, name).content
        if keep:
            storage.note("unpacked", digest, {"sha256": storage.put(plain)})
    return plain
