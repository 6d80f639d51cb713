"""The worst samples taken apart by the system's own events: a time line of each, its parts, and who caused most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Bar, Block, Cell, Column, Key, Table, Text, Timeline
from rtgauge.report.view import Entry

AROUND_MOST = 60  # stretches around the sample that ended a run
_LOOKS = {
    "thread": "thread",
    "fair-server": "thread",
    "interrupt": "interrupt",
    "tick": "interrupt",
    "timer": "interrupt",
    "softirq": "interrupt",
    "nmi": "interrupt",
    "tracing": "interrupt",
    "late": "late",
    "switch": "idle",
    "idle": "idle",
    "throttled": "idle",
    "own": "own",
    "gap": "gap",
}
_MEANING = {
    "thread": "another thread",
    "interrupt": "interrupt, softirq, tick or timer function, NMI",
    "late": "timer interrupt not taken yet",
    "idle": "idle, or leaving it",
    "own": "the test's own threads",
    "gap": "not explained",
}

Sample = Mapping[str, Any]


def blame_of(entry: Entry) -> list[Block]:
    """Nothing where no events were kept."""
    blame = entry.result.get("blame") or {}
    samples: Sequence[Sample] = blame.get("samples") or ()
    if not samples:
        return []
    blocks: list[Block] = [_lines(samples), _key(samples), _causes(blame, len(samples)), _matrix(samples)]
    if any(sample.get("phases") for sample in samples):
        blocks.append(_phases(samples))
    blocks += [_around(sample) for sample in samples if sample.get("around")]
    without = blame.get("without") or ()
    if without:
        blocks.append(Text(f"No events were kept for {len(without)} of the worst samples.", tone="warn"))
    return blocks


def _lines(samples: Sequence[Sample]) -> Table:
    rows = tuple(
        (
            Cell(_number(sample)),
            Cell(display.quantity(sample["value"], "ns"), numeric=True),
            _timeline(sample),
            Cell(display.micro(_told(sample)), tone="warn" if sample.get("incomplete") else "plain"),
        )
        for sample in samples
    )
    columns = (Column("Sample"), Column("Value", True), Column("What ran on its CPU"), Column("In words"))
    note = "Each time line spans its own sample; what lies upon a thread is drawn higher."
    return Table(columns, rows, title="The worst samples by the system's own events", note=note)


def _number(sample: Sample) -> str:
    ended = ", ended the run" if sample.get("broke") else ""
    return f"{display.count(sample['index'])} (CPU {sample['cpu']}{ended})"


def _told(sample: Sample) -> str:
    """The verdict without the value, which stands beside it."""
    value, colon, rest = str(sample["verdict"]).partition(": ")
    return rest if colon else value


def _timeline(sample: Sample) -> Timeline:
    total, parts = max(1, int(sample["total"])), sample["parts"]
    bars = []
    for begin, end, place in sample.get("pieces") or ():
        if place < len(parts):
            look = _LOOKS.get(parts[place]["kind"], "gap")
            what = _of(parts[place], end - begin)
            bars.append(Bar(max(0.0, begin / total), min(1.0, end / total), look, what, look == "interrupt"))
    return Timeline(tuple(bars), display.micro(str(sample["verdict"])))


def _of(part: Mapping[str, Any], ns: int) -> str:
    note = f"; {part['note']}" if part.get("note") and part["note"] not in part["what"] else ""
    return f"{display.quantity(ns, 'ns')} {part['what']}{note}"


def _key(samples: Sequence[Sample]) -> Key:
    seen = {_LOOKS.get(part["kind"], "gap") for sample in samples for part in sample["parts"]}
    return Key(tuple((look, what) for look, what in _MEANING.items() if look in seen))


def _causes(blame: Mapping[str, Any], samples: int) -> Table:
    scale = _scale([cause["largest"] for cause in blame.get("causes") or ()])
    rows = tuple(
        (
            Cell(str(cause["what"])),
            Cell(display.count(cause["chief"]), numeric=True),
            Cell(f"{display.count(cause['samples'])} of {samples}", numeric=True),
            Cell(scale.show(cause["total"]), unit=scale.unit, numeric=True),
            Cell(scale.show(cause["largest"]), unit=scale.unit, numeric=True),
        )
        for cause in blame.get("causes") or ()
    )
    columns = (Column("Cause"), *(Column(name, True) for name in ("Largest in", "Seen in", "In all", "At most")))
    return Table(columns, rows, title="Who caused the worst samples")


def _matrix(samples: Sequence[Sample]) -> Table:
    """Every part of every sample; each column adds up to its sample."""
    names = dict.fromkeys(part["what"] for sample in samples for part in sample["parts"])
    scale = _scale([sample["total"] for sample in samples])

    def cell(sample: Sample, name: str) -> Cell:
        ns = sum(part["ns"] for part in sample["parts"] if part["what"] == name)
        return Cell(scale.show(ns) if ns else "", numeric=True)

    rows = [(Cell(name), *(cell(sample, name) for sample in samples)) for name in names]
    rows.append((Cell("the sample"), *(Cell(scale.show(sample["total"]), numeric=True) for sample in samples)))
    columns = (Column("Part"), *(Column(display.count(sample["index"]), True) for sample in samples))
    return Table(columns, tuple(rows), title=f"What each sample is made of, {scale.unit}", style="matrix")


def _phases(samples: Sequence[Sample]) -> Table:
    """How far each wake-up had come, and when."""
    names = dict.fromkeys(phase["name"] for sample in samples for phase in sample.get("phases") or ())
    scale = _scale([sample["total"] for sample in samples])
    rows = tuple(
        (
            Cell(display.count(sample["index"])),
            *(Cell(_shown(scale, sample, name), numeric=True) for name in names),
        )
        for sample in samples
        if sample.get("phases")
    )
    columns = (Column("Sample"), *(Column(display.sentence(name), True) for name in names))
    return Table(columns, rows, title=f"The wake-ups from due time to stamp, {scale.unit}")


def _shown(scale: display.Scale, sample: Sample, name: str) -> str:
    found = [phase["ns"] for phase in sample["phases"] if phase["name"] == name]
    return scale.show(found[0]) if found else "–"


def _around(sample: Sample) -> Table:
    """What came before and after the sample that ended the run."""
    pieces = sample["around"]
    first = next((i for i, piece in enumerate(pieces) if piece["to"] > 0), 0)
    shown = pieces[max(0, first - AROUND_MOST // 2) :][:AROUND_MOST]
    rows = tuple(
        (
            Cell(display.quantity(piece["from"], "ns"), numeric=True),
            Cell(display.quantity(piece["to"] - piece["from"], "ns"), numeric=True),
            Cell(str(piece["what"]), tone="strong" if 0 <= piece["from"] < sample["total"] else "plain"),
        )
        for piece in shown
    )
    columns = (Column("From its start stamp", True), Column("For", True), Column("What ran"))
    return Table(columns, rows, title=f"Around sample {display.count(sample['index'])}, which ended the run")


def _scale(values: Sequence[float]) -> display.Scale:
    return display.scale_for(max(values, default=0.0), "ns")
