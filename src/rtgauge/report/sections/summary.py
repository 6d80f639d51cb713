"""The first screen: the verdict, the exposure, the worst sample, and what was not proven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rtgauge.findings.worst import causes, worst_of
from rtgauge.report import display
from rtgauge.report.blocks import (
    Block,
    Bullets,
    Cell,
    Facts,
    Headline,
    Item,
    Notice,
    Panel,
    Part,
    Row,
    Section,
    Text,
    Tone,
)
from rtgauge.report.view import Entry, RunView

_TONES: dict[str, Tone] = {"pass": "good", "fail": "bad", "inconclusive": "warn", "invalid": "bad"}
_UNPROVEN = ("not-permitted", "invalid", "inconclusive", "not-supported")
_NAMED = 6  # results named in one line of the first screen; all are in the contents below


def section(run: RunView) -> Section:
    body: list[Block] = [*_notices(run)]
    body.append(Row((_verdict(run), _exposure(run), _worst(run), _unproven(run)), style="hero"))
    created = str(run.results.get("created") or run.manifest.get("created") or "")
    title = f"{_system_name(run)}"
    label = " · ".join(
        part for part in (str(run.results.get("run") or ""), created, str(run.results.get("target") or "")) if part
    )
    return Section(10, Part("summary", title, tuple(body), label=label, level=1), "Summary", first_screen=True)


def _system_name(run: RunView) -> str:
    facts = (run.results.get("system") or {}).get("facts") or {}
    words = [str(facts[name]) for name in ("os", "release") if facts.get(name)]
    machine = str(facts.get("machine") or "")
    return " ".join(words) + (f" on {machine}" if words and machine else "") or "Unknown system"


def _notices(run: RunView) -> list[Block]:
    found: list[Block] = []
    denied = [entry for entry in run.entries if entry.status == "not-permitted"]
    if denied:
        reasons = Counter(str(entry.result.get("reason") or "a privilege is missing") for entry in denied)
        found.append(
            Notice(
                f"{len(denied)} of {len(run.entries)} results are not permitted: nothing is proven about them",
                "; ".join(f"{why} ({number})" if len(reasons) > 1 else why for why, number in reasons.most_common(3)),
                "Run rtgauge doctor: it says which permission is missing and how to get it without running as root.",
            )
        )
    if run.all_problems:
        shown = "; ".join(run.all_problems[:3])
        more = len(run.all_problems) - 3
        found.append(
            Notice(
                "The stored run is not whole",
                shown + (f"; and {more} more, at the end of this report" if more > 0 else ""),
                tone="warn",
            )
        )
    return found


def _verdict(run: RunView) -> Panel:
    verdict = run.results.get("verdict") or {}
    ruling = str(verdict.get("ruling") or "none")
    tone = _TONES.get(ruling, "warn")
    blocks: list[Block] = [Headline(ruling, tone=tone), Text(str(verdict.get("reason") or "No ruling was made."))]
    details = tuple(Item(str(detail)) for detail in verdict.get("details") or ())
    if details:
        blocks.append(Bullets(details))
    return Panel("Verdict", tuple(blocks), tone=tone)


def _exposure(run: RunView) -> Panel:
    entries = run.entries
    total = sum(int(entry.result.get("n") or 0) for entry in entries)
    lost = sum(int(entry.result.get("lost") or 0) for entry in entries)
    proven = Counter(entry.status for entry in entries)
    words = [(status, proven[status]) for status in ("ok", "pass", "fail", *_UNPROVEN) if proven[status]]
    return Panel(
        "Exposure",
        (
            Headline(display.count(total), "samples"),
            Facts(
                (
                    ("under observation", Cell(display.seconds(run.results.get("exposure_s")))),
                    ("lost samples", Cell(display.count(lost), tone="bad" if lost else "good")),
                    ("results", Cell(", ".join(f"{number} {status}" for status, number in words) or "none")),
                    ("profile", Cell(str(run.results.get("profile") or "–"))),
                )
            ),
        ),
    )


def _worst(run: RunView) -> Panel:
    found = worst_of([entry.result for entry in run.entries])
    if found is None:
        return Panel("Worst sample", (Text("No sample of time was taken.", tone="warn"),), tone="warn")
    index, sample, excess = found
    entry = run.entries[index]
    scale = display.scale_for(sample["value"], entry.result.get("unit"))
    every = [one.result for one in run.entries]
    known = causes(entry.result, sample, every, run.results.get("system") or {})
    cpu = sample.get("cpu")
    return Panel(
        "Worst sample",
        (
            Headline(scale.show(sample["value"]), scale.unit),
            Facts(
                (
                    ("in", Cell(entry.name, href=entry.anchor)),
                    ("at", Cell(f"{display.moment(sample.get('at'))} s" + ("" if cpu is None else f", CPU {cpu}"))),
                    ("above its median by", Cell(display.quantity(excess, entry.result.get("unit")))),
                )
            ),
            Bullets(tuple(Item(line) for line in known), title="What is known of its cause"),
        ),
    )


def _unproven(run: RunView) -> Panel:
    items: list[Item] = []
    for status in _UNPROVEN:
        entries = [entry for entry in run.entries if entry.status == status]
        if entries:
            tone: Tone = "bad" if status in {"not-permitted", "invalid"} else "warn"
            items.append(Item(f"{len(entries)} {status}", tone=tone, links=_links(entries)))
    unchecked = [entry for entry in run.entries if entry.result.get("unchecked")]
    if unchecked:
        number = sum(len(entry.result["unchecked"]) for entry in unchecked)
        items.append(
            Item(
                f"{number} {'check' if number == 1 else 'checks'} could not be made",
                tone="warn",
                links=_links(unchecked),
            )
        )
    losses = [entry for entry in run.entries if entry.result.get("lost")]
    if losses:
        number = sum(int(entry.result["lost"]) for entry in losses)
        items.append(Item(f"{display.count(number)} samples lost", tone="bad", links=_links(losses)))
    small = [entry for entry in run.entries if entry.result.get("unmeasurable")]
    if small:
        items.append(Item(f"{len(small)} below the clock's resolution", tone="muted", links=_links(small)))
    return Panel(
        "Not proven",
        (Bullets(tuple(items), empty="Every test gave a result, every check was made, and no sample was lost."),),
        tone="warn" if items else "good",
    )


def _links(entries: Sequence[Entry]) -> tuple[Cell, ...]:
    """The results by name, those of one test together once there are many."""
    if len(entries) <= _NAMED:
        return tuple(Cell(entry.name, href=entry.anchor) for entry in entries)
    by_test: dict[str, list[Entry]] = {}
    for entry in entries:
        by_test.setdefault(entry.id, []).append(entry)
    tests = [
        Cell(id_ + (f" ×{len(same)}" if len(same) > 1 else ""), href=same[0].anchor) for id_, same in by_test.items()
    ]
    more = len(tests) - 2 * _NAMED
    return (*tests[: 2 * _NAMED], *((Cell(f"and {more} more tests", href="contents"),) if more > 0 else ()))
