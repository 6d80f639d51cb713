"""Measures of the page and its type, in points (1/72 inch)."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH, HEIGHT = 595.28, 841.89  # A4
MARGIN = 45.0  # left and right
TOP, BOTTOM = 62.0, 54.0
TEXT_WIDTH = WIDTH - 2 * MARGIN
TEXT_WIDTH_LANDSCAPE = HEIGHT - 2 * MARGIN
TEXT_HEIGHT = HEIGHT - TOP - BOTTOM

BODY = 9.5  # size of running text
TABLE = 8.5
NOTE = 7.0  # beside the figures of a result
SMALLEST = 6.5  # no text of a table is smaller
GUTTER = 10.0  # between blocks that stand side by side
LINE = 1.3  # from one line to the next, in sizes of the type

MONO = 0.88  # the fixed-width face is larger in itself: this part of the size looks alike


@dataclass(frozen=True)
class Room:
    """Where a block stands: how wide it may be, how large its type is, and whether it stands in the page itself, where
    pages can be turned."""

    width: float
    size: float = BODY
    table: float = TABLE
    top: bool = False
    small: bool = False  # diagrams in few square centimetres
    notes: bool = False  # beside the figures of a result

    @classmethod
    def page(cls) -> Room:
        return cls(TEXT_WIDTH, top=True)
