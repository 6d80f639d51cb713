"""How wide a text is, as the typesetter itself measures its letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rtgauge.report.typeset import printer
from rtgauge.report.typeset.paper import MONO

Face = Literal["body", "bold", "mono"]

MOST = 4000  # different letters that are measured; of a text with more, the rest counts as wide
_WIDE = 1.1  # of the size, for a letter that was not measured
_USUAL = "".join(map(chr, range(32, 127))) + "–−µ·…\u202f\ufffd"

_SOURCE = """
#let of(letters, ..look) = letters.map(one => measure(text(size: 100pt, ..look, one)).width.pt() / 100)
#let letters = json(bytes(sys.inputs.data))
#context metadata((
  body: of(letters, font: "Libertinus Serif"),
  bold: of(letters, font: "Libertinus Serif", weight: "bold"),
  mono: of(letters, font: "DejaVu Sans Mono"),
))
"""


@dataclass(frozen=True)
class Metrics:
    """Widths of letters in sizes of the type, by face."""

    widths: Mapping[Face, Mapping[str, float]]

    @cached_property
    def _known(self) -> dict[tuple[str, Face], float]:
        return {}

    def width(self, text: str, size: float, face: Face = "body") -> float:
        """Of `text` in one line, in points."""
        key = text, face
        found = self._known.get(key)
        if found is None:
            widths = self.widths[face]
            found = sum(widths.get(letter, _WIDE) for letter in text) * (MONO if face == "mono" else 1.0)
            self._known[key] = found
        return found * size


def measured(texts: Iterable[str]) -> Metrics:
    """The widths of all letters of these texts."""
    found = set(_USUAL)
    for text in texts:
        found.update(text)
    letters = [*_USUAL, *sorted(found - set(_USUAL))[:MOST]]
    widths = printer.queried(_SOURCE, letters)
    return Metrics({face: dict(zip(letters, widths[face], strict=True)) for face in ("body", "bold", "mono")})
