"""The recorder: how many events a second it sustains in each mode, whether its memory stays the same while it does, and
that of the host.

CAL-P-TRC asks nothing of the system, so that all its time goes into stamps and recording."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from _engine import ENGINE
from _figure import Figure
from rtgauge.model import Job, RunSpec, Trace
from rtgauge.recording import BUFFER_BYTES, RAW_BYTES, SAMPLE_BYTES
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request

STORED, FOLDED, LOOK_S = 10_000_000, 100_000_000, 0.2
GROWTH = 1.05  # of memory between the first and the last third of a run
SLOWEST = 1e6  # events a second


def resident_kb(pid: int) -> int:
    """Memory of a process that is resident now; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


class Watched:
    """The memory of a process, looked at several times a second until the block ends."""

    def __init__(self, pid: int) -> None:
        self.pid, self.seen, self._end = pid, [0], threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Watched:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.wait(LOOK_S):
            self.seen.append(resident_kb(self.pid))

    def growth(self) -> float:
        """The most of the last third over the most of the second: the first third is its start."""
        third = len(self.seen) // 3
        middle, end = self.seen[third : 2 * third], self.seen[2 * third :]
        return max(end, default=1) / max(max(middle, default=1), 1)


def engine(samples: int, **spec: object) -> tuple[Trace, Watched]:
    request = encode_request(RunSpec(jobs=(Job("CAL-P-TRC", samples),), **spec))  # type: ignore[arg-type]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([ENGINE], stdin=subprocess.PIPE, stdout=output)
        with Watched(process.pid) as watched:
            process.communicate(request)
        output.seek(0)
        return read_trace(output), watched


def rate(trace: Trace) -> float:
    """Events a second, pauses included."""
    test = trace.tests[0]
    return test.series[0].recorded / ((test.end_ns - test.begin_ns) / 1e9)


def measure() -> Iterator[Figure]:
    modes = {
        "store": (STORED, {"memory": 2 * STORED * SAMPLE_BYTES}),
        "chunk": (STORED, {"memory": BUFFER_BYTES}),
        "accumulate": (FOLDED, {"memory": BUFFER_BYTES, "accumulate": True, "raw": RAW_BYTES // SAMPLE_BYTES}),
    }
    for mode, (samples, spec) in modes.items():
        trace, watched = engine(samples, **spec)
        made, series = rate(trace), trace.tests[0].series[0]
        whole = trace.tests[0].mode == mode and series.recorded == samples and series.lost == 0
        note = f"{samples} events, {series.lost} lost, engine {max(watched.seen) / 1024:.0f} MB"
        yield Figure(f"events a second, {mode}", made, "1/s", None, None, whole and made >= SLOWEST, note)
    grown = watched.growth()
    yield Figure(
        "engine's memory over time, accumulate", None, "", grown, GROWTH, grown <= GROWTH, "last to middle third"
    )
    yield host()


def host() -> Figure:
    """The host while it follows such a run. Before and after that it plans and computes."""
    rtgauge = str(Path(sys.executable).parent / "rtgauge")
    with tempfile.TemporaryDirectory() as store:
        command = [rtgauge, "run", "local", "--tests", "CAL-P-TRC", "--samples", str(FOLDED), "--store", store]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seen, trace = [], Path(store)
        while process.poll() is None:
            time.sleep(LOOK_S)
            written = [one.stat().st_size for one in trace.glob("runs/*/trace.cbor")]
            seen.append((written[0] if written else 0, resident_kb(process.pid)))
    following = [kb for size, kb in seen if size > RAW_BYTES // 2 and size <= seen[-1][0] and kb]
    while_it_folds = following[: max(2, len(following) * 2 // 3)]
    grown = max(while_it_folds[len(while_it_folds) // 2 :], default=1) / max(while_it_folds[0], 1)
    note = f"while samples are folded; most of all {max(kb for _, kb in seen) / 1024:.0f} MB"
    met = process.returncode == 0 and grown <= GROWTH
    return Figure("host's memory over time, accumulate", None, "", grown, GROWTH, met, note)
