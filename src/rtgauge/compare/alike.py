"""What has to be alike beside the settings that rank: how many samples there are, and what a guest is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from rtgauge.compare.parity import VIRTUAL
from rtgauge.compare.values import Column, Row

PROFILE = "profile"
_KERNEL = VIRTUAL + "kernel"
_BUILT_FOR_IT = (VIRTUAL + "module",)  # differs between kernels as it must
_OURS = (VIRTUAL + "init",)
_TIMES = 2  # as many samples


def sampling(columns: Sequence[Column], rows: Sequence[Row]) -> Iterator[str]:
    """That measured systems have unlike numbers of samples, in one line."""
    measured = [i for i, column in enumerate(columns) if column.kind != "reference"]
    counts = [[n for i in measured if (n := _samples(row, i))] for row in rows if row.key.kind == "test"]
    common = [found for found in counts if len(found) > 1]
    unlike = sum(max(found) > _TIMES * min(found) for found in common)
    if unlike:
        told = ", ".join(f"{columns[i].short} {columns[i].configuration.get(PROFILE, 'not known')}" for i in measured)
        yield (
            f"{unlike} of {len(common)} results have more than twice as many samples on one system as on another "
            f"(profile: {told}): a maximum of more samples lies further out"
        )


def _samples(row: Row, place: int) -> Decimal | None:
    return next((one.number for one in row.cells[place] if one.statistic == "n"), None)


def parts(columns: Sequence[Column]) -> Iterator[str]:
    """Which parts of their guests are of several builds that should be of one: a sentence for each."""
    virtual = [column for column in columns if column.virtual]
    for name in _OURS:
        yield from _several(name, virtual, "")
    for kernel in dict.fromkeys(column.configuration.get(_KERNEL) for column in virtual):
        having = [column for column in virtual if column.configuration.get(_KERNEL) == kernel]
        for name in _BUILT_FOR_IT if kernel else ():
            yield from _several(name, having, " on the same kernel")


def _several(name: str, columns: Sequence[Column], where: str) -> Iterator[str]:
    builds: dict[str, list[str]] = {}
    for column in columns:
        if value := column.configuration.get(name):
            builds.setdefault(value, []).append(column.short)
    if len(builds) > 1:
        told = "; ".join(f"{value} for {', '.join(names)}" for value, names in builds.items())
        yield (
            f"Several builds of the {name.removeprefix(VIRTUAL)}{where}: {told}. What differs between these is not due "
            "to kernels and command lines alone."
        )
