"""How often the interval of a level beyond the maximum seen holds the true one, and what is refused, by simulation.

    python bench/coverage.py [--json] [--trials N] [--seed S] [--only NAME] [--samples N]
    python bench/coverage.py --table FILE

Each case draws samples from a distribution whose levels are known, or from a process that keeps none of the
conditions, and asks `rtgauge.extremes`. Every trial has a seed of its own, so each case gives the same whatever else is
run. The table of docs/extremes.md is made by this program, from its --json."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from zlib import crc32

import numpy as np

from _tails import CASES, Case
from rtgauge.extremes import PROBABILITIES, level, tail_of

TRIALS, SEED = 200, 1
SAMPLES = (10_000, 100_000)


@dataclass(frozen=True)
class At:
    """Of the trials that were not refused: how the interval at one probability compares with the truth."""

    probability: float
    asked: int
    covered: int
    too_low: int  # the whole interval below the true level: a promise that does not hold
    too_high: int  # the whole interval above it: cautious
    width: float | None  # median, as a share of the true level's distance from the median of the samples


@dataclass(frozen=True)
class Row:
    case: str
    kind: str  # "good": to be answered and covered, "bad": to be refused or covered
    samples: int
    trials: int
    refused: int
    reasons: dict[str, int]  # conditions that did not hold, by the number of trials
    levels: list[At] = field(default_factory=list)


def simulate(case: Case, samples: int, trials: int, seed: int) -> Row:
    reasons: Counter[str] = Counter()
    seen: dict[float, list[tuple[float, float, float]]] = {one: [] for one in PROBABILITIES}
    refused = 0
    for trial in range(trials):
        rng = np.random.default_rng([seed, samples, trial, crc32(case.name.encode())])
        tail = tail_of(case.draw(rng, samples), resolution=case.step)
        reasons.update(one.name for one in tail.conditions if not one.holds)
        refused += tail.refused is not None
        if tail.refused is None:
            for probability in PROBABILITIES:
                bound = level(tail, probability)
                seen[probability].append((bound.low, case.level(probability), bound.high))
    levels = [at(probability, found, case.middle) for probability, found in seen.items()]
    return Row(case.name, case.kind, samples, trials, refused, dict(reasons.most_common()), levels)


def at(probability: float, found: list[tuple[float, float, float]], middle: float) -> At:
    too_low = sum(high < true for _, true, high in found)
    too_high = sum(low > true for low, true, _ in found)
    widths = [(high - low) / abs(true - middle) for low, true, high in found]
    covered = len(found) - too_low - too_high
    return At(probability, len(found), covered, too_low, too_high, round(median(widths), 2) if widths else None)


def rows(only: str | None, samples: tuple[int, ...], trials: int, seed: int) -> Iterator[Row]:
    for case in CASES:
        if only in (None, case.name):
            for n in samples:
                yield simulate(case, n, trials, seed)


HEAD = f"{'case':24} {'samples':>8} {'refused':>8}" + "".join(
    f"{f'covered {p:g}':>16} {'too low':>8} {'too high':>8} {'width':>7}" for p in PROBABILITIES
)


def line(row: Row) -> str:
    told = "".join(
        f"{share(one.covered, one.asked):>16} {share(one.too_low, one.asked):>8} {share(one.too_high, one.asked):>8} "
        f"{'-' if one.width is None else f'{one.width:.2f}':>7}"
        for one in row.levels
    )
    why = ", ".join(f"{name} {count}" for name, count in row.reasons.items())
    return f"{row.case:24} {row.samples:8} {share(row.refused, row.trials):>8}{told}  {why}"


def markdown(content: dict[str, Any]) -> str:
    """The table of docs/extremes.md, from what --json prints."""
    table = [
        "| samples from | n | refused | 1e-6 covered | too low | too high | width "
        "| 1e-9 covered | too low | too high | width | refused for |",
        "|---|" + "---:|" * 10 + "---|",
    ]
    for row in content["rows"]:
        cells = [row["case"], f"{row['samples']:,}".replace(",", " "), share(row["refused"], row["trials"])]
        for one in row["levels"]:
            if not one["asked"]:
                cells += ["-"] * 4
                continue
            cells += [share(one[name], one["asked"]) for name in ("covered", "too_low", "too_high")]
            cells.append(f"{one['width']:.2f}")
        # One trial in fifty names no condition that stands out.
        cells.append(", ".join(name for name, count in row["reasons"].items() if 50 * count > row["trials"]))
        table.append("| " + " | ".join(cells) + " |")
    return "\n".join(table)


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--table", metavar="FILE", help="only print the table of what --json printed into this file")
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", choices=[case.name for case in CASES], metavar="NAME", help="one of them")
    parser.add_argument("--samples", type=int, nargs="+", default=list(SAMPLES), metavar="N", help="of each trial")
    args = parser.parse_args()
    if args.table:
        print(markdown(json.loads(Path(args.table).read_text("utf-8"))))
        return 0
    done = []
    if not args.json:
        print(HEAD)
    for row in rows(args.only, tuple(args.samples), args.trials, args.seed):
        done.append(row)
        if not args.json:
            print(line(row), flush=True)
    if args.json:
        content = {"trials": args.trials, "seed": args.seed, "rows": [asdict(row) for row in done]}
        print(json.dumps(content, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
