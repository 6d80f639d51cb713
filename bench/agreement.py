"""rtgauge and independent instruments, side by side: do they say the same?

    python bench/agreement.py [--json] [--only NAME]

Each comparison ends with "agrees", "does not agree" or "not measured", the last with its reason. Needs real-time
privilege; the kernel's events also need tracefs, which is root's. What is compared, and why figures may differ:
docs/agreement.md. Exit code 1 when something does not agree, 3 when nothing at all could be measured, else 0."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from _comparisons import COMPARISONS
from _engine import ENGINE, UnmeasuredError, job_for, offered
from _readings import Reading, Verdict, judge, ratio_of, typical
from _side_by_side import Comparison, Measured
from _tracefs import INSTANCES
from rtgauge.errors import TargetError
from rtgauge.model import Descriptor
from rtgauge.targets._lock import only_one

WAIT_S = 120  # for another run on this machine


@dataclass(frozen=True)
class Agreement:
    """One row of the result. Times in ns; ratios are ours to theirs, the median over the pairs."""

    name: str
    test: str
    params: Mapping[str, object]
    series: str
    instrument: str
    version: str | None
    unit: str
    pairs: int
    ours: Reading | None
    theirs: Reading | None
    figure: str  # the one that is judged
    ratio: float | None  # of that figure
    ratio_median: float | None
    ratio_min: float | None
    within: tuple[float, float]
    why: str
    verdict: Verdict
    reason: str
    definition: str
    facts: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def conclude(entry: Comparison, measured: Measured | None, unmeasured: str = "") -> Agreement:
    """`unmeasured`: why there is nothing measured."""
    m = measured or Measured(entry.params, [], "")
    ratio = ratio_of(m.pairs, entry.figure)
    verdict = judge(ratio, entry.within, m.flaws)
    reason = "; ".join(m.flaws)
    if verdict == "not measured":
        reason = unmeasured or f"one of the two tells no {entry.figure}"
    elif verdict == "does not agree" and not reason:
        reason = f"the ratio is not within {entry.within[0]:g} to {entry.within[1]:g}"
    return Agreement(
        name=entry.name,
        test=entry.test,
        params=dict(m.params),
        series=entry.series,
        instrument=entry.instrument,
        version=m.version or None,
        unit="ns",
        pairs=len(m.pairs),
        ours=typical([ours for ours, _ in m.pairs]) if m.pairs else None,
        theirs=typical([theirs for _, theirs in m.pairs]) if m.pairs else None,
        figure=entry.figure,
        ratio=ratio,
        ratio_median=ratio_of(m.pairs, "median"),
        ratio_min=ratio_of(m.pairs, "min"),
        within=entry.within,
        why=entry.why,
        verdict=verdict,
        reason=reason,
        definition=entry.definition,
        facts=m.facts,
    )


@contextmanager
def alone() -> Iterator[None]:
    """Holds the machine for one comparison, as each run does; waits for another's to end."""
    deadline = time.monotonic() + WAIT_S
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(only_one(ENGINE))
                break
            except TargetError as busy:
                if time.monotonic() > deadline:
                    raise UnmeasuredError(str(busy)) from busy
                time.sleep(1)
        yield


def examine(entry: Comparison, tests: Mapping[str, Descriptor]) -> Agreement:
    try:
        job = job_for(tests, entry.test, entry.params, entry.samples)
        with alone():
            return conclude(entry, entry.measure(entry, job))
    except UnmeasuredError as why:
        return conclude(entry, None, str(why))


def missing_rights() -> list[str]:
    """What this process may not do and the measurements need, one line each."""
    lines = []
    with ThreadPoolExecutor(1) as thread:  # policy is a thread's own: this one's goes with it
        try:
            thread.submit(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1)).result()
        except PermissionError:
            lines.append("real-time scheduling is not permitted: run as root, or with CAP_SYS_NICE or RLIMIT_RTPRIO 99")
    if not os.access(INSTANCES, os.W_OK):
        lines.append(f"the kernel's events cannot be recorded: {INSTANCES} is not writable, which is root's")
    return lines


# ---- on the terminal ------------------------------------------------------------------------------------------------

HEAD = (
    f"{'comparison':26} {'test':10} {'instrument':30} {'ours':>12} {'theirs':>12} {'ratio':>6} {'minima':>6}  verdict"
)


def shown(reading: Reading | None, figure: str) -> str:
    value = None if reading is None else getattr(reading, figure)
    return "-" if value is None else f"{figure} {value / 1000:.2f}" if figure == "avg" else f"{value / 1000:.2f}"


def line(a: Agreement) -> str:
    ratio, minima = ("-" if r is None else f"{r:.3f}" for r in (a.ratio, a.ratio_min))
    instrument = f"{a.instrument} {a.version}" if a.version and a.version[0].isdigit() else a.instrument
    figures = f"{shown(a.ours, a.figure):>12} {shown(a.theirs, a.figure):>12} {ratio:>6} {minima:>6}"
    reason = f": {a.reason}" if a.reason else ""
    return f"{a.name:26} {a.test:10} {instrument:30} {figures}  {a.verdict}{reason}"


def summary(done: list[Agreement]) -> str:
    counts = {verdict: sum(a.verdict == verdict for a in done) for verdict in ("agrees", "does not agree")}
    rest = len(done) - sum(counts.values())
    return f"{counts['agrees']} agree, {counts['does not agree']} do not, {rest} not measured"


def exit_code(done: list[Agreement]) -> int:
    verdicts = {a.verdict for a in done}
    return 1 if "does not agree" in verdicts else 0 if "agrees" in verdicts else 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--only", choices=[entry.name for entry in COMPARISONS], metavar="NAME", help="one of them")
    args = parser.parse_args()
    tests = offered()
    for lack in missing_rights():
        print(f"agreement: {lack}", file=sys.stderr)
    if not args.json:
        print("medians (or averages, where the instrument tells no median) in us; ratio: ours to theirs")
        print(HEAD)
    done = []
    for entry in COMPARISONS:
        if args.only in (None, entry.name):
            done.append(examine(entry, tests))
            if not args.json:
                print(line(done[-1]), flush=True)
    print(json.dumps([a.as_dict() for a in done], indent=2) if args.json else summary(done))
    return exit_code(done)


if __name__ == "__main__":
    sys.exit(main())
