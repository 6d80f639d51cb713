"""Runs in which every text tries to break out: of the report, of the terminal, of its folder."""

from __future__ import annotations

from typing import Any

from rtgauge.report import RunView
from tests.report.example import result, timed, view
from tests.support.traces import FakeTest, build_trace, fake_series, fake_test

EVIL = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`|[x](javascript:alert(3))\x1b[31m\x00\u202e<!--"
)

HOSTILE = (
    EVIL,
    "../../../../tmp/rtgauge-was-here",
    "/tmp/rtgauge-was-here",
    "a\0b",
    "x" * 4096,
    "\" onload='x' onclick=x>",
    "\x1b]0;title\x07\x1b[2J\x9b31m\x90q\x9c\u202e\u2066\u2028\u061c\ufeff",
    "\r\n\x08\x7frewritten",
    "-rf --help",
    "{{ 7 * 7 }} {% raw %} &lt;b&gt; %s %n ${HOME} `id`",
    "| a | b |\n---|---",
    "",
)
"""Texts that try to become mark-up, paths, options, templates or controls of a terminal."""


def evil_tests() -> list[FakeTest]:
    """For each text, a performance and a behaviour test that hold it wherever the trace may hold any text."""
    made = []
    for index, evil in enumerate(HOSTILE):
        name = "THR-P-" + chr(ord("A") + index)
        info = [{"name": "kind", "kind": "choice", "sweep": evil, "legal": evil, "what": evil}]
        series = fake_series(range(100, 140), unit=evil, aux_name=evil, analyse=evil)
        texts: dict[str, Any] = {"title": evil, "question": evil, "param_info": info, "params": {"kind": evil}}
        evidence = [("policy", evil, evil)]
        made.append(fake_test(name, series=[series], evidence=evidence, reason=evil, **texts))
        checks = [("order", "property", False, evil), ("free", "control", True, evil), ("seen", "report", True, evil)]
        name = name.replace("-P-", "-B-")
        made.append(fake_test(name, checks=checks, unchecked=[("rest", evil)], reason=evil, **texts))
    return made


def evil_trace() -> bytes:
    facts = {f"fact-{index}": evil for index, evil in enumerate(HOSTILE)} | dict.fromkeys(HOSTILE, 1)
    clock = {"name": EVIL, "why": EVIL, "rejected": [{"name": evil, "why": evil} for evil in HOSTILE]}
    return build_trace(evil_tests(), facts=facts, clock=clock, why=EVIL) + build_trace(evil_tests()[:2], run_end=False)


def evil_manifest(manifest: dict[str, Any]) -> dict[str, Any]:
    """`manifest` with such a text in each entry that may hold one."""
    death = {"id": EVIL, "params": {EVIL: EVIL}, "reason": EVIL}
    check = {
        "check": EVIL,
        "status": "warn",
        "summary": EVIL,
        "why": EVIL,
        "fix": EVIL,
        "evidence": [],
        "guideline": EVIL,
    }
    changes = dict.fromkeys(("run", "created", "finished", "target", "why", "tag", "user", "host", "profile"), EVIL)
    lists = {"command": list(HOSTILE), "versions": {EVIL: EVIL}, "engine": {EVIL: EVIL}, "deaths": [death]}
    return {**manifest, **changes, **lists, "left_out": EVIL, "audit": [check]}


def evil_run() -> RunView:
    import numpy as np

    figures, samples = timed("THR-P-SLS", {"threads": 2}, np.arange(1.0, 400.0))
    for key in ("title", "question", "reason", "mode", "aux"):
        figures[key] = EVIL
    figures["stamps"] = {"start": EVIL, "stop": EVIL, "thread": EVIL}
    figures["environment"] = {EVIL: EVIL}
    figures["evidence"] = [{"name": EVIL, "value": EVIL, "unit": EVIL}]
    figures["counters"] = {EVIL: 1}
    figures["analysis"] = {EVIL: {EVIL: EVIL}}
    figures["params"] = {EVIL: EVIL}
    every: dict[str, Any] = {"title": EVIL, "question": EVIL, "reason": EVIL}
    others = [result("SEM-P-NEW", {EVIL: EVIL}, status=s, **every) for s in ("invalid", "not-permitted", EVIL)]
    behaviour = result("SEM-B-REL", status="fail", **every)
    behaviour["checks"] = [{"name": EVIL, "role": EVIL, "holds": False, "what": EVIL}]
    behaviour["unchecked"] = [{"name": EVIL, "why": EVIL}]
    entries: list[tuple[dict[str, Any], Any]] = [(figures, samples), (behaviour, None)]
    run = view(
        [*entries, *((one, None) for one in others)],
        run=EVIL,
        target=EVIL,
        created=EVIL,
        profile=EVIL,
        problems=[EVIL],
        verdict={"ruling": EVIL, "reason": EVIL, "details": [EVIL]},
        findings=[
            {"kind": "negative", "text": EVIL, "because": [{"id": EVIL, "params": {EVIL: EVIL}, "status": EVIL}]}
        ],
        audit=[{"check": EVIL, "status": EVIL, "summary": EVIL, "why": EVIL, "fix": EVIL}],
    )
    system = run.results["system"]
    system["facts"] = {EVIL: EVIL, "os": EVIL}
    system["clock"].update(name=EVIL, why=EVIL, rejected=[{"name": EVIL, "why": EVIL}])
    return RunView(run.results, {"state": EVIL, "command": [EVIL], "files": {EVIL: {"sha256": EVIL}}}, run.series)
