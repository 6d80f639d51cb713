"""How figures and names look: scaling for display only, never rounding that is computed with again."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

NARROW = "\u202f"  # narrow no-break space: groups digits, parts a number from its unit
_FACTORS = {"1/1000": 1e3}  # units that are parts of one
_COUNTED = {"1"}  # units that say only that something was counted
_MICRO = re.compile(r"(?<=\d)( ?)us\b")
_STEPS = {
    "ns": (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)),
    "B": (("B", 1.0), ("KiB", 1024.0), ("MiB", 1024.0**2), ("GiB", 1024.0**3)),
}
LOG_AXIS_RATIO = 10.0  # wider than this from smallest to largest, a linear axis hides the bulk


@dataclass(frozen=True)
class Scale:
    """How one set of figures is shown: `value / factor` in `unit` with `digits` decimals."""

    unit: str
    factor: float
    digits: int

    def show(self, value: float | None) -> str:
        """The number alone, digits grouped; a dash where there is none."""
        if value is None or not math.isfinite(value):
            return "–"
        shown = value / self.factor
        digits = self.digits if abs(shown) < 1000 else min(self.digits, 1)
        text = f"{shown:,.{digits}f}".replace(",", NARROW).replace("-", "−")
        return text[1:] if text.startswith("−") and not text.strip("−0." + NARROW) else text


def scale_for(typical: float | None, unit: str | None) -> Scale:
    """The scale in which `typical` (the median, say) reads best; three or four digits of it are kept."""
    unit = "" if unit in _COUNTED else unit or ""
    if unit in _FACTORS:
        return Scale("", _FACTORS[unit], 3)
    size = abs(typical) if typical is not None and math.isfinite(typical) else 0.0
    name, factor = unit, 1.0
    for step, of_step in _STEPS.get(unit, ()):
        if size >= of_step:
            name, factor = step, of_step
    shown = size / factor
    if factor == 1.0 and (shown >= 100 or shown == int(shown)):
        return Scale(name, factor, 0)
    return Scale(name, factor, 1 if shown >= 1000 else 2 if shown >= 10 else 3)


def scale_of(result: Mapping[str, Any]) -> Scale:
    """The scale of a result's figures: by its median, or by its largest sample where no median is known."""
    median = result.get("median")
    return scale_for(result.get("max") if median is None else median, result.get("unit"))


def quantity(value: float | None, unit: str | None) -> str:
    """One figure with its unit, each scaled for itself."""
    scale = scale_for(value, unit)
    number = scale.show(value)
    return f"{number}{NARROW}{scale.unit}" if scale.unit and number != "–" else number


def count(value: int | float | None) -> str:
    return "–" if value is None else f"{int(value):,}".replace(",", NARROW)


def seconds(value: float | None) -> str:
    """A length of time that a reader lives through."""
    if value is None or not math.isfinite(value):
        return "–"
    if value >= 7200:
        return f"{value / 3600:.1f}{NARROW}h"
    if value >= 120:
        return f"{value / 60:.1f}{NARROW}min"
    return f"{value:.3g}{NARROW}s" if value < 1 else f"{value:.1f}{NARROW}s"


def moment(value: float | None) -> str:
    """A time since the run began, fine enough to find a sample in its diagram."""
    return "–" if value is None or not math.isfinite(value) else f"{value:,.6f}".replace(",", NARROW)


def each(value: float | None, unit: str | None, operations: int) -> str:
    """The share of one operation in a figure of a batch; empty where a sample holds no more than one."""
    return f"{quantity(value / operations, unit)} per operation" if operations > 1 and value is not None else ""


def micro(text: str) -> str:
    """`text` with its microseconds written as in every table of the report."""
    return _MICRO.sub(r"\1µs", text)


def sentence(text: str) -> str:
    """`text` as it stands alone in a cell or a heading: begun with a capital letter, no full stop at its end."""
    return text[:1].upper() + (text[1:-1] if text.endswith(".") and not text.endswith("..") else text[1:])


_LEGAL_ANCHOR = re.compile(r"[^A-Za-z0-9]+")


def anchor(*parts: Any) -> str:
    """A name for a place in the report, safe in an attribute and an address whatever the parts hold."""
    return "-".join(_LEGAL_ANCHOR.sub("-", str(part)).strip("-").lower() or "x" for part in parts)


def plain(text: str) -> str:
    """`text` with control and direction characters made visible as replacement signs; line breaks become spaces."""
    if text.isprintable():  # which has none of them: most texts
        return text
    return "".join(
        " " if sign in "\n\t\r" else "\ufffd" if unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co"} else sign
        for sign in text
    )


def wide(values: Iterable[float]) -> bool:
    """Whether values spread so far, all above zero, that their axis should be logarithmic."""
    finite = [value for value in values if math.isfinite(value)]
    return bool(finite) and min(finite) > 0 and max(finite) > LOG_AXIS_RATIO * min(finite)
