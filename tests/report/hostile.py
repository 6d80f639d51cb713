"""A run in which every text tries to break out of the report."""

from __future__ import annotations

from typing import Any

from rtgauge.report import RunView
from tests.report.example import result, timed, view

EVIL = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`|[x](javascript:alert(3))\x1b[31m\x00\u202e<!--"
)


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
