"""Sections as one document: its title, its contents, what stands at the head of each page, and the blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from typing import Any

from rtgauge import __version__
from rtgauge.report.blocks import Part, Section
from rtgauge.report.typeset import layout, paper
from rtgauge.report.typeset.links import joined
from rtgauge.report.typeset.metrics import Metrics, measured
from rtgauge.report.typeset.paper import Room
from rtgauge.report.typeset.words import clean, cut_short, set_in

_TITLE, _SUBTITLE, _CONTENTS, _HEAD = 21.0, 14.0, 8.5, 7.5  # sizes
_NUMBER = 24.0  # room for the number of a page
_STRETCH = 60  # nodes, some five pages and more
_INDENT = 9.0
_SHORT, _LONG = 20, 44  # lines of contents: that leave room for a section below them; that fill a page in one column


def document(built: Sequence[Section], title: str, run: str) -> dict[str, Any]:
    """The tree that the template prints. `title` names the kind of document; the first section's title, what it is
    about."""
    metrics = measured(clean(letter) for letter in _letters(tuple(built), title, run, __version__))
    first = built[0].part if built else Part("summary", title, ())
    about = first.title if first.title != title else ""
    entries = list(_contents(built, metrics))
    head = " · ".join(words for words in (title, about) if words)
    half = paper.TEXT_WIDTH / 2
    tree = {
        "paper": {
            name.lower(): getattr(paper, name) for name in ("WIDTH", "HEIGHT", "MARGIN", "TOP", "BOTTOM", "BODY")
        },
        "mono": paper.MONO,
        "title": set_in(title, paper.TEXT_WIDTH, _TITLE, metrics, "bold"),
        "about": set_in(about, paper.TEXT_WIDTH, _SUBTITLE, metrics),
        "label": set_in(first.label, paper.TEXT_WIDTH, paper.BODY, metrics, "mono"),
        "name": clean(head),  # of the file, in its own properties
        "head": cut_short(head, half * 1.3, _HEAD, metrics),
        "run": cut_short(run, half * 0.6, _HEAD, metrics),
        "program": f"rtgauge {__version__}",
        "contents": entries,
        "columns": 2 if len(entries) > _LONG else 1,
        "apart": len(entries) > _SHORT,
        "blocks": list(_parted(_turned([node for section in built for node in _section(section, metrics)]))),
    }
    found: dict[str, Any] = joined(tree)
    return found


def _section(section: Section, metrics: Metrics) -> Iterator[dict[str, Any]]:
    part, room = section.part, Room.page()
    short = section.short if part.level == 1 else ""  # its title stands on the first page
    yield layout.heading(part, 1, metrics, room, short)
    yield from layout.blocks(part.blocks, room, metrics)


def _turned(nodes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Wide tables on turned pages, each with the heading and the words before it, and with its like after it."""
    found: list[dict[str, Any]] = []
    for node in nodes:
        if not node.get("turned"):
            found.append(node)
            continue
        begin = len(found)
        while begin and found[begin - 1]["k"] in {"heading", "text"}:
            begin -= 1
        lead, found = found[begin:], found[:begin]
        if found and found[-1]["k"] == "turned":
            found[-1]["blocks"] += [*lead, node]
        else:
            found.append({"k": "turned", "blocks": [*lead, node]})
    return found


def _parted(nodes: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A new page before a test after each few pages: the typesetter lays such stretches out at the same time."""
    since = 0
    for node in nodes:
        if since >= _STRETCH and node["k"] == "heading" and node["level"] == 2:
            yield {"k": "break"}
            since = 0
        since += 1
        yield node


def _contents(built: Sequence[Section], metrics: Metrics) -> Iterator[dict[str, Any]]:
    """Sections, and the parts of each."""
    room = (paper.TEXT_WIDTH - 2 * paper.GUTTER) / 2 - _NUMBER
    for section in built:
        part = section.part
        title = section.short if part.level == 1 else part.title
        yield {"level": 1, "t": cut_short(title, room, _CONTENTS, metrics, "bold"), "page": part.anchor}
        for inner in part.blocks:
            if isinstance(inner, Part):
                label = cut_short(inner.label, room - _INDENT, _CONTENTS, metrics, "mono")
                rest = room - _INDENT - metrics.width(label, _CONTENTS, "mono") - 6
                words = cut_short(inner.title, rest, _CONTENTS, metrics) if rest > 30 else ""
                yield {"level": 2, "label": label, "t": words, "page": inner.anchor}


def _letters(*values: Any) -> set[str]:
    """Every letter of the texts in blocks."""
    found: set[str] = set()
    rest = list(values)
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            found.update(value)
        elif isinstance(value, tuple):
            rest += value
        elif is_dataclass(value):
            rest += vars(value).values()
    return found
