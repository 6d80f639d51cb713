"""CBOR payloads (RFC 8949) checked for their structure before anything of them is built.

The trace uses a small part of CBOR: integers, text, byte strings, booleans, null, definite arrays and maps with text
keys, and typed arrays of unsigned integers (RFC 8746). Everything else is refused, and so is what is larger or deeper
than the format allows.
"""

from __future__ import annotations

from typing import Any

import cbor2
import numpy as np
from numpy.typing import NDArray

DEPTH_MAX = 8
ENTRIES_MAX = 4096
TEXT_MAX = 4096

_TYPED = {64: "u1", 65: ">u2", 66: ">u4", 67: ">u8", 69: "<u2", 70: "<u4", 71: "<u8"}
_UINT, _NEGATIVE, _BYTES, _TEXT, _ARRAY, _MAP, _TAG, _SIMPLE = range(8)
_INT64_MAX = (1 << 63) - 1


class PayloadError(ValueError):
    """A payload is not what the format allows; the message is one phrase."""


def decode_payload(data: bytes) -> dict[str, Any]:
    """The record in `data`: typed arrays stay `cbor2.CBORTag`, see `typed_array`. Raises PayloadError."""
    if not data or data[0] >> 5 != _MAP:
        raise PayloadError("not a map")
    if _walk(data, 0, 1) != len(data):
        raise PayloadError("bytes after its end")
    try:
        # A target with little memory may cut a text in the middle of a character.
        record = cbor2.loads(data, str_errors="replace")
    except (cbor2.CBORDecodeError, ValueError, RecursionError) as error:
        raise PayloadError(f"not readable as CBOR ({type(error).__name__})") from error
    if not isinstance(record, dict):
        raise PayloadError("not a map")
    return record


def typed_array(value: Any) -> NDArray[Any] | None:
    """The unsigned integers of a typed array, without a copy, or None when `value` is not one."""
    if not isinstance(value, cbor2.CBORTag) or value.tag not in _TYPED or not isinstance(value.value, bytes):
        return None
    kind = np.dtype(_TYPED[value.tag])
    return np.frombuffer(value.value, kind) if len(value.value) % kind.itemsize == 0 else None


def _walk(data: bytes, at: int, depth: int) -> int:
    """The position after the item that begins at `at`."""
    kind, number, at = _head(data, at)
    if kind in (_UINT, _NEGATIVE):
        if kind == _NEGATIVE and number > _INT64_MAX:
            raise PayloadError("a number below -2^63")
        return at
    if kind == _SIMPLE:
        return at
    if kind == _TAG:
        if number not in _TYPED:
            raise PayloadError(f"tag {number}")
        inner, size, start = _head(data, at)
        if inner != _BYTES:
            raise PayloadError("a typed array that is not a byte string")
        return _skip(data, start, size)
    if kind in (_BYTES, _TEXT):
        if kind == _TEXT and number > TEXT_MAX:
            raise PayloadError(f"a text of {number} bytes")
        return _skip(data, at, number)
    return _walk_entries(data, at, depth, kind, number)


def _walk_entries(data: bytes, at: int, depth: int, kind: int, number: int) -> int:
    if depth > DEPTH_MAX:
        raise PayloadError(f"deeper than {DEPTH_MAX}")
    if number > ENTRIES_MAX:
        raise PayloadError(f"{number} entries in one {'map' if kind == _MAP else 'array'}")
    for _ in range(number):
        if kind == _MAP:
            if at >= len(data) or data[at] >> 5 != _TEXT:
                raise PayloadError("a key that is not text")
            at = _walk(data, at, depth)
        at = _walk(data, at, depth + 1)
    return at


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """Major type, its number, and the position after both."""
    if at >= len(data):
        raise PayloadError("cut short")
    kind, low = data[at] >> 5, data[at] & 31
    at += 1
    if kind == _SIMPLE:
        if low not in (20, 21, 22):  # false, true, null
            raise PayloadError("a float or an unknown simple value")
        return kind, low, at
    if low < 24:
        return kind, low, at
    if low > 27:
        raise PayloadError("an item of indefinite length")
    size = 1 << (low - 24)
    if at + size > len(data):
        raise PayloadError("cut short")
    return kind, int.from_bytes(data[at : at + size], "big"), at + size


def _skip(data: bytes, at: int, size: int) -> int:
    if size > len(data) - at:
        raise PayloadError("cut short")
    return at + size
