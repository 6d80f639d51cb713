"""The first screen: the verdict, the exposure, the worst sample, and what was not proven."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rtgauge.findings.worst import Worst, causes, farthest, latest
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
from rtgauge.report.sections._links import links_to
from rtgauge.report.view import Entry, RunView
from rtgauge.verdict import DEADLINE_TEST

_TONES: dict[str, Tone] = {"pass": "good", "fail": "bad", "inconclusive": "warn", "invalid": "bad"}
_DETAIL = re.compile(r"(?P<name>.*?) is (?P<status>[a-z-]+): (?P<reason>.*)", re.DOTALL)
_DETAILS = 6  # lines below the verdict
_KINDS = 4  # of what a system does not have, each in a line: the first screen is for what was found
_UNPROVEN = ("not-permitted", "invalid", "inconclusive", "not-supported")


def section(run: RunView) -> Section:
    body: list[Block] = [*_notices(run)]
    body.append(Row((_verdict(run), _exposure(run), _worst(run), _unproven(run)), style="hero"))
    begun = str(run.results.get("created") or run.manifest.get("created") or "")
    created = re.sub(r"\.[0-9]+", "", begun)  # to the second
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
        text = "; ".join(f"{why} ({number})" if len(reasons) > 1 else why for why, number in reasons.most_common(3))
        found.append(
            Notice(
                f"{len(denied)} of {len(run.entries)} results are not permitted: nothing is proven about them",
                text,
                "Run rtgauge doctor: it says which permission is missing and how to get it without running as root.",
            )
        )
    if run.all_problems:
        shown = "; ".join(run.all_problems[:3])
        more = len(run.all_problems) - 3
        found.append(
            Notice(
                "Imported: what its file tells, and what it does not"
                if run.results.get("imported")
                else "The stored run is not whole",
                shown + (f"; and {more} more, at the end of this report" if more > 0 else ""),
                tone="warn",
            )
        )
    return found


def _verdict(run: RunView) -> Panel:
    verdict = run.results.get("verdict") or {}
    ruling = str(verdict.get("ruling") or "none")
    tone = _TONES.get(ruling, "warn")
    blocks: list[Block] = [
        Headline(ruling, tone=tone),
        Text(display.micro(str(verdict.get("reason") or "No ruling was made."))),
    ]
    details = _details([str(detail) for detail in verdict.get("details") or ()])
    if details:
        blocks.append(Bullets(details))
    return Panel("Verdict", tuple(blocks), tone=tone)


def _details(details: Sequence[str]) -> tuple[Item, ...]:
    """What the verdict rests on; results of one status and reason in one line, the other results in the contents."""
    alike: dict[tuple[str, str], list[str]] = {}
    for detail in details:
        found = _DETAIL.fullmatch(detail)
        key = (found["status"], found["reason"]) if found else (detail, "")
        alike.setdefault(key, []).append(detail)
    told = [
        same[0] if len(same) == 1 else f"{len(same)} results are {status}: {reason}"
        for (status, reason), same in alike.items()
    ]
    more = len(told) - _DETAILS
    rest = (Item(f"and {more} more", links=(Cell("all results", href="contents"),)),) if more > 0 else ()
    return (*(Item(display.micro(line)) for line in told[:_DETAILS]), *rest)


def _exposure(run: RunView) -> Panel:
    entries = run.entries
    total = sum(int(entry.result.get("n") or 0) for entry in entries)
    lost = sum(int(entry.result.get("lost") or 0) for entry in entries)
    untold = any(entry.has_figures and entry.result.get("lost") is None for entry in entries)
    proven = Counter(entry.status for entry in entries)
    words = [(status, proven[status]) for status in ("ok", "pass", "fail", *_UNPROVEN) if proven[status]]
    return Panel(
        "Exposure",
        (
            Headline(display.count(total), "samples"),
            Facts(
                (
                    ("under observation", Cell(display.seconds(run.results.get("exposure_s")))),
                    ("lost samples", Cell("unknown", tone="warn") if untold else _lost(lost)),
                    ("results", Cell(", ".join(f"{number} {status}" for status, number in words) or "none")),
                    ("profile", Cell(str(run.results.get("profile") or "–"))),
                )
            ),
        ),
    )


def _lost(number: int) -> Cell:
    return Cell(display.count(number), tone="bad" if number else "good")


def _worst(run: RunView) -> Panel:
    """The latest wake-up of the test that deadlines are judged by, and the worst latency elsewhere."""
    results = [entry.result for entry in run.entries]
    late, other = latest(results), farthest(results, but=DEADLINE_TEST)
    told = [found for found in (late, other) if found is not None]
    if not told and run.results.get("imported"):
        text = "The imported file does not tell when its largest samples came: their sizes are with each result."
        return Panel("Worst sample", (Text(text, tone="muted"),))
    if not told:
        return Panel("Worst sample", (Text("No latency was measured.", tone="warn"),), tone="warn")
    scale = display.scale_for(told[0].sample["value"], "ns")
    title = "Worst sample: latest wake-up" if late is not None else "Worst sample above its median"
    blocks: list[Block] = [Headline(scale.show(told[0].sample["value"]), scale.unit), *_of_worst(run, told[0])]
    if len(told) == 2:
        value = display.quantity(told[1].sample["value"], "ns")
        blocks += [Text(f"Farthest above its median elsewhere: {value}", tone="strong"), *_of_worst(run, told[1])]
    return Panel(title, tuple(blocks))


def _of_worst(run: RunView, worst: Worst) -> tuple[Block, ...]:
    entry, sample = run.entries[worst.index], worst.sample
    known = causes(entry.result, sample, [one.result for one in run.entries], run.results.get("system") or {})
    cpu = sample.get("cpu")
    rows = [
        ("in", Cell(entry.name, href=entry.anchor)),
        ("at", Cell(f"{display.moment(sample.get('at'))} s" + ("" if cpu is None else f", CPU {cpu}"))),
        (
            "among",
            Cell(f"{display.count(entry.result.get('n'))} samples, {display.seconds(entry.result.get('exposure_s'))}"),
        ),
        ("median", Cell(display.quantity(entry.result.get("median"), "ns"))),
    ]
    skipped = (entry.result.get("synthetic") or {}).get("overruns")
    if skipped:
        rows.append(("activations skipped", Cell(display.count(skipped), tone="bad")))
    cause = Bullets(tuple(Item(display.micro(line)) for line in known), title="What is known of its cause")
    return Facts(tuple(rows)), cause


def _unproven(run: RunView) -> Panel:
    items = [item for status in _UNPROVEN for item in _without_result(run, status)]
    unchecked = [entry for entry in run.entries if entry.result.get("unchecked")]
    if unchecked:
        number = sum(len(entry.result["unchecked"]) for entry in unchecked)
        items.append(
            Item(
                f"{number} {'check' if number == 1 else 'checks'} could not be made",
                tone="warn",
                links=links_to(unchecked),
            )
        )
    losses = [entry for entry in run.entries if entry.result.get("lost")]
    if losses:
        number = sum(int(entry.result["lost"]) for entry in losses)
        items.append(Item(f"{display.count(number)} samples lost", tone="bad", links=links_to(losses)))
    untold = [entry for entry in run.entries if entry.has_figures and entry.result.get("lost") is None]
    if untold:
        items.append(Item(f"{len(untold)} do not tell how many samples were lost", tone="warn", links=links_to(untold)))
    idle = [e for e in run.entries if any(not load.get("reached", True) for load in e.result.get("loads") or ())]
    if idle:
        items.append(
            Item(f"{len(idle)} beside a load that did not reach its degree", tone="warn", links=links_to(idle))
        )
    blind = [entry for entry in run.entries if _without_events(entry)]
    if blind:
        what = f"{len(blind)} without a cause of the worst samples: {_without_events(blind[0])}"
        items.append(Item(what, tone="warn", links=links_to(blind)))
    small = [entry for entry in run.entries if entry.result.get("unmeasurable")]
    if small:
        items.append(Item(f"{len(small)} below the clock's resolution", tone="muted", links=links_to(small)))
    return Panel(
        "Not proven",
        (Bullets(tuple(items), empty="Every test gave a result, every check was made, and no sample was lost."),),
        tone="warn" if items else "good",
    )


def _without_events(entry: Entry) -> str:
    """Why the system's own events, which the user asked for, were not recorded; empty where they were."""
    lines = entry.result.get("evidence") or ()
    return next((str(line["value"]) for line in lines if line["name"] == "events_unavailable"), "")


def _without_result(run: RunView, status: str) -> Iterator[Item]:
    """Results of this status: those of one kind and reason together, then what is told one by one."""
    tone: Tone = "bad" if status in {"not-permitted", "invalid"} else "warn"
    entries = [entry for entry in run.entries if entry.status == status]
    kinds: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if entry.fold:
            kinds.setdefault((entry.fold.label, "" if entry.fold.label else entry.line), []).append(entry)
    shown = list(kinds.items())
    hidden = shown[_KINDS:] if status == "not-supported" and len(shown) > _KINDS + 1 else []
    for (label, _), same in shown[: len(shown) - len(hidden)]:
        reasons = list(dict.fromkeys(entry.line for entry in same))
        others = len(reasons) - 1
        more = f" (and {others} other {'reason' if others == 1 else 'reasons'})" if others else ""
        what = f"{len(same)} {status}" + (f" with {label}" if label else "")
        yield Item(f"{what}: {reasons[0]}{more}", tone=tone, links=links_to(same, by_id=True))
    if hidden:
        number = sum(len(same) for _, same in hidden)
        text = f"{number} more {status}, for {len(hidden)} other reasons"
        yield Item(text, tone=tone, links=(Cell("all results", href="contents"),))
    rest = [entry for entry in entries if not entry.fold]
    if rest:
        yield Item(f"{len(rest)} {status}", tone=tone, links=links_to(rest))
