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
LAYERS_MOST = 4  # an EFI zboot may be packed once more
_ELF_BYTES, _BZIMAGE_BYTES, _ZBOOT_BYTES, _ARM_BYTES = 64, 0x250, 16, 64  # of the headers, as far as they are read
_ARM_SHARE = 16  # that part of the memory of an Image is in its file, however large its zeros are
_INTERPRETER, _NOTE, _RELOCATABLE = 3, 4, 1  # kinds of segments; of a file
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
        what = f"the kernel {name} cannot be booted as it is"
        raise TargetError(f"{what}: it was built without CONFIG_PVH, then give its bzImage, or it is no kernel at all")
    return kernel


def _understood(data: bytes, arch: str, name: str, layers: int = 0) -> Kernel:
    if layers > LAYERS_MOST:
        raise TargetError(f"the kernel {name} is packed more than {LAYERS_MOST} times")
    if is_elf(data):
        _check_elf(data, name)
        machine = struct.unpack_from("<H", data, 18)[0]
        return Kernel("vmlinux", ELF_MACHINES.get(machine, f"another processor (ELF machine {machine})"), data)
    if data[0x1FE:0x200] == b"\x55\xaa" and data[0x202:0x206] == b"HdrS":
        return _of_bzimage(data, name)
    if data[56:60] == b"ARM\x64":
        if len(data) < _least_of_arm(data):
            raise _cut_short(name)
        return Kernel("Image", "aarch64", data)
    if data[:2] == b"MZ" and data[4:8] == b"zimg":
        return _understood(_of_zboot(data, name), arch, name, layers + 1)
    if data[:2] == b"\x1f\x8b":
        return _understood(_unpack(data, name), arch, name, layers + 1)
    raise TargetError(f"{name} is not a kernel of a known format: {_KNOWN}")


def _of_bzimage(data: bytes, name: str) -> Kernel:
    """The kernel inside, or the file itself where that cannot be booted or is packed in a way that we do not know."""
    if len(data) < _BZIMAGE_BYTES:
        raise _cut_short(name)
    whole = Kernel("bzImage", "x86_64", data)
    offset, length = struct.unpack_from("<II", data, 0x248)
    protected = ((data[0x1F1] or 4) + 1) * 512
    packed = data[protected + offset : protected + offset + length]
    if not length or struct.unpack_from("<H", data, 0x206)[0] < 0x208:
        return whole
    paragraphs = struct.unpack_from("<I", data, 0x1F4)[0]  # of 16 bytes, the last one not always whole
    if len(packed) != length or len(data) <= protected + 16 * (paragraphs - 1):
        raise _cut_short(name)
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


def _segments(elf: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, place in the file and length there. struct.error where the table ends behind the file."""
    at, size, count = *struct.unpack_from("<Q", elf, 32), *struct.unpack_from("<HH", elf, 54)
    for i in range(count):
        try:
            kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", elf, at + i * size)
        except OverflowError as error:  # behind all that can be
            raise struct.error(str(error)) from error
        yield kind, offset, length


def _check_elf(elf: bytes, name: str) -> None:
    """TargetError for what is cut short, or was made to run under a kernel or to be linked with one."""
    try:
        segments = list(_segments(elf)) if len(elf) >= _ELF_BYTES else None
    except struct.error:
        segments = None
    if segments is None or any(offset + length > len(elf) for _, offset, length in segments):
        raise _cut_short(name)
    if struct.unpack_from("<H", elf, 16)[0] == _RELOCATABLE:
        raise TargetError(f"{name} is no kernel: it is a module or another file that is not linked yet")
    if any(kind == _INTERPRETER for kind, _, _ in segments):
        raise TargetError(f"{name} is no kernel: it is a program or a library")


def _boots_by_pvh(elf: bytes) -> bool:
    """Whether a note says where it is entered without firmware."""
    try:
        return any(
            kind == _NOTE and _has_note(elf[offset : offset + min(length, 1 << 16)])
            for kind, offset, length in _segments(elf)
        )
    except struct.error:
        return False


def _least_of_arm(data: bytes) -> int:
    """Bytes that an Image has at least: what its sections take, where it is an EFI program too, which says that. Else
    the header names only what it takes in memory, of which the zeros at the end are not in the file: some of it is."""
    if data[:2] == b"MZ" and len(data) >= _ARM_BYTES:
        at = struct.unpack_from("<I", data, 60)[0]
        try:
            count, optional = struct.unpack_from("<H12xH", data, at + 6)
            table = at + 24 + optional
            ends = [sum(struct.unpack_from("<II", data, table + 40 * i + 16)) for i in range(count)]
        except struct.error:
            return len(data) + 1
        return max(ends, default=0)
    in_memory = struct.unpack_from("<Q", data, 16)[0] if len(data) >= _ARM_BYTES else 0
    return max(_ARM_BYTES, int(in_memory) // _ARM_SHARE)


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
