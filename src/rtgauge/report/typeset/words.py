"""Texts as they are printed: cleaned, and with places where a word too long for its line may break.

A place to break is a boundary between two pieces of a text, never a sign in it: what a reader copies from the page is
what was there.
"""

from __future__ import annotations

import math

from rtgauge.report import display
from rtgauge.report.typeset.metrics import Face, Metrics

Words = str | list[str]
"""A text, or its pieces, between which it may break."""

_KERNED = 0.97  # letters in a row are not as wide as each for itself: some stand farther apart
_LINE_ENDS = {0x2028: " ", 0x2029: " "}
_JOINTS = frozenset("/\\_-.,:;=&?@+)]}|")  # a long word breaks after one of these rather than elsewhere


def clean(text: str) -> str:
    """`text` in one line, without what is not to be seen."""
    return display.plain(text).translate(_LINE_ENDS)


def set_in(text: str, room: float, size: float, metrics: Metrics, face: Face = "body") -> Words:
    """`text` for lines `room` points wide."""
    text = clean(text)
    room *= _KERNED
    if metrics.width(text, size, face) <= room:
        return text
    pieces: list[str] = []
    begun = ""
    for place, word in enumerate(text.split(" ")):
        begun += " " if place else ""
        if metrics.width(word, size, face) <= room:
            begun += word
            continue
        *ended, last = _cut(word, room, size, metrics, face)
        for piece in ended:
            pieces.append(begun + piece)
            begun = ""
        begun += last
    pieces.append(begun)
    return pieces if len(pieces) > 1 else pieces[0]


def cut_short(text: str, room: float, size: float, metrics: Metrics, face: Face = "body") -> str:
    """`text` in one line of `room` points; what does not fit is left out, and dots say so."""
    text = clean(text)
    if metrics.width(text, size, face) <= room:
        return text
    room -= metrics.width("…", size, face)
    kept, width = 0, 0.0
    for letter in text:
        width += metrics.width(letter, size, face)
        if width > room:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def longest(text: str, size: float, metrics: Metrics, face: Face = "body", most: float = math.inf) -> float:
    """The width of the longest word of `text`; a word wider than `most` breaks, and counts as that."""
    return min(most, max((metrics.width(word, size, face) for word in clean(text).split(" ")), default=0.0))


def _cut(word: str, room: float, size: float, metrics: Metrics, face: Face) -> list[str]:
    """`word` in pieces that fit into `room`, each as long as can be, or to its last joint where that is not far."""
    pieces: list[str] = []
    begin = joint = 0
    width = 0.0
    for place, letter in enumerate(word):
        step = metrics.width(letter, size, face)
        if width + step > room and place > begin:
            end = joint if joint - begin > (place - begin) / 2 else place
            pieces.append(word[begin:end])
            begin = end
            width = metrics.width(word[begin:place], size, face)
        width += step
        if letter in _JOINTS:
            joint = place + 1
    return [*pieces, word[begin:]]
