"""A board on a pseudo-terminal, and a relay between both that loses, flips, adds and repeats bytes, by a seed."""

from __future__ import annotations

import contextlib
import os
import random
import select
import subprocess
import threading
import time
import tty
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = 64


@dataclass(frozen=True)
class Faults:
    """In a million bytes, either way; of `twice`: blocks of BLOCK bytes that come again."""

    drop: int = 0
    flip: int = 0
    noise: int = 0
    twice: int = 0
    late_s: float = 0.0  # each chunk, at most


@dataclass
class Relay:
    """Between `board`, a program whose line is its standard input and output, and the device `path`."""

    board: subprocess.Popen[bytes]
    faults: Faults
    seed: int
    to_board: bytearray = field(default_factory=bytearray)  # what the host sent
    to_host: bytearray = field(default_factory=bytearray)  # what the board sent

    def __post_init__(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._random = random.Random(self.seed)
        self._pulled = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """The cable is out: the device vanishes."""
        if not self._pulled.is_set():
            self._pulled.set()
            self._thread.join()
            os.close(self._slave)
            os.close(self.master)

    def _carry(self) -> None:
        assert self.board.stdin is not None
        assert self.board.stdout is not None
        ways = {
            self.master: (self.board.stdin.fileno(), self.to_board),
            self.board.stdout.fileno(): (self.master, self.to_host),
        }
        while not self._pulled.is_set():
            for ready in select.select(list(ways), [], [], 0.01)[0]:
                to, seen = ways[ready]
                with contextlib.suppress(OSError):
                    chunk = os.read(ready, 4096)
                    if not chunk:
                        return
                    seen += chunk
                    if self.faults.late_s:
                        time.sleep(self._random.random() * self.faults.late_s)
                    rest = memoryview(self._damaged(chunk))
                    while rest:
                        rest = rest[os.write(to, rest) :]

    def _damaged(self, chunk: bytes) -> bytes:
        faults, happens = self.faults, lambda n: n and self._random.randrange(1_000_000) < n
        if not (faults.drop or faults.flip or faults.noise or faults.twice):
            return chunk
        out = bytearray()
        for byte in chunk:
            if happens(faults.noise):
                out.append(self._random.randrange(256))
            if not happens(faults.drop):
                out.append(byte ^ (1 << self._random.randrange(8)) if happens(faults.flip) else byte)
            if happens(faults.twice):
                out += out[-BLOCK:]
        return bytes(out)


@contextlib.contextmanager
def board(program: Path, faults: Faults = Faults(), seed: int = 1, **environment: object) -> Iterator[Relay]:
    """A board that is switched on, and its line. `environment`: as engine/selftest/link_board.c says."""
    with connected([program], faults, seed, {name: str(value) for name, value in environment.items()}) as relay:
        yield relay


@contextlib.contextmanager
def connected(command: list[str | Path], faults: Faults, seed: int, environment: Mapping[str, str]) -> Iterator[Relay]:
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={**os.environ, **environment}
    )
    relay = Relay(process, faults, seed)
    try:
        yield relay
    finally:
        relay.pull()
        process.kill()
        process.wait()
        for file in (process.stdin, process.stdout):
            if file is not None:
                file.close()
