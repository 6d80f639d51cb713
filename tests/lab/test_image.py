"""Files that hold a kernel."""

from __future__ import annotations

import bz2
import gzip
import lzma
import platform
import struct
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.image import read_kernel
from tests.lab.kernels import STOPS, bzimage, elf

KERNEL = elf(STOPS + bytes(3 << 20))
SIZE = struct.pack("<I", len(KERNEL))
ARM = bytes(56) + b"ARM\x64" + bytes(100)


def arm(in_memory: int = 0, ends: tuple[int, ...] = ()) -> bytes:
    """An Image with a size in memory, or, as an EFI program, with sections that end there in the file."""
    if not ends:
        return bytes(16) + struct.pack("<Q", in_memory) + ARM[24:]
    sections = b"".join(bytes(16) + struct.pack("<II", end - 16, 16) + bytes(16) for end in ends)
    coff = b"PE\0\0" + struct.pack("<HH12xHH", 0xAA64, len(ends), 8, 0) + bytes(8)
    return (b"MZ" + ARM[2:60] + struct.pack("<I", 64) + coff + sections).ljust(max(ends), b"\0")


def many_times(how: Callable[[bytes], bytes], times: int) -> bytes:
    data = ARM
    for _ in range(times):
        data = how(data)
    return data


def lz4(data: bytes) -> bytes:
    packed = [
        pa.Codec("lz4_raw").compress(data[at : at + (8 << 20)], asbytes=True) for at in range(0, len(data), 8 << 20)
    ]
    return b"\x02\x21\x4c\x18" + b"".join(struct.pack("<I", len(one)) + one for one in packed)


PACKED = {
    "gzip": gzip.compress(KERNEL),
    "xz": lzma.compress(KERNEL, check=lzma.CHECK_CRC32) + SIZE,
    "lzma": lzma.compress(KERNEL, lzma.FORMAT_ALONE) + SIZE,
    "bzip2": bz2.compress(KERNEL) + SIZE,
    "zstd": pa.Codec("zstd").compress(KERNEL, asbytes=True) + SIZE,
}


@pytest.mark.parametrize("how", PACKED)
def test_the_kernel_inside_of_a_bzimage_is_found(how: str) -> None:
    kernel = read_kernel(bzimage(PACKED[how]), "x86_64", "k")
    assert (kernel.kind, kernel.content == KERNEL) == ("vmlinux", True)


def test_blocks_of_lz4_are_read() -> None:
    kernel = read_kernel(bzimage(lz4(KERNEL) + SIZE), "x86_64", "k")
    assert (kernel.kind, kernel.content[: len(KERNEL)] == KERNEL) == ("vmlinux", True)


@pytest.mark.parametrize("payload", [b"", b"packed by nobody knows what", PACKED["gzip"][:500], elf(STOPS, note=False)])
def test_a_bzimage_with_something_else_inside_is_booted_as_it_is(payload: bytes) -> None:
    image = bzimage(payload)
    kernel = read_kernel(image, "x86_64", "k")
    assert (kernel.kind, kernel.content) == ("bzImage", image)


CUT = {
    "vmlinux": elf(STOPS),
    "bzImage": bzimage(PACKED["gzip"]),
    "Image": ARM,
    "zboot": b"MZ\0\0zimg" + struct.pack("<II", 64, 50) + bytes(98),
    "gzip": gzip.compress(ARM),
}


@pytest.mark.parametrize("what", CUT)
def test_a_file_that_is_cut_anywhere_is_told_or_taken_as_it_is(what: str) -> None:
    for length in range(700):
        data = CUT[what][:length]
        try:
            assert read_kernel(data, "aarch64" if what in ("Image", "gzip", "zboot") else "x86_64", "k").content
        except TargetError as error:
            assert "\n" not in str(error)  # noqa: PT017 - which lengths are refused is no matter


def test_segments_beyond_everything_are_none() -> None:
    for at in (1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        with pytest.raises(TargetError, match="cut short"):
            read_kernel(KERNEL[:32] + struct.pack("<Q", at) + KERNEL[40:], "x86_64", "k")


def test_images_that_are_whole_are_taken() -> None:
    for data in (arm(in_memory=16 * 160), arm(ends=(64, 4096)), arm(ends=(64, 4096)) + b"signature"):
        assert read_kernel(data, "aarch64", "k").content == data


def test_kernels_of_arm_are_plain_packed_or_efi_programs() -> None:
    packed = gzip.compress(ARM)
    zboot = b"MZ\0\0zimg" + struct.pack("<II", 64, len(packed)) + bytes(48) + packed
    for data in (ARM, packed, zboot):
        kernel = read_kernel(data, "aarch64", "k")
        assert (kernel.kind, kernel.content) == ("Image", ARM)


@pytest.mark.parametrize(
    ("data", "arch", "what"),
    [
        (b"", "x86_64", "known format"),
        (b"hello\n" * 300, "x86_64", "known format"),
        (ARM, "x86_64", "is for aarch64, the board has a processor of x86_64"),
        (elf(STOPS, machine=183), "x86_64", "is for aarch64"),
        (elf(STOPS, machine=8), "x86_64", "ELF machine 8"),
        (elf(STOPS, note=False), "x86_64", "without CONFIG_PVH"),
        (gzip.compress(ARM)[:25], "aarch64", "damaged"),
        (b"MZ\0\0zimg" + struct.pack("<II", 64, 1 << 30), "aarch64", "cut short"),
        (b"MZ\0\0zimg" + bytes(7), "aarch64", "cut short"),
        (KERNEL[:70], "x86_64", "cut short"),
        (KERNEL[:5000], "x86_64", "cut short"),
        (KERNEL[:19], "x86_64", "cut short"),
        (bzimage(b"")[:518], "x86_64", "cut short"),
        (bzimage(b"")[:591], "x86_64", "cut short"),
        (bzimage(PACKED["gzip"])[:-1], "x86_64", "cut short"),
        (bzimage(PACKED["gzip"], paragraphs=1 << 16), "x86_64", "cut short"),
        (ARM[:60], "aarch64", "cut short"),
        (arm(in_memory=32 << 20), "aarch64", "cut short"),
        (arm(ends=(64, 4096))[:4095], "aarch64", "cut short"),
        (arm(ends=(64, 4096))[:100], "aarch64", "cut short"),
        (Path("/bin/true").read_bytes(), platform.machine(), "is no kernel: it is a program"),
        (KERNEL[:16] + b"\1" + KERNEL[17:], "x86_64", "is no kernel: it is a module"),
        (many_times(gzip.compress, 1500), "x86_64", "packed more than 4 times"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said_in_one_line(data: bytes, arch: str, what: str) -> None:
    with pytest.raises(TargetError, match=what) as caught:
        read_kernel(data, arch, "k")
    assert "\n" not in str(caught.value)
