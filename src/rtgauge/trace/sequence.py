"""The sequence numbers of frames: what is missing, what came twice, and where the engine was started again."""

from __future__ import annotations

from dataclasses import dataclass

_REMEMBERED = 1024
_EARLY_KINDS = ("system", "clock", "descriptor", "test-begin")
"""Records that can only come with a small number when the engine has been started anew."""


@dataclass(frozen=True)
class Arrival:
    lost: int = 0  # frames missing before this one
    repeated: bool = False  # this frame must not be used
    restart: bool = False  # the first one that is seen of a new start whose run-begin is lost
    problem: str = ""


class SequenceCheck:
    def __init__(self) -> None:
        self.expected = 0
        self._recent: dict[int, int] = {}  # sequence number: CRC, the latest ones

    def take(self, sequence: int, crc: int, kind: str) -> Arrival:
        """Judges the next frame by its number; `kind` is the kind of its record, "" when it cannot be read."""
        known = self._recent.get(sequence) == crc
        if kind == "run-begin" and not (known and self.expected == sequence + 1):
            self._restart(sequence, crc)
            return Arrival()
        if sequence == self.expected:
            self._accept(sequence, crc)
            return Arrival()
        if sequence > self.expected:
            first, self.expected = self.expected, sequence
            self._accept(sequence, crc)
            return Arrival(lost=sequence - first, problem=f"{_range(first, sequence - 1)} missing")
        if not known and kind in _EARLY_KINDS:
            self._restart(sequence, crc)
            return Arrival(lost=sequence, restart=True, problem="a new start of the engine without its beginning")
        why = "came twice" if known else f"came after number {self.expected - 1}"
        return Arrival(repeated=True, problem=f"frame {sequence} {why}: ignored")

    def ended(self) -> None:
        """After a run-end nothing can be a repetition but of that frame."""
        self._recent.clear()

    def _restart(self, sequence: int, crc: int) -> None:
        self._recent.clear()
        self._accept(sequence, crc)

    def _accept(self, sequence: int, crc: int) -> None:
        self.expected = sequence + 1
        self._recent[sequence] = crc
        if len(self._recent) > _REMEMBERED:
            del self._recent[next(iter(self._recent))]


def _range(first: int, last: int) -> str:
    return f"frame {first} is" if first == last else f"frames {first} to {last} are"
