"""Files that hold a kernel."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct

import pyarrow as pa
import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.image import read_kernel
from tests.lab.kernels import STOPS, bzimage, elf

KERNEL = elf(STOPS + bytes(3 << 20))
SIZE = struct.pack("<I", len(KERNEL))
ARM = bytes(56) + b"ARM\x64" + bytes(100)


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
        with pytest.raises(TargetError, match="without CONFIG_PVH"):
            read_kernel(KERNEL[:32] + struct.pack("<Q", at) + KERNEL[40:], "x86_64", "k")


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
        (KERNEL[:70], "x86_64", "without CONFIG_PVH"),
        (KERNEL[:19], "x86_64", "cut short"),
        (bzimage(b"")[:518], "x86_64", "cut short"),
        (bzimage(b"")[:591], "x86_64", "cut short"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said_in_one_line(data: bytes, arch: str, what: str) -> None:
    with pytest.raises(TargetError, match=what) as caught:
        read_kernel(data, arch, "k")
    assert "\n" not in str(caught.value)
