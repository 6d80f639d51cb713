"""What a report is made of: frozen values without any layout. Sections build them, formats lay them out.

Every text in a block may come from an untrusted trace. Formats escape it; sections never write markup.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

Tone = Literal["plain", "good", "bad", "warn", "muted", "strong"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """One text with its meaning; `unit` is set apart from a number, `href` is the anchor of a part of this report."""

    text: str
    tone: Tone = "plain"
    unit: str = ""
    href: str = ""
    numeric: bool = False
    span: int = 1  # columns that it takes
    note: str = ""  # a second figure of the same, e.g. for one operation of a batch
    anchor: str = ""  # this cell is a place that others lead to
    kind: ClassVar[str] = "cell"


@dataclass(frozen=True)
class Badge:
    """A status word. Formats may colour it, but always print the word."""

    status: str
    kind: ClassVar[str] = "badge"


@dataclass(frozen=True)
class Span:
    """Where a result lies on an axis that all rows of its table share: each figure from 0 to 1."""

    low: float
    middle: float
    high: float
    top: float
    what: str
    kind: ClassVar[str] = "span"


@dataclass(frozen=True)
class Dots:
    """A figure of each of several runs, in their order; None where a run has none. Each place is from 0 to 1 on an axis
    of its own; the band, if any, lies behind."""

    places: tuple[float | None, ...]
    low: float | None
    high: float | None
    what: str
    kind: ClassVar[str] = "dots"


@dataclass(frozen=True)
class Bar:
    """From `low` to `high`, each from 0 to 1. `look` is one of `LOOKS`, and tells kinds apart by colour."""

    low: float
    high: float
    look: str
    what: str
    upper: bool = False  # lies upon what runs below it: an interrupt


@dataclass(frozen=True)
class Timeline:
    """What happened within one span of time; all of it is said in words elsewhere as well."""

    bars: tuple[Bar, ...]
    what: str
    ticks: tuple[tuple[float, str], ...] = ()  # (place from 0 to 1, its label): an axis below, where it is drawn
    kind: ClassVar[str] = "timeline"


LOOKS = ("thread", "interrupt", "late", "idle", "own", "gap")


@dataclass(frozen=True)
class Key:
    """What the looks of time lines stand for."""

    entries: tuple[tuple[str, str], ...]  # (look, meaning)
    kind: ClassVar[str] = "key"


@dataclass(frozen=True)
class Column:
    name: str
    numeric: bool = False
    optional: bool = False  # may be left out where there is no room


@dataclass(frozen=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell | Badge | Span | Dots | Timeline, ...], ...]
    title: str = ""
    note: str = ""
    style: Literal["plain", "figures", "contents", "matrix"] = "plain"
    folded: bool = False  # only its title is seen until it is asked for, where a format can; it needs a title
    kind: ClassVar[str] = "table"


@dataclass(frozen=True)
class Facts:
    """Names with their values, in reading order."""

    rows: tuple[tuple[str, Cell], ...]
    title: str = ""
    kind: ClassVar[str] = "facts"


@dataclass(frozen=True)
class Text:
    text: str
    tone: Tone = "plain"
    kind: ClassVar[str] = "text"


@dataclass(frozen=True)
class Code:
    """Lines to be copied as they stand: no word of them is changed, joined or broken."""

    lines: tuple[str, ...]
    title: str = ""
    kind: ClassVar[str] = "code"


@dataclass(frozen=True)
class Headline:
    """The one figure or word of a panel."""

    text: str
    unit: str = ""
    tone: Tone = "plain"
    kind: ClassVar[str] = "headline"


@dataclass(frozen=True)
class Item:
    text: str
    tone: Tone = "plain"
    links: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Bullets:
    items: tuple[Item, ...]
    title: str = ""
    empty: str = ""  # printed when there are no items
    kind: ClassVar[str] = "bullets"


@dataclass(frozen=True)
class Notice:
    """What the reader must know before anything else, and what to do about it."""

    title: str
    text: str
    todo: str = ""
    tone: Tone = "bad"
    kind: ClassVar[str] = "notice"


@dataclass(frozen=True, eq=False)
class Figure:
    """One diagram. `x` and `y` are in the units that the labels name; `z` is the upper end of a bin.

    samples: x seconds, y value.   histogram: x from, z to, y count.
    tail: x value, y share of samples at or above x.   against: x the declared small number, y value.
    """

    plot: Literal["samples", "histogram", "tail", "against"]
    title: str
    caption: str
    x_label: str
    y_label: str
    x: Floats
    y: Floats
    z: Floats = field(default_factory=lambda: np.empty(0))
    log: bool = False  # the value axis begins logarithmic
    span: tuple[float, float] | None = None  # of x, where several diagrams share their axes
    most: float | None = None  # of y, there
    kind: ClassVar[str] = "figure"


@dataclass(frozen=True)
class Panel:
    """Blocks that belong together and stand beside other panels."""

    title: str
    blocks: tuple[Block, ...]
    tone: Tone = "plain"
    wide: bool = False
    kind: ClassVar[str] = "panel"


@dataclass(frozen=True)
class Row:
    """Blocks side by side where there is room."""

    blocks: tuple[Block, ...]
    style: Literal["even", "hero", "charts", "small", "notes", "beside"] = "even"
    kind: ClassVar[str] = "row"


@dataclass(frozen=True)
class Part:
    """A heading with an anchor, and what stands below it."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]
    label: str = ""  # small text before the title, e.g. a test's id
    statuses: tuple[str, ...] = ()
    level: int = 2
    kind: ClassVar[str] = "part"


Block = Table | Facts | Text | Code | Headline | Bullets | Notice | Figure | Key | Panel | Row | Part


@dataclass(frozen=True)
class Section:
    """One section of the report; sections appear by rising `order`."""

    order: int
    part: Part
    short: str  # for navigation
    first_screen: bool = False
