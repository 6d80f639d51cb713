"""The configuration of the systems as tables."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rtgauge.compare.configuration import CALLED
from rtgauge.compare.parity import VIRTUAL
from rtgauge.compare.tables import Grid, names
from rtgauge.compare.values import Comparison, Setting
from rtgauge.compare.words import NONE

ONE_KIND = "Configuration: what only one kind of system has"


def differing(made: Comparison) -> Grid:
    """The settings that differ; what is not known of a system is a dash, and differs from what is known."""
    found = [one for one in made.settings if one.differs and not _of_one_kind(made, one)]
    notes = () if found else ("Nothing that is known.",)
    return Grid("Configuration: what differs", ("setting", *names(made)), _lines(found), notes=notes)


def of_one_kind(made: Comparison) -> Grid:
    """The settings that only one of several operating systems has at all."""
    found = [one for one in made.settings if one.differs and _of_one_kind(made, one)]
    return Grid(ONE_KIND, ("setting", *names(made)), _lines(found))


def same(made: Comparison) -> Grid:
    found = [Setting(one.name, one.values[:1]) for one in made.settings if not one.differs]
    notes = () if found else ("Nothing that is known.",)
    return Grid("Configuration: the same", ("setting", "of all"), _lines(found), notes=notes)


def _lines(found: Iterable[Setting]) -> tuple[tuple[str, ...], ...]:
    """Digests last: they tell that something differs, not what."""
    ordered = sorted(found, key=_is_digest)
    return tuple((one.name, *(text or NONE for text in one.values)) for one in ordered)


def _is_digest(one: Setting) -> bool:
    of_parts = one.name == "engine" or one.name.startswith(VIRTUAL)
    return of_parts and any(re.fullmatch("[0-9a-f]{12}", text or "") for text in one.values)


def _of_one_kind(made: Comparison, one: Setting) -> bool:
    """Whether measured systems of one OS alone have it. What decides about ranking, and checks that
    cost time, stand among what all have."""
    if one.name in (*made.parity.rules.names, *CALLED.values()):
        return False
    told = [(column, text) for column, text in zip(made.columns, one.values, strict=True)]
    measured = {column.configuration.get("OS") for column, _ in told if column.kind != "reference"}
    having = [column for column, text in told if text is not None]
    return (
        len(measured) > 1
        and len({column.configuration.get("OS") for column in having}) == 1
        and all(column.kind != "reference" for column in having)
    )
