import contextlib
import struct

import cbor2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rtgauge.trace.payload import ENTRIES_MAX, TEXT_MAX, PayloadError, decode_payload, typed_array
from tests.support.traces import typed

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=20) | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


def nested(depth: int) -> bytes:
    """A map within maps, `depth` of them."""
    return b"\xa1\x61a" * (depth - 1) + b"\xa0"


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=5))
def test_legal_records_come_back(record: dict[str, object]) -> None:
    assume(depth_of(record) <= 8)
    assert decode_payload(cbor2.dumps(record)) == record


def depth_of(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    for payload in (data, b"\xa1\x61a" + data, b"\xbf" + data):
        with contextlib.suppress(PayloadError):
            assert isinstance(decode_payload(payload), dict)


@given(st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=3), st.data())
def test_every_cut_is_refused(record: dict[str, object], data: st.DataObject) -> None:
    whole = cbor2.dumps(record)
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(PayloadError):
        decode_payload(whole[:cut])


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"", "not a map"),
        (cbor2.dumps([1]), "not a map"),
        (cbor2.dumps({"a": 1}) + b"\0", "after its end"),
        (cbor2.dumps({1: 1}), "key that is not text"),
        (cbor2.dumps({"a": 1.5}), "float"),
        (cbor2.dumps({"a": cbor2.undefined}), "float or an unknown"),
        (b"\xa1\x61a\x9f\x01\xff", "indefinite"),
        (b"\xbf\x61a\x01\xff", "indefinite"),
        (b"\xa1\x61a\xc1\x01", "tag 1"),
        (b"\xa1\x61a\xd8\x1c\x80", "tag 28"),
        (b"\xa1\x61a\xd8\x45\x80", "not a byte string"),
        (b"\xa1\x61a" + b"\x3b" + b"\xff" * 8, "below -2"),
        (cbor2.dumps({"a": "x" * (TEXT_MAX + 1)}), "text of 4097"),
        (cbor2.dumps({"a": [0] * (ENTRIES_MAX + 1)}), "4097 entries in one array"),
        (nested(9), "deeper than 8"),
        (b"\xa1\x61a" * 100_000, "deeper than 8"),
        (b"\xa1\x61a\x9b" + b"\xff" * 8, "entries in one array"),
        (b"\xa1\x61a\xbb" + b"\xff" * 8, "entries in one map"),
        (b"\xa1\x61a\x5b" + b"\xff" * 8, "cut short"),
        (b"\xa1\x61a\x7b" + b"\xff" * 8, "a text of"),
        (b"\xa1\x61a\xd8\x45\x5b" + struct.pack(">Q", 2**40), "cut short"),
        (b"\xa1\x61a\xff", "float or an unknown"),
        (b"\xa1\x61a\x1c", "indefinite"),
    ],
)
def test_what_the_format_does_not_allow(payload: bytes, why: str) -> None:
    with pytest.raises(PayloadError, match=why):
        decode_payload(payload)


def test_the_limits_themselves_are_allowed() -> None:
    assert decode_payload(nested(8))
    assert len(decode_payload(cbor2.dumps({"a": [0] * ENTRIES_MAX}))["a"]) == ENTRIES_MAX
    assert len(decode_payload(cbor2.dumps({"a": "x" * TEXT_MAX}))["a"]) == TEXT_MAX


def test_a_text_cut_within_a_character_is_kept() -> None:
    assert decode_payload(b"\xa1\x61a\x62x\xc3") == {"a": "x\ufffd"}


@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("swap", [False, True])
def test_typed_arrays_of_either_byte_order(width: int, swap: bool) -> None:
    values = np.array([0, 1, 2 ** (8 * width) - 1], np.uint64)
    record = decode_payload(cbor2.dumps({"a": typed(values, width, swap)}))
    found = typed_array(record["a"])
    assert found is not None
    assert found.astype(np.uint64).tolist() == values.tolist()


@pytest.mark.parametrize("value", [None, 3, b"12345678", [1], cbor2.CBORTag(71, b"1234567"), cbor2.CBORTag(1, b"")])
def test_what_is_no_typed_array(value: object) -> None:
    assert typed_array(value) is None
