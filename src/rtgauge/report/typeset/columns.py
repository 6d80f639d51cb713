"""How wide the columns of a table are, how large its type, and what is done with a table too wide for its page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rtgauge.report.typeset.paper import SMALLEST, TEXT_WIDTH_LANDSCAPE

_STEP = 0.5
_STRETCH = 26.0  # at most so much is added to each column of a table that needs less than its room


@dataclass(frozen=True)
class Need:
    """What a column would take: its widest text in one line; every text broken as often as it may be; and an amount
    between them, in which most of its texts stand well."""

    natural: float
    least: float
    usual: float
    stretches: bool = False  # a drawing, which fills what is given to it


@dataclass(frozen=True)
class Fit:
    """One way to set a table: the groups of columns that stand below each other, each with its widths."""

    size: float
    groups: tuple[tuple[int, ...], ...]
    widths: tuple[tuple[float, ...], ...]
    turned: bool = False  # on a page of its own, landscape


def fit(needs: Callable[[float], Sequence[Need]], width: float, size: float, leading: int, turns: bool) -> Fit:
    """The first that goes: as it is, in smaller type, on a turned page, in groups of columns that each begin with the
    `leading` ones. `needs` tells what the columns take in a size of type."""
    here = _fit(needs, width, size)
    if here is None and turns:
        here = _fit(needs, TEXT_WIDTH_LANDSCAPE, size, turned=True)
    return here or _grouped(needs(SMALLEST), width, leading)


def shares(needs: Sequence[Need], width: float) -> tuple[float, ...]:
    """Widths that add up to no more than `width`. Below what is least, every column loses the same part of its own."""
    natural, least = sum(need.natural for need in needs), sum(need.least for need in needs)
    if natural <= width:
        flexible = sum(need.stretches for need in needs)
        rest = width - natural
        if flexible:
            return tuple(need.natural + (rest / flexible if need.stretches else 0.0) for need in needs)
        more = min(rest / len(needs), _STRETCH) if needs else 0.0
        return tuple(need.natural + more for need in needs)
    if least > width:
        return tuple(need.least * width / least for need in needs)
    usual = [min(max(need.usual, need.least), need.natural) for need in needs]
    if sum(usual) > width:
        return _between([need.least for need in needs], usual, width)
    return _between(usual, [need.natural for need in needs], width)


def _between(low: Sequence[float], high: Sequence[float], width: float) -> tuple[float, ...]:
    """Widths that add up to `width`, each the same part of the way from its low to its high one."""
    part = (width - sum(low)) / (sum(high) - sum(low))
    return tuple(one + (other - one) * part for one, other in zip(low, high, strict=True))


def _fit(needs: Callable[[float], Sequence[Need]], width: float, size: float, turned: bool = False) -> Fit | None:
    while size >= SMALLEST:
        found = needs(size)
        if sum(need.least for need in found) <= width:
            return Fit(size, (tuple(range(len(found))),), (shares(found, width),), turned)
        size -= _STEP
    return None


def _grouped(needs: Sequence[Need], width: float, leading: int) -> Fit:
    lead = tuple(range(min(leading, len(needs) - 1)))
    begun = sum(needs[column].least for column in lead)
    if begun > width / 2:
        lead, begun = (), 0.0
    groups: list[tuple[int, ...]] = []
    group, taken = lead, begun
    for column in range(len(lead), len(needs)):
        if taken + needs[column].least > width and len(group) > len(lead):
            groups.append(group)
            group, taken = lead, begun
        group, taken = (*group, column), taken + needs[column].least
    groups.append(group)
    widths = tuple(shares([needs[column] for column in one], width) for one in groups)
    return Fit(SMALLEST, tuple(groups), widths)
