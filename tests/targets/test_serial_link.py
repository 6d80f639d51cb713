"""The host's side of the serial link, byte by byte: whatever comes, nothing breaks and nothing false gets through."""

from __future__ import annotations

import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.targets._link import (
    OPEN_S,
    PAYLOAD,
    QUIET_S,
    WINDOW,
    Conversation,
    Packets,
    State,
    decode,
    encode,
    readable,
)

SESSION = 77
HELLO, OPEN, DATA, ACK, TEXT, END = b"HODATE"
GREETING = struct.pack("<BIH", 1, 1024, 0) + b"board"
REQUEST = bytes(range(256)) * 2


def hello(session: int = 0, payload: bytes = GREETING) -> bytes:
    return encode(HELLO, session, 0, payload)


def sent(talk: Conversation) -> list[tuple[str, int, bytes]]:
    """The packets in `out`, which is then empty."""
    packets = [(chr(p.kind), p.number, p.payload) for p in Packets().feed(bytes(talk.out))]
    talk.out.clear()
    return packets


def talking(request: bytes = b"r") -> Conversation:
    """A conversation whose request has come to the board."""
    talk = Conversation(SESSION, request, 1e-4, 0.0)
    talk.take(hello() + hello(SESSION), 0.1)
    talk.out.clear()
    return talk


@given(st.binary(max_size=2000), st.binary(max_size=PAYLOAD), st.binary(max_size=2000))
def test_a_packet_is_found_whatever_is_around_it(before: bytes, payload: bytes, after: bytes) -> None:
    stream = before + encode(DATA, 1, 2, payload) + after
    found = [(p.kind, p.session, p.number, p.payload) for p in Packets().feed(stream)]
    assert found == [(DATA, 1, 2, payload)]


@given(st.binary(max_size=3000), st.integers(1, 400))
def test_it_does_not_matter_how_a_stream_is_cut(noise: bytes, step: int) -> None:
    stream = noise + encode(DATA, 1, 2, b"abc") + noise + encode(TEXT, 1, 3, b"def")
    whole, pieces = Packets(), Packets()
    expected = list(whole.feed(stream))
    assert [p for at in range(0, len(stream), step) for p in pieces.feed(stream[at : at + step])] == expected
    assert (pieces.damaged, len(pieces._rest) <= 250) == (whole.damaged, True)


@given(st.binary(max_size=PAYLOAD), st.integers(0, 10**9), st.integers(1, 255))
def test_no_damaged_packet_is_taken(payload: bytes, at: int, flip: int) -> None:
    stuffed = encode(DATA, 1, 2, payload)[1:-1]
    place = at % len(stuffed)
    damaged = stuffed[:place] + bytes([stuffed[place] ^ flip]) + stuffed[place + 1 :]
    assert decode(damaged) is None
    assert list(Packets().feed(b"\0" + damaged + b"\0")) == []


SESSIONS = st.sampled_from([0, SESSION, 3])
PACKETS = st.tuples(st.sampled_from(list(b"HODATE?")), SESSIONS, st.integers(0, 0xFFFF), st.binary(max_size=PAYLOAD))


@given(st.lists(st.one_of(st.binary(max_size=600), PACKETS), max_size=30))
def test_nothing_that_comes_is_trusted(pieces: list[bytes | tuple[int, int, int, bytes]]) -> None:
    talk = Conversation(SESSION, REQUEST, 1e-4, 0.0)
    for i, piece in enumerate(pieces):
        talk.take(piece if isinstance(piece, bytes) else encode(*piece), i / 10)
        talk.tick(i / 10)
    assert len(talk._early) <= WINDOW
    assert len(talk.texts) <= 20
    assert all(text.isprintable() for text in talk.texts)


def test_data_come_once_and_in_order_from_whatever_order() -> None:
    dice = random.Random(5)
    pieces = [bytes([i % 256]) * (1 + i % PAYLOAD) for i in range(2000)]
    talk, got, base, first = talking(), 0, 0, 65_000  # so that the numbers begin again at 0
    talk._expected = first
    while base < len(pieces):
        window = range(base, min(base + WINDOW, len(pieces)))
        chosen = [dice.choice(window) for _ in range(40)] + list(window)[: dice.randrange(WINDOW) + 1]
        arrived = talk.take(b"".join(encode(DATA, SESSION, (first + i) & 0xFFFF, pieces[i]) for i in chosen), 1.0)
        (kind, number, bits) = sent(talk)[-1]
        assert kind == "A"
        ahead = (number - first - base) & 0xFFFF
        assert arrived == b"".join(pieces[base : base + ahead])
        base, got = base + ahead, got + len(arrived)
        assert not struct.unpack("<H", bits)[0] & 1
    assert got == talk.counts.received == sum(map(len, pieces))
    assert talk.counts.twice > 0


def test_an_acknowledgement_names_what_is_there_beyond_a_gap() -> None:
    talk = talking()
    assert talk.take(b"".join(encode(DATA, SESSION, i, b"x") for i in (0, 2, 5)), 1.0) == b"x"
    assert sent(talk) == [("A", 1, struct.pack("<H", 0b10010))]
    assert talk.take(encode(DATA, SESSION, 1, b"y") + encode(DATA, SESSION, 17 + 2, b"z"), 1.0) == b"yx"
    assert sent(talk) == [("A", 3, struct.pack("<H", 0b100))]
    assert list(talk._early) == [5]  # what no board can have sent yet is not kept


def test_nobody_is_spoken_to_before_its_hello_or_a_silence() -> None:
    talk = Conversation(SESSION, REQUEST, 1e-4, 0.0)
    for i in range(100):  # a boot loader that counts
        talk.take(b"\b\b%d" % i, i / 10)
        talk.tick(i / 10)
    assert talk.out == b""
    talk.tick(9.9 + QUIET_S)
    assert talk.state is State.OPENING
    assert bytes(talk.out).startswith(b"\3" * 32)
    assert sent(talk)[0][0] == "O"
    talk.tick(9.9 + QUIET_S + OPEN_S)
    assert [kind for kind, _, _ in sent(talk)] == ["O"]


def test_a_request_goes_piece_by_piece_until_each_has_come() -> None:
    talk = Conversation(SESSION, REQUEST, 1e-4, 0.0)
    talk.take(hello(), 0.0)
    assert sent(talk) == [("O", 0, b"")]
    talk.take(hello(SESSION), 0.1)
    assert talk.hello is not None
    assert (talk.hello.frame_max, talk.hello.jobs_most, talk.hello.name) == (1024, 0, "board")
    first = ("D", 0, REQUEST[:PAYLOAD])
    assert sent(talk) == [first]
    talk.tick(0.2)
    assert sent(talk) == []
    talk.tick(1.0)
    talk.take(encode(ACK, SESSION, 0, b"\0\0"), 1.0)  # late, of the first that was sent twice
    assert sent(talk) == [first]
    talk.take(encode(ACK, SESSION, 1, b"\0\0"), 1.1)
    assert sent(talk) == [("D", 1, REQUEST[PAYLOAD : 2 * PAYLOAD])]
    talk.take(encode(ACK, SESSION, 1, b"\0\0"), 1.2)
    assert sent(talk) == []
    talk.take(encode(ACK, SESSION, 2, b"\0\0"), 1.2)
    assert sent(talk) == [("D", 2, REQUEST[2 * PAYLOAD :])]
    talk.take(encode(DATA, SESSION, 0, b"trace"), 1.3)  # so it has the rest as well
    talk.out.clear()
    talk.tick(100.0)
    assert (talk.out, talk.state) == (b"", State.RUNNING)


@pytest.mark.parametrize("board", ["running", "requesting"])
def test_a_hello_in_the_middle_means_that_the_board_started_again(board: str) -> None:
    talk = talking(REQUEST)
    talk.take(encode(ACK, SESSION, 1, b"\0\0"), 0.2)
    if board == "running":
        talk.take(encode(DATA, SESSION, 0, b"x"), 0.3)
    talk.take(hello(SESSION), 0.4)
    assert talk.state.value == board
    talk.take(hello(), 0.5)
    assert talk.state is State.LOST


def test_the_end_is_confirmed_each_time_and_told_once() -> None:
    talk = talking()
    talk.take(encode(DATA, SESSION, 0, b"x") + encode(TEXT, 0, 0, b"bye\x1b[31m\n"), 1.0)
    talk.out.clear()
    end = encode(END, SESSION, 0, struct.pack("<iIII", 87, 10, 2, 3))
    talk.take(end + end, 1.1)
    assert [kind for kind, _, _ in sent(talk)] == ["E", "E"]
    assert (talk.state, talk.status, talk.texts) == (State.ENDED, 87, ["bye [31m"])
    assert (talk.counts.board_packets, talk.counts.board_again, talk.counts.board_damaged) == (10, 2, 3)
    talk.take(hello(), 1.2)
    assert talk.state is State.ENDED


def test_what_belongs_to_another_conversation_is_left_out() -> None:
    talk = talking()
    other = encode(DATA, 3, 0, b"x") + encode(END, 3, 0, bytes(16)) + encode(END, SESSION, 0, b"short")
    assert talk.take(other, 1.0) == b""
    assert (talk.state, talk.out) == (State.REQUESTING, b"")


def test_a_line_without_zero_bytes_takes_no_memory() -> None:
    packets = Packets()
    for _ in range(100):
        assert list(packets.feed(b"abcdefgh" * 1000)) == []
    assert len(packets._rest) <= 250
    assert packets.strange == b"abcdefgh" * 50
    assert [packet.kind for packet in packets.feed(b"\0" + encode(TEXT, 1, 2))] == [TEXT]
    assert packets.damaged == 1


def test_a_link_of_another_version_is_told() -> None:
    talk = Conversation(SESSION, REQUEST, 1e-4, 0.0)
    talk.take(hello(0, struct.pack("<BIH", 2, 1024, 0)), 0.1)
    assert (talk.version, talk.state, talk.out) == (2, State.LISTENING, b"")


def test_readable_text_is_one_line_without_control_characters() -> None:
    assert readable(b"\x1b[2J U-Boot\r\n 2023 \xff\xfe ok\0") == "[2J U-Boot 2023 ok"
    assert readable(bytes(range(128, 160))) == ""
