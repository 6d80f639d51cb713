"""Files that hold a Linux kernel: which kind one is, and the plain kernel inside of it.

An uncompressed kernel boots without the guest having to unpack it, in emulation the longest part of a boot.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from rtgauge.errors import TargetError

MOST = 1 << 30  # bytes of an unpacked kernel
_KNOWN = "known are bzImage, vmlinux (ELF) and Image, also compressed by gzip or as EFI zboot"
_ELF_BYTES, _BZIMAGE_BYTES, _ZBOOT_BYTES = 64, 0x250, 16  # of the headers, as far as they are read
ELF_MACHINES = {62: "x86_64", 183: "aarch64"}


@dataclass(frozen=True)
class Kernel:
    kind: str  # "vmlinux", "bzImage", "Image"
    arch: str
    content: bytes  # to be given to QEMU


def read_kernel(data: bytes, arch: str, name: str) -> Kernel:
    """The kernel in the file `name`, as plain as QEMU can boot it. TargetError says what is wrong with it."""
    kernel = _understood(data, arch, name)
    if kernel.arch != arch:
        raise TargetError(f"the kernel {name} is for {kernel.arch}, the board has a processor of {arch}")
    if kernel.kind == "vmlinux" and arch == "x86_64" and not _boots_by_pvh(kernel.content):
        raise TargetError(f"the kernel {name} cannot be booted as it is (built without CONFIG_PVH): give its bzImage")
    return kernel


def _understood(data: bytes, arch: str, name: str) -> Kernel:
    if is_elf(data):
        if len(data) < _ELF_BYTES:
            raise _cut_short(name)
        machine = struct.unpack_from("<H", data, 18)[0]
        return Kernel("vmlinux", ELF_MACHINES.get(machine, f"another processor (ELF machine {machine})"), data)
    if data[0x1FE:0x200] == b"\x55\xaa" and data[0x202:0x206] == b"HdrS":
        return _of_bzimage(data, name)
    if data[56:60] == b"ARM\x64":
        return Kernel("Image", "aarch64", data)
    if data[:2] == b"MZ" and data[4:8] == b"zimg":
        return _understood(_of_zboot(data, name), arch, name)
    if data[:2] == b"\x1f\x8b":
        return _understood(_unpack(data, name), arch, name)
    raise TargetError(f"{name} is not a kernel of a known format: {_KNOWN}")


def _of_bzimage(data: bytes, name: str) -> Kernel:
    """The kernel inside, or the file itself where that cannot be booted or is packed in a way that we do not know."""
    if len(data) < _BZIMAGE_BYTES:
        raise _cut_short(name)
    whole = Kernel("bzImage", "x86_64", data)
    offset, length = struct.unpack_from("<II", data, 0x248)
    begin = ((data[0x1F1] or 4) + 1) * 512 + offset
    packed = data[begin : begin + length]
    if len(packed) != length or not length or struct.unpack_from("<H", data, 0x206)[0] < 0x208:
        return whole
    try:
        inside = _unpack(packed, name)
    except TargetError:
        return whole
    return Kernel("vmlinux", "x86_64", inside) if is_elf(inside) and _boots_by_pvh(inside) else whole


def _of_zboot(data: bytes, name: str) -> bytes:
    if len(data) < _ZBOOT_BYTES:
        raise _cut_short(name)
    begin, length = struct.unpack_from("<II", data, 8)
    packed = data[begin : begin + length]
    if len(packed) != length or not length:
        raise _cut_short(name)
    return _unpack(packed, name)


def _cut_short(name: str) -> TargetError:
    return TargetError(f"the kernel {name} is cut short")


def is_elf(data: bytes) -> bool:
    """Of 64 bits, little-endian."""
    return data[:6] == b"\x7fELF\x02\x01"


def _boots_by_pvh(elf: bytes) -> bool:
    """Whether a note says where it is entered without firmware."""
    try:
        at, size, count = *struct.unpack_from("<Q", elf, 32), *struct.unpack_from("<HH", elf, 54)
        for i in range(count):
            kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", elf, at + i * size)
            if kind == 4 and _has_note(elf[offset : offset + min(length, 1 << 16)]):
                return True
    except (struct.error, OverflowError):  # behind the end of the file, or of all that can be
        pass
    return False


def _has_note(notes: bytes) -> bool:
    at = 0
    while at + 12 <= len(notes):
        name, content, kind = struct.unpack_from("<III", notes, at)
        if (name, kind) == (4, 18) and notes[at + 12 : at + 16] == b"Xen\0":
            return True
        at += 12 + name + -name % 4 + content + -content % 4
    return False


def _unpack(data: bytes, name: str) -> bytes:
    """The content, packed by whatever Linux packs kernels by. Bytes behind it are no matter."""
    for magic, unpacked in _PACKERS:
        if data.startswith(magic):
            out = bytearray()
            try:
                for piece in unpacked(data):
                    out += piece
                    if len(out) > MOST:
                        raise TargetError(f"the kernel {name} is larger than {MOST >> 20} MiB when unpacked")
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, struct.error) as error:
                raise TargetError(f"the kernel {name} is damaged: {error}") from error
            return bytes(out)
    raise TargetError(f"the kernel {name} is packed in an unknown way")


def _pieces(data: bytes, step: object) -> Iterator[bytes]:
    """What a decompressor of the standard library gives for `data`, in pieces, until its end."""
    decompress = step.decompress  # type: ignore[attr-defined]
    for at in range(0, len(data), 1 << 16):
        yield decompress(data[at : at + (1 << 16)])
        if step.eof:  # type: ignore[attr-defined]
            return
    raise EOFError("it ends too early")


def _gzip(data: bytes) -> Iterator[bytes]:
    return _pieces(data, zlib.decompressobj(wbits=31))


def _xz(data: bytes) -> Iterator[bytes]:
    return _pieces(data, lzma.LZMADecompressor(lzma.FORMAT_AUTO, memlimit=1 << 30))


def _bzip2(data: bytes) -> Iterator[bytes]:
    return _pieces(data, bz2.BZ2Decompressor())


def _zstd(data: bytes) -> Iterator[bytes]:
    """Linux writes the unpacked size behind the frame, 4 bytes that the reader would take for another frame."""
    import pyarrow as pa

    size = int.from_bytes(data[-4:], "little")
    with pa.CompressedInputStream(pa.BufferReader(data[:-4]), "zstd") as stream:
        done = 0
        while piece := stream.read(1 << 20):
            done += len(piece)
            yield piece
    if done != size:
        raise EOFError(f"{done} bytes are not the {size} that it should have")


def _lz4(data: bytes) -> Iterator[bytes]:
    """The format before frames: blocks of 8 MB, each with its packed size."""
    import pyarrow as pa

    codec, at = pa.Codec("lz4_raw"), 4
    while at + 4 <= len(data):
        (size,) = struct.unpack_from("<I", data, at)
        at += 4
        if not size or at + size > len(data):
            return
        yield _lz4_block(codec, data[at : at + size])
        at += size


def _lz4_block(codec: object, packed: bytes) -> bytes:
    return codec.decompress(packed, decompressed_size=8 << 20, asbytes=True)  # type: ignore[attr-defined,no-any-return]


_PACKERS = (
    (b"\x1f\x8b", _gzip),
    (b"\xfd7zXZ\0", _xz),
    (b"\x5d\0\0", _xz),
    (b"BZh", _bzip2),
    (b"\x28\xb5\x2f\xfd", _zstd),
    (b"\x02\x21\x4c\x18", _lz4),
)
