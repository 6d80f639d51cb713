import google_crc32c
import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.trace.frames import FRAME_MAX, Frame, FrameSplitter, decode_frame, encode_frame


def split(data: bytes, piece: int = 1 << 20) -> list[Frame | str]:
    splitter = FrameSplitter()
    return [one for at in range(0, len(data), piece) for one in splitter.feed(data[at : at + piece])]


@given(st.integers(0, 2**32 - 1), st.binary(min_size=1, max_size=2000), st.integers(1, 50))
def test_what_was_encoded_comes_back_however_it_is_cut(sequence: int, payload: bytes, piece: int) -> None:
    found = split(encode_frame(sequence, payload), piece)
    assert [(one.sequence, one.payload) for one in found if isinstance(one, Frame)] == [(sequence, payload)]


def test_the_frame_is_laid_out_as_documented() -> None:
    body = cobs.decode(encode_frame(258, b"xyz")[:-1])
    assert body[:4] == b"\x02\x01\x00\x00"
    assert body[4:-4] == b"xyz"
    assert int.from_bytes(body[-4:], "little") == google_crc32c.value(body[:-4])


@given(st.binary(min_size=1, max_size=200), st.data())
def test_no_flipped_byte_passes(payload: bytes, data: st.DataObject) -> None:
    whole = encode_frame(7, payload)
    at = data.draw(st.integers(0, len(whole) - 2))
    flipped = bytearray(whole)
    flipped[at] ^= data.draw(st.integers(1, 255))
    assert all(isinstance(one, str) for one in split(bytes(flipped)))


def test_a_bad_frame_costs_only_itself() -> None:
    good = [encode_frame(number, b"payload") for number in range(3)]
    found = split(good[0] + b"\x05no frame at all\x00" + good[1] + b"\0\0" + good[2])
    assert [one if isinstance(one, str) else one.sequence for one in found] == [0, "wrong byte stuffing", 1, 2]


def test_oversize_frames_are_refused_and_not_kept() -> None:
    splitter = FrameSplitter()
    for _ in range(100):
        assert list(splitter.feed(b"\x01" * 4096)) == []
        assert len(splitter._rest) <= FRAME_MAX + FRAME_MAX // 254 + 1
    assert list(splitter.feed(b"\x01\0" + encode_frame(0, b"next"))) == [
        f"larger than {FRAME_MAX} bytes",
        decode_frame(encode_frame(0, b"next")[:-1]),
    ]


def test_the_limit_is_that_of_the_format() -> None:
    largest = b"x" * (FRAME_MAX - 8)
    assert isinstance(split(encode_frame(0, largest))[0], Frame)
    with pytest.raises(ValueError, match="larger than"):
        encode_frame(0, largest + b"x")


def test_too_small_to_be_a_frame() -> None:
    assert decode_frame(cobs.encode(b"12345678")) == "only 8 bytes"


def test_what_is_left_over() -> None:
    splitter = FrameSplitter()
    assert splitter.left() == 0
    list(splitter.feed(b"abc"))
    assert splitter.left() == 3
