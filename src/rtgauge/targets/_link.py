"""The host's side of the link to a board (docs/serial.md): bytes in, bytes out, no device and no clock of its own.

Nothing that comes is trusted: a line without a board on it brings anything.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import google_crc32c
from cobs import cobs

VERSION = 1
PAYLOAD = 240  # bytes of the channel in one packet, at most
WINDOW = 16  # packets that a board has on their way at the same time, at most
STOP = b"\x03" * 32  # asks an engine for its end; a board that looks rarely sees one byte of it, and counts
STOP_S = 0.1  # so often
QUIET_S = 2.5  # a board says hello each second: nobody speaks to one that may still be in its boot loader
OPEN_S = 0.5  # a conversation is asked for so often
RESEND_S = 0.3  # and a packet of the request; beside the time that it takes on the line
_HELLO, _OPEN, _DATA, _ACK, _TEXT, _END = b"HODATE"
_STUFFED_MOST = 250
_TEXTS_MOST = 20
_STRANGE_MOST = 400  # bytes of what is no packet that are kept to be shown


@dataclass(frozen=True)
class Packet:
    kind: int
    session: int
    number: int
    payload: bytes


def encode(kind: int, session: int, number: int, payload: bytes = b"") -> bytes:
    """A packet with the zero bytes around it."""
    body = struct.pack("<BHH", kind, session, number) + payload
    stuffed: bytes = cobs.encode(body + struct.pack("<I", google_crc32c.value(body)))
    return b"\0" + stuffed + b"\0"


def decode(stuffed: bytes) -> Packet | None:
    """The packet between two zero bytes, None when it is none or damaged."""
    if len(stuffed) > _STUFFED_MOST:
        return None
    try:
        body = cobs.decode(stuffed)
    except cobs.DecodeError:
        return None
    if len(body) < 9 or google_crc32c.value(body[:-4]) != struct.unpack("<I", body[-4:])[0]:
        return None
    kind, session, number = struct.unpack("<BHH", body[:5])
    return Packet(kind, session, number, body[5:-4])


class Packets:
    """Cuts what a line brings into packets; holds no more than one back."""

    def __init__(self) -> None:
        self.damaged = 0
        self._rest = b""
        self._spoilt = False
        self._strange = b""

    def feed(self, chunk: bytes) -> Iterator[Packet]:
        *ended, tail = chunk.split(b"\0")
        for piece in ended:
            stuffed, self._rest = self._rest + piece, b""
            packet = None if self._spoilt else decode(stuffed)
            if packet is not None:
                yield packet
            elif stuffed or self._spoilt:
                self.damaged += 1
                self._note(stuffed)
            self._spoilt = False
        self._rest += tail
        if len(self._rest) > _STUFFED_MOST:
            self._note(self._rest)
            self._rest, self._spoilt = b"", True

    @property
    def strange(self) -> bytes:
        """The last bytes that were no packets."""
        return (self._strange + self._rest)[-_STRANGE_MOST:]

    def _note(self, piece: bytes) -> None:
        self._strange = (self._strange + piece)[-_STRANGE_MOST:]


@dataclass(frozen=True)
class Hello:
    """What a board says of itself when it waits for a request."""

    frame_max: int  # bytes of the largest request
    jobs_most: int  # 0: more than anybody asks for
    name: str


class State(Enum):
    LISTENING = "listening"  # for a hello
    OPENING = "opening"
    REQUESTING = "requesting"
    RUNNING = "running"
    ENDED = "ended"
    LOST = "lost"  # the board has started again


@dataclass
class Counts:
    """Of one conversation, or of several."""

    received: int = 0  # bytes of the trace
    damaged: int = 0  # packets, on arrival here
    twice: int = 0  # packets that were there already
    board_packets: int = 0  # sent by the board,
    board_again: int = 0  # of them not for the first time,
    board_damaged: int = 0  # and damaged on arrival there

    def add(self, other: Counts) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Conversation:
    """One request and its answer. `take` what came and `tick` now and then, send what is in `out`; times in s."""

    def __init__(self, session: int, request: bytes, byte_s: float, now: float) -> None:
        self.session, self.out = session, bytearray()
        self.state = State.LISTENING
        self.status = 1
        self.hello: Hello | None = None
        self.version: int | None = None  # of a link that is not known here
        self.texts: list[str] = []
        self.counts = Counts()
        self.packets = Packets()
        self.heard = 0  # bytes of any kind
        self._pieces = [request[at : at + PAYLOAD] for at in range(0, len(request), PAYLOAD)]
        self._piece = 0
        self._stop_at = now
        self._resend_s = RESEND_S + 2 * _STUFFED_MOST * byte_s
        self._busy = False  # the board may be at something else
        self._expected = 0
        self._early: dict[int, bytes] = {}  # packets behind one that is missing
        self._last = self._sent = now  # something came; something was sent

    def take(self, chunk: bytes, now: float) -> bytes:
        """What of the trace `chunk` brings, in order."""
        self.heard += len(chunk)
        self._last = now
        arrived = bytearray()
        answer = False
        for packet in self.packets.feed(chunk):
            if packet.kind == _HELLO:
                self._greeted(packet, now)
            elif packet.kind == _TEXT:
                self._told(packet.payload)
            elif packet.session != self.session:
                self._others(packet, now)
            elif packet.kind == _DATA and self.state in (State.REQUESTING, State.RUNNING):
                self.state, answer = State.RUNNING, True
                arrived += self._data(packet)
            elif packet.kind == _ACK and self.state is State.REQUESTING:
                self._acknowledged(packet, now)
            elif packet.kind == _END and self.state in (State.REQUESTING, State.RUNNING, State.ENDED):
                self._end(packet)
        if answer:
            bits = sum(1 << i for i in range(WINDOW) if (self._expected + i) & 0xFFFF in self._early)
            self.out += encode(_ACK, self.session, self._expected, struct.pack("<H", bits))
        self.counts.damaged = self.packets.damaged
        self.counts.received += len(arrived)
        return bytes(arrived)

    def tick(self, now: float) -> None:
        """Says again what was not answered."""
        if self.state is State.LISTENING and now - self._last >= QUIET_S:
            self._interrupt(now)
        elif self.state is State.OPENING and now - self._sent >= OPEN_S:
            self._interrupt(now) if self._busy else self._open(now)
        elif self.state is State.REQUESTING and self._piece < len(self._pieces) and now - self._sent >= self._resend_s:
            self._send_piece(now)

    # ---- what came ----

    def _greeted(self, packet: Packet, now: float) -> None:
        if packet.session not in (0, self.session) or len(packet.payload) < 7:
            return
        version, frame_max, jobs_most = struct.unpack("<BIH", packet.payload[:7])
        if version != VERSION:
            self.version = version
            return
        self._busy = False
        if packet.session == 0:
            if self.state in (State.LISTENING, State.OPENING):
                self._open(now)
            elif self.state is State.REQUESTING and self._piece == 0:
                self._open(now)  # the board waited for too long
            elif self.state is not State.ENDED:
                self.state = State.LOST
        elif self.state is State.OPENING:
            self.hello = Hello(frame_max, jobs_most, packet.payload[7:].decode("utf-8", "replace"))
            self.state = State.REQUESTING
            self._send_piece(now)

    def _others(self, packet: Packet, now: float) -> None:
        """A packet of another conversation: the board is still at that."""
        if packet.kind == _DATA and self.state is State.LISTENING:
            self._interrupt(now)

    def _acknowledged(self, packet: Packet, now: float) -> None:
        if packet.number == self._piece + 1:
            self._piece += 1
            if self._piece < len(self._pieces):
                self._send_piece(now)

    def _data(self, packet: Packet) -> bytes:
        ahead = (packet.number - self._expected) & 0xFFFF
        if ahead >= WINDOW or packet.number in self._early:
            self.counts.twice += 1
            return b""
        self._early[packet.number] = packet.payload
        whole = bytearray()
        while self._expected in self._early:
            whole += self._early.pop(self._expected)
            self._expected = (self._expected + 1) & 0xFFFF
        return bytes(whole)

    def _told(self, text: bytes) -> None:
        if len(self.texts) < _TEXTS_MOST:
            self.texts.append(readable(text))

    def _end(self, packet: Packet) -> None:
        if len(packet.payload) != 16:
            return
        self.out += encode(_END, self.session, 0)
        if self.state is not State.ENDED:
            status, sent, again, damaged = struct.unpack("<iIII", packet.payload)
            self.state, self.status = State.ENDED, status if 0 <= status < 256 else 1
            self.counts.board_packets, self.counts.board_again, self.counts.board_damaged = sent, again, damaged

    # ---- what goes out ----

    def stop(self, now: float) -> None:
        """Asks for an early end, again and again."""
        if now >= self._stop_at:
            self._stop_at = now + STOP_S
            self.out += STOP

    def _interrupt(self, now: float) -> None:
        """For an engine that is still at what somebody else asked for."""
        self._busy = True
        self.stop(now)
        self._open(now)

    def _open(self, now: float) -> None:
        self.state, self._sent = State.OPENING, now
        self.out += encode(_OPEN, self.session, 0)

    def _send_piece(self, now: float) -> None:
        self._sent = now
        if self._piece < len(self._pieces):
            self.out += encode(_DATA, self.session, self._piece, self._pieces[self._piece])


def readable(text: bytes) -> str:
    """One line of what may be text; "" when it is none."""
    kept = "".join(c if c.isprintable() else " " for c in text.decode("utf-8", "replace").replace("\ufffd", "\0"))
    return " ".join(kept.split())
