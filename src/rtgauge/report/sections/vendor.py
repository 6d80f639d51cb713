"""What the vendor of the system has to say, as it was given: nothing of it is checked, and none of it is mark-up."""

from __future__ import annotations

from rtgauge.report.blocks import Block, Part, Section, Text
from rtgauge.report.vendor import paragraphs
from rtgauge.report.view import RunView

_LEAD = (
    "As the vendor of the system gave them. Nothing of it was checked, and no figure of this report follows from it."
)


def section(run: RunView) -> Section | None:
    told = paragraphs(run.vendor)
    if not told:
        return None
    blocks: list[Block] = [Text(_LEAD, tone="muted"), *(Text(one) for one in told)]
    return Section(85, Part("vendor", "Comments of the vendor", tuple(blocks)), "Vendor")
