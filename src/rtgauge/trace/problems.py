"""What is wrong with a trace, one line each, in bounded number."""

from __future__ import annotations

_MOST = 200


class Problems:
    """A damaged trace may have a problem in every frame; after the first ones they are only counted."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._more = 0

    def add(self, line: str) -> None:
        if len(self._lines) < _MOST:
            self._lines.append(line)
        else:
            self._more += 1

    def lines(self) -> tuple[str, ...]:
        return (*self._lines, f"and {self._more} more problems") if self._more else tuple(self._lines)
