"""Known answers on the real OS: delays of known size and frequency that were put into a run come out of it again."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from rtgauge.errors import TargetError
from rtgauge.plan import Wish
from rtgauge.session import Finished, Request, run
from rtgauge.store.readers import load_trace
from tests.support.known import NOISE, Comparison, Groups, Hold, Log, Recorded, compare, read_log

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build/tests/known"
TESTS = "cal_p_trc;sem_p_arc;thr_p_sls;tmr_p_cyc"
WAITERS = 16
BATCH = 1000  # samples of THR-P-SLS that the threads take before they leave the ring
RING = 2
BUSY_S = 120.0  # how long another run is waited for

# ---- the comparison itself ------------------------------------------------------------------------------------------

GROUPS = Groups(10, lead=2, before=7)


def example(held: int = 7, hold: int = 50_000) -> tuple[list[Hold], Recorded]:
    """400 samples of 1 us or so, of which every one whose operation is a multiple of `held` is `hold` ns longer."""
    rng = np.random.default_rng(1)
    start, stop, holds, now = [], [], [], 1_000_000
    for operation in range(1, GROUPS.before + 500 + 1):
        is_held, index = operation % held == 0, GROUPS.index(operation)
        took = 1000 + int(rng.integers(0, 100)) + (hold + 30) * is_held
        if is_held:
            holds.append(Hold(operation, now + 200, now + 200 + hold, float(hold)))
        if index is not None:
            start.append(now)
            stop.append(now + took)
        now += took + 500
    first, last = np.array(start), np.array(stop)
    return holds, Recorded(np.arange(len(first)), first, last, (last - first - 20).astype(float))


def test_operations_belong_to_samples() -> None:
    assert [GROUPS.index(i) for i in (1, 7, 8, 9, 10, 17, 18, 20)] == [None, None, None, None, 0, 7, None, 8]
    assert [Groups(1).index(i) for i in (1, 2, 3)] == [0, 1, 2]


def test_what_agrees_has_no_problem() -> None:
    holds, samples = example()
    found = compare(holds, samples, GROUPS)
    assert found.problems == ()
    assert found.held + found.outside == len(holds)
    assert found.held > 50
    assert found.outside > 10
    assert found.excess_ns == pytest.approx(50_030, abs=60)
    assert 60 < found.spread_ns < 110


def only(samples: Recorded, which: np.ndarray) -> Recorded:
    return Recorded(samples.index[which], samples.start[which], samples.stop[which], samples.ns[which])


@pytest.mark.parametrize("lost", [0, 4, 200, 300])
def test_a_host_that_drops_a_sample_is_found(lost: int) -> None:
    holds, samples = example()
    kept = only(samples, np.arange(len(samples.ns)) != lost)
    assert "missing" in str(compare(holds, kept, GROUPS).problems)  # the gap is told
    renumbered = replace(kept, index=np.arange(len(kept.ns)))
    assert "is found in" in str(compare(holds, renumbered, GROUPS).problems)  # the gap is hidden


@pytest.mark.parametrize("wrong", [4, 20, 50])
def test_a_wrong_line_of_the_log_is_found(wrong: int) -> None:
    holds, samples = example()
    later = [replace(hold, operation=hold.operation + (i == wrong)) for i, hold in enumerate(holds)]
    assert "is found in" in str(compare(later, samples, GROUPS).problems)
    longer = [replace(hold, ns=hold.ns + 2000 * (i == wrong)) for i, hold in enumerate(holds)]
    assert "was held for" in str(compare(longer, samples, GROUPS).problems)
    shift = 2_000 * (np.arange(len(holds)) == wrong)  # a hold that began before its sample
    early = [replace(h, begin=h.begin - int(s), end=h.end - int(s)) for h, s in zip(holds, shift, strict=True)]
    assert "found in None" in str(compare(early, samples, GROUPS).problems)


def test_a_host_that_changes_the_values_is_found() -> None:
    holds, samples = example()
    held = samples.ns > 30_000
    short = replace(samples, ns=np.where(held, 49_000.0, samples.ns))
    assert "was held for" in str(compare(holds, short, GROUPS).problems)
    long = replace(samples, ns=np.where(held, samples.ns + 2000, samples.ns))
    assert "median excess" in str(compare(holds, long, GROUPS).problems)
    carried = replace(samples, ns=samples.ns + 6_000 * np.roll(held, 1))
    assert "samples after a hold" in str(compare(holds, carried, GROUPS).problems)
    everywhere = replace(samples, ns=samples.ns + 51_000 * (np.arange(len(held)) % 5 == 0) * ~held)
    assert "as late as with one" in str(compare(holds, everywhere, GROUPS).problems)


def test_a_log_of_another_run_is_found() -> None:
    holds, samples = example()
    other = [replace(hold, begin=hold.begin + 10**9, end=hold.end + 10**9) for hold in holds]
    found = compare(other, samples, GROUPS)
    assert (found.held, found.problems[-1]) == (0, "no hold lies within a sample")


# ---- this machine ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def engine_known() -> Path:
    if shutil.which("cmake") is None or shutil.which("ninja") is None:
        pytest.skip("the engine that holds operations is built with cmake and ninja")
    options = ("-DRTG_WERROR=ON", "-DRTG_PORTS=posix", "-DRTG_KNOWN=ON", f"-DRTG_TESTS={TESTS}")
    for command in (["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *options], ["cmake", "--build", BUILD]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return BUILD / "engine/rtgauge-engine-known"


def measure(request: Request) -> Finished:
    """Runs as soon as no other run is under way."""
    until = time.monotonic() + BUSY_S
    while True:
        try:
            return run(request)
        except TargetError as error:
            if "another run is going on" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.5)


def recorded(finished: Finished, test: str, part: str) -> Recorded:
    """A series as a user finds it in samples.parquet."""
    number = next(
        i
        for i, result in enumerate(finished.content["results"])
        if result["id"] == test and result["params"].get("part", "") == part
    )
    rows = pq.read_table(finished.path / "samples.parquet", filters=[("result", "=", number)])
    index, start, stop, value = (rows[name].to_numpy() for name in ("index", "start", "stop", "value"))
    return Recorded(index, start.astype(np.int64), stop.astype(np.int64), value)


TRIES = 6
WAKE_UP = ("wake-up", "TMR-P-CYC", (("interval", "1ms"),), 300, "", Groups(1))
RELEASE = ("release", "SEM-P-ARC", (("kind", "counting"), ("waiters", str(WAITERS))), 800, "release",
           Groups(2 * WAITERS, lead=WAITERS))  # fmt: skip
SWITCH = ("switch", "THR-P-SLS", (("threads", str(RING)),), 5000, "",
          Groups(BATCH + 2 * RING - 1, lead=2 * RING - 1))  # fmt: skip


@pytest.mark.realtime
@pytest.mark.parametrize(
    ("kind", "every", "hold_ns"),
    [
        (WAKE_UP, 3, 150_000),
        (WAKE_UP, 7, 300_000),
        (WAKE_UP, 20, 500_000),
        (RELEASE, 3, 30_000),
        (RELEASE, 7, 20_000),
        (RELEASE, 31, 50_000),
        (SWITCH, 13, 10_000),
        (SWITCH, 97, 20_000),
        (SWITCH, 29, 50_000),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else str(value),
)
def test_every_hold_comes_out_again(
    kind: tuple[str, str, tuple[tuple[str, str], ...], int, str, Groups],
    every: int,
    hold_ns: int,
    engine_known: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: pytest.RecordProperty,
) -> None:
    name, test, params, samples, part, groups = kind
    monkeypatch.setenv("RTGAUGE_ENGINE", str(engine_known))
    monkeypatch.setenv("RTG_KNOWN", f"{name}/{every}/{hold_ns}")
    monkeypatch.setenv("RTG_KNOWN_LOG", str(tmp_path / "log.json"))
    wish = Wish(tests=(test,), params=params, samples=samples)
    for _ in range(TRIES):
        finished = measure(Request(target="local", wish=wish, store=tmp_path))
        found = recorded_status(finished, test)
        if found == "not-permitted":
            pytest.skip("this user may not use real-time scheduling: `rtgauge doctor` tells what to do")
        assert found == "ok", finished.content["results"]

        log, trace = read_log(tmp_path / "log.json"), load_trace(finished.path)
        assert trace.clock is not None
        assert (log.clock, log.not_held) == (trace.clock.name, 0)
        assert [row[0] for row in log.holds] == list(range(every, log.operations + 1, every))
        source = next(s.info.source for t in trace.tests for s in t.series if t.descriptor.id == test)
        holds = log.of(source, trace.clock.ns_per_tick)
        assert min(row[4] - row[3] for row in log.holds) >= hold_ns
        result = compare(holds, recorded(finished, test, part), groups)
        tell(f"{name} n={every} k={hold_ns / 1e3:g} us", result, record_property)
        if result.problems != (NOISE,):  # else this machine was too busy with others to tell
            break
        time.sleep(2.0)
    assert result.problems == ()
    assert result.held >= samples // every // 2
    assert result.hold_ns == pytest.approx(hold_ns, rel=0.05)
    check_outside(log, finished, source, trace.clock.ns_per_tick)


def recorded_status(finished: Finished, test: str) -> str:
    return next(str(result["status"]) for result in finished.content["results"] if result["id"] == test)


def tell(name: str, result: Comparison, record_property: pytest.RecordProperty) -> None:
    figures = (
        f"{result.held} samples held for {result.hold_ns:.0f} ns (median), {result.outside} holds in no sample; median "
        f"excess {result.excess_ns:.0f} ns, spread {result.spread_ns:.0f} ns"
    )
    print(f"{name}: {figures}")
    record_property(name, figures)


def check_outside(log: Log, finished: Finished, source: str, ns_per_tick: float) -> None:
    """No hold lies half in a sample of any series of the run by the same clock."""
    for result in finished.content["results"]:
        if not result.get("n") or (result["id"] == "TMR-P-CYC") != (source == "os"):
            continue
        series = recorded(finished, result["id"], result["params"].get("part", ""))
        for hold, stamp in itertools.product(log.of(source, ns_per_tick), ("begin", "end")):
            at = int(np.searchsorted(series.start, getattr(hold, stamp), "right")) - 1
            if at >= 0 and getattr(hold, stamp) <= series.stop[at]:
                assert series.start[at] <= hold.begin, hold
                assert hold.end <= series.stop[at], hold
