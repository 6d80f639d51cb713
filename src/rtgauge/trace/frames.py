"""Frames: COBS( sequence | payload | CRC-32C ) and a zero byte, cut out of a stream that may be damaged."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import google_crc32c
from cobs import cobs

FRAME_MAX = 64 << 10
"""Bytes of the largest frame before stuffing that is accepted."""

UNNUMBERED = 0xFFFF_FFFF
"""Sequence number of frames that are only shown, and not kept."""

_STUFFED_MAX = FRAME_MAX + FRAME_MAX // 254 + 1
_SMALLEST = 4 + 1 + 4  # sequence, a payload of one byte, CRC


@dataclass(frozen=True)
class Frame:
    sequence: int
    payload: bytes
    crc: int


def encode_frame(sequence: int, payload: bytes) -> bytes:
    """One frame with its closing zero byte. ValueError when it is larger than FRAME_MAX."""
    body = struct.pack("<I", sequence) + payload
    if len(body) + 4 > FRAME_MAX:
        raise ValueError(f"a frame of {len(body) + 4} bytes is larger than {FRAME_MAX}")
    stuffed: bytes = cobs.encode(body + struct.pack("<I", google_crc32c.value(body)))
    return stuffed + b"\0"


def decode_frame(stuffed: bytes) -> Frame | str:
    """The frame between two zero bytes, or one phrase that says what is wrong with it."""
    if len(stuffed) > _STUFFED_MAX:
        return f"larger than {FRAME_MAX} bytes"
    try:
        body = cobs.decode(stuffed)
    except cobs.DecodeError:
        return "wrong byte stuffing"
    if len(body) < _SMALLEST:
        return f"only {len(body)} bytes"
    if len(body) > FRAME_MAX:
        return f"larger than {FRAME_MAX} bytes"
    sequence, crc = struct.unpack("<I", body[:4])[0], struct.unpack("<I", body[-4:])[0]
    if google_crc32c.value(body[:-4]) != crc:
        return "wrong checksum"
    return Frame(sequence, body[4:-4], crc)


class Kept:
    """What of a stream is to be kept: all but the frames that are only shown."""

    def __init__(self) -> None:
        self._rest = b""

    def of(self, chunk: bytes) -> bytes:
        """What can be kept by now; a frame that has not ended is held back, up to the size of the largest."""
        *ended, self._rest = (self._rest + chunk).split(b"\0")
        kept = b"".join(piece + b"\0" for piece in ended if piece[1:5] != b"\xff" * 4)
        if len(self._rest) > _STUFFED_MAX:
            kept, self._rest = kept + self._rest, b""
        return kept

    def rest(self) -> bytes:
        """The frame that did not end."""
        rest, self._rest = self._rest, b""
        return b"" if rest[1:5] == b"\xff" * 4 else rest


class FrameSplitter:
    """Cuts a stream into frames. Holds at most one frame's bytes back, whatever arrives."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._oversize = False  # the frame under way is too large: its bytes are thrown away up to its end

    def feed(self, chunk: bytes) -> Iterator[Frame | str]:
        """Each frame that `chunk` completes, or what is wrong with it."""
        *ended, tail = chunk.split(b"\0")
        for piece in ended:
            stuffed = bytes(self._rest) + piece if self._rest else piece
            self._rest.clear()
            if self._oversize:
                self._oversize = False
                yield f"larger than {FRAME_MAX} bytes"
            elif stuffed:  # nothing between two zero bytes is no frame: senders may flush a line so
                yield decode_frame(stuffed)
        if not self._oversize:
            self._rest += tail
            if len(self._rest) > _STUFFED_MAX:
                self._rest.clear()
                self._oversize = True

    def left(self) -> int:
        """Bytes of a frame that has begun and not ended (at least 1 when there are any)."""
        return _STUFFED_MAX if self._oversize else len(self._rest)
