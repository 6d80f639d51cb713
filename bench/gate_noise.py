"""How often `rtgauge gate` fails systems that are equal, and how large a change must be to be found; by simulation.

    python bench/gate_noise.py [--gates N] [--json]

Each gate holds two sides of whole runs against each other. A result has a true value and a spread between runs of its
own; the runs of both sides come from one law. Laws: normal; lognormal; heavy (Student's t with 3 degrees of freedom);
places (each run falls on one of two values 10 % apart, as a placement in memory does, in one of ten results); session
(the runs of one side share a shift of 1 %, as on another day). Everything is drawn from fixed seeds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from rtgauge.gate import judge
from rtgauge.gate.limits import Limits
from rtgauge.gate.values import Key, Line, Side

Floats = NDArray[np.float64]
Law = Callable[[np.random.Generator, Floats, int], Floats]
SPREAD_MEDIAN, SPREAD_TAIL = (0.002, 0.03), (0.01, 0.15)  # standard deviation between runs, log-uniform over results
PLACES = 0.1  # share of results that have two places, and how far these are apart


def _normal(random: np.random.Generator, sd: Floats, runs: int) -> Floats:
    return np.asarray(1 + sd[:, None] * random.standard_normal((len(sd), runs)))


def _lognormal(random: np.random.Generator, sd: Floats, runs: int) -> Floats:
    return np.asarray(np.exp(sd[:, None] * random.standard_normal((len(sd), runs))))


def _heavy(random: np.random.Generator, sd: Floats, runs: int) -> Floats:
    return np.asarray(1 + sd[:, None] / np.sqrt(3) * random.standard_t(3, (len(sd), runs)))


def _places(random: np.random.Generator, sd: Floats, runs: int) -> Floats:
    two = np.arange(len(sd)) % round(1 / PLACES) == 0
    place = PLACES * random.integers(0, 2, (len(sd), runs)) * two[:, None]
    return np.asarray(_normal(random, sd, runs) + place)


def _session(random: np.random.Generator, sd: Floats, runs: int) -> Floats:
    return np.asarray(_normal(random, sd, runs) + 0.01 * random.standard_normal((len(sd), 1)))


LAWS: Mapping[str, Law] = {
    "normal": _normal,
    "lognormal": _lognormal,
    "heavy": _heavy,
    "places": _places,
    "session": _session,
}


def _spread(random: np.random.Generator, results: int, span: tuple[float, float]) -> Floats:
    return np.asarray(span[0] * (span[1] / span[0]) ** random.random(results))


def side(medians: Floats, tails: Floats) -> Side:
    """Results in rows, runs in columns."""
    keys = [Key(f"SIM-P-R{i}") for i in range(len(medians))]
    lines = {
        key: Line(key, "ok", unit="ns", step=0.01, n=10_000, medians=tuple(m), tail="p99.9", tails=tuple(t))
        for key, m, t in zip(keys, medians.tolist(), tails.tolist(), strict=True)
    }
    return Side("simulated", {"time": "real"}, {}, medians.shape[1], True, lines)


def false_alarms(
    law: str, *, runs: int = 5, results: int = 50, gates: int = 200, limit: str = "+5%", confidence: float = 0.99
) -> float:
    """The share of gates between equal systems that fail."""
    random = np.random.default_rng([runs, results, list(LAWS).index(law)])
    failed = 0
    for _ in range(gates):
        spreads = [_spread(random, results, span) for span in (SPREAD_MEDIAN, SPREAD_TAIL)]
        base, run = (
            side(*(1000 * LAWS[law](random, sd, runs) * (1 + i) for i, sd in enumerate(spreads))) for _ in range(2)
        )
        failed += judge(run, base, limits=Limits(limit, limit), confidence=confidence).ruling() == "fail"
    return failed / gates


def found(change: float, sd: float, *, runs: int = 5, questions: int = 100, gates: int = 200) -> float:
    """The share of gates that find one median slower by the share `change`, where it scatters by `sd` from run to run;
    limit +5 %. It is one of `questions` that share the confidence; the others cannot change what is said of it."""
    random = np.random.default_rng([runs, questions, round(1e6 * sd), round(1e6 * change)])
    confidence, spread, seen = 1 - 0.01 / questions, np.array([sd]), 0
    for _ in range(gates):
        base, run = (1000 * _normal(random, spread, runs) * factor for factor in (1, 1 + change))
        outcome = judge(_one(run), _one(base), limits=Limits("+5%", "none"), confidence=confidence)
        seen += outcome.ruling() == "fail"
    return seen / gates


def _one(medians: Floats) -> Side:
    return side(medians, np.ones_like(medians))


def smallest(sd: float, *, runs: int, questions: int, gates: int, wanted: float = 0.8) -> float:
    """The smallest change, in steps of a twentieth of itself, that `wanted` of the gates find."""
    change = 0.051
    while found(change, sd, runs=runs, questions=questions, gates=gates) < wanted:
        change *= 1.05
    return change


def measure(gates: int) -> dict[str, dict[str, float]]:
    alarms = {
        f"{law}, {runs} runs, limit {limit}": false_alarms(law, runs=runs, gates=gates, limit=limit)
        for law in LAWS
        for runs in (5, 10)
        for limit in ("+0", "+5%")
    }
    sizes = {
        f"sd {100 * sd:g} %, {runs} runs, {questions} questions": smallest(
            sd, runs=runs, questions=questions, gates=gates
        )
        for sd in (0.005, 0.01, 0.03)
        for runs in (5, 10, 20)
        for questions in (2, 100, 600)
    }
    return {"false alarms": alarms, "found in 4 of 5 gates": sizes}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--gates", type=int, default=400, help="of each kind (default: 400)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    tables = measure(args.gates)
    if args.json:
        json.dump(tables, sys.stdout, indent=1)
        sys.stdout.write("\n")
        return 0
    for title, table in tables.items():
        sys.stdout.write(f"{title}\n")
        for name, share in table.items():
            sys.stdout.write(f"  {name:<45} {100 * share:6.2f} %\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
