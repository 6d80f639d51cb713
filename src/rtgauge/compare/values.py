"""The values of a comparison, all frozen: a Column for each system -> Comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from rtgauge.compare.parity import Parity
    from rtgauge.ratings import Ratings

Kind = Literal["run", "series", "reference"]
Pairs = tuple[tuple[str, str], ...]
VERDICT = "verdict"
FIRST = (VERDICT, "avg", "max", "min", "median")  # statistics in the order in which they are told


@dataclass(frozen=True)
class Figure:
    """One figure or verdict of one system: as it was printed, or measured."""

    statistic: str
    text: str  # digits as printed or measured; the word of a verdict
    unit: str = ""
    qualifier: str = ""  # <, >, <=, >=, approx, or empty
    note: str = ""  # what is in doubt about it
    environment: Mapping[str, str] = field(default_factory=dict)  # as far as it is known
    printed: Mapping[str, str] = field(default_factory=dict)  # of a published figure: where and under what name
    values: tuple[float, ...] = ()  # of a measured figure: that of each run
    unmeasurable: bool = False

    @property
    def number(self) -> Decimal | None:
        """None of a verdict."""
        return None if self.statistic == VERDICT else Decimal(self.text)


@dataclass(frozen=True)
class Key:
    """What has to be equal for two figures to stand side by side. `kind` "configuration" and "qualitative" are
    published figures that are no result of a test: `id` and `part` are their printed name."""

    id: str
    params: Pairs = ()
    part: str = ""
    check: str = ""  # of a behaviour test; empty: the test as a whole
    environment: Pairs = ()  # load, cache and tick as far as they are known
    kind: str = "test"


Cells = Mapping[Key, tuple[Figure, ...]]


@dataclass(frozen=True)
class Point:
    """One point for or against a system, and the results behind it as findings name them."""

    kind: Literal["positive", "negative"]
    text: str
    because: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Judged:
    """What was asked of a run, and what became of it."""

    limit: str  # as it was stated: "deadline 100 us", the name of a requirement
    ruling: str  # met, not met, inconclusive, invalid
    reason: str


@dataclass(frozen=True)
class Histogram:
    """Samples in bins, each from one value to below another, with their number; by rising values."""

    unit: str
    bins: tuple[tuple[float, float, int], ...]

    @property
    def n(self) -> int:
        return sum(count for _, _, count in self.bins)

    @property
    def top(self) -> float:
        """The end of the last bin."""
        return self.bins[-1][1]


@dataclass(frozen=True)
class Column:
    """One system with all its figures. `checks`: of a run, each check of its behaviour tests; they are told where a
    published verdict stands beside them."""

    name: str
    kind: Kind
    configuration: Mapping[str, str]
    cells: Cells
    checks: Cells = field(default_factory=dict)
    runs: int = 1
    created: str = ""  # of the last run, as RFC 3339 writes it
    notes: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    judged: tuple[Judged, ...] = ()
    ratings: Ratings | None = None

    label: str = ""
    target: str = ""  # that was measured
    options: Mapping[str, str] | None = None  # that its kernel was built with; None: not known
    histograms: Mapping[Key, Histogram] = field(default_factory=dict)

    @property
    def short(self) -> str:
        """As tables and sentences call it."""
        return self.label or self.name.removeprefix("reference:")

    @property
    def virtual(self) -> bool:
        """Whether its times count instructions."""
        return self.configuration.get("time") == "virtual"

    @property
    def exact(self) -> bool:
        """Whether a run repeats to the last digit: it is known how long each instruction takes."""
        return self.virtual and "virtual ns per instruction" in self.configuration


@dataclass(frozen=True)
class Row:
    """A cell for each column, empty where that system has no such figure."""

    key: Key
    cells: tuple[tuple[Figure, ...], ...]
    best: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # columns by statistic
    notes: tuple[str, ...] = ()  # what is not printed of some, so that they may not be of quite the same

    @property
    def owners(self) -> tuple[int, ...]:
        """The columns that have figures here."""
        return tuple(i for i, cell in enumerate(self.cells) if cell)

    @property
    def statistics(self) -> tuple[str, ...]:
        found = dict.fromkeys(one.statistic for cell in self.cells for one in cell)
        return (*(name for name in FIRST if name in found), *(name for name in found if name not in FIRST))


@dataclass(frozen=True)
class Difference:
    """One measured figure of one column against the same of another, in their common unit."""

    row: int
    statistic: str
    column: int
    against: int
    unit: str
    difference: float
    ratio: float | None  # None where the other is not above zero
    interval: tuple[float, float] | None  # of the difference, at CONFIDENCE; None without repeats
    runs: tuple[int, int]

    @property
    def told_apart(self) -> bool:
        """Whether the interval is without zero."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)

    @property
    def basis(self) -> str:
        if self.interval is not None:
            return f"{self.runs[0]} against {self.runs[1]} runs"
        if self.runs == (1, 1):
            return "one run each"
        return f"{self.runs[0]} against {self.runs[1]} runs: no interval without repeats of both"


@dataclass(frozen=True)
class Setting:
    """One line of the configuration: a value for each column, None where it is not known."""

    name: str
    values: tuple[str | None, ...]

    @property
    def differs(self) -> bool:
        return len(set(self.values)) > 1


@dataclass(frozen=True)
class Sentence:
    """One sentence of the conclusion, and the rule that made it."""

    rule: str
    text: str
    rows: tuple[int, ...] = ()  # that it rests on


@dataclass(frozen=True)
class Comparison:
    columns: Sequence[Column]
    settings: tuple[Setting, ...]
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    parity: Parity
    conclusion: tuple[Sentence, ...] = ()
    kernels: tuple[Setting, ...] = ()  # options and words in which the kernels of measured systems differ
    ns_per_instruction: Decimal | None = None  # of virtual time, where all systems have the same
    instructions: bool = False  # whether key tests are shown in them

    @property
    def shared(self) -> tuple[Row, ...]:
        """Rows of tests in which at least two systems stand side by side."""
        return tuple(row for row in self.rows if row.key.kind == "test" and len(row.owners) > 1)
