"""Tests of memory and files: on the simulated OS every figure is known; on this one they stay in the folder given."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rtgauge.model import Job, Param, Result, RunSpec, Trace
from rtgauge.pipeline import judge
from rtgauge.targets._workspace import workspace
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request

MEMORY = Path("/dev/shm")  # a file system without a medium, where there is one


def talk(
    engine: Path, *jobs: Job, folder: Path | None = None, fault: str = "", prepare: Callable[[], None] | None = None
) -> Trace:
    done = subprocess.run(
        [engine],
        input=encode_request(RunSpec(jobs=jobs, memory=16 << 20)),
        capture_output=True,
        check=False,
        timeout=120,
        cwd=folder,
        env={**os.environ, "RTGAUGE_FAULT": fault},
        preexec_fn=prepare,
    )
    assert done.returncode == 0, done.stderr.decode()
    return read_trace(done.stdout)


def results(engine: Path, *jobs: Job, folder: Path | None = None, fault: str = "") -> list[Result]:
    return list(judge(talk(engine, *jobs, folder=folder, fault=fault), RunSpec(jobs=jobs)).results)


def evidence(result: Result) -> dict[str, str | int]:
    return {line.name: line.value for line in result.evidence}


def least(result: Result) -> float:
    assert result.summary is not None, result.reason
    return result.summary.min


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with workspace(tmp_path) as made:
        yield made


# ---- the simulated OS: costs.h --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "cost"), [("heap", 300), ("pool", 80)])
@pytest.mark.parametrize("state", ["fresh", "fragmented"])
@pytest.mark.parametrize("size", [1, 16, 1048576])
def test_an_allocation_costs_what_it_costs(engine_fake: Path, kind: str, cost: int, state: str, size: int) -> None:
    got, touched, freed = results(engine_fake, Job("MEM-P-ALC", 50, {"kind": kind, "size": size, "state": state}))
    assert [one.status for one in (got, touched, freed)] == ["ok"] * 3
    assert (least(got), least(touched), least(freed)) == (cost, 0, cost)
    live = 0 if state == "fresh" else 8 if size > 1 << 19 else 256
    assert evidence(got)["live_blocks"] == live


@pytest.mark.parametrize(("state", "blocks"), [("fresh", 0), ("fragmented", 256 + 7)])
def test_what_is_out_makes_allocations_slower(engine_fake: Path, state: str, blocks: int) -> None:
    """Beside the live blocks those of the last seven turns are out."""
    job = Job("MEM-P-ALC", 50, {"kind": "heap", "size": 64, "state": state})
    got, _, freed = results(engine_fake, job, fault="heap-grows:5")
    assert (least(got), least(freed)) == (300 + 5 * blocks, 300)


@pytest.mark.parametrize(("fault", "entered"), [("", "no"), ("heap-enters-kernel", "yes")])
def test_whether_the_kernel_was_entered(engine_fake: Path, fault: str, entered: str) -> None:
    got = results(engine_fake, Job("MEM-P-ALC", 5, {"kind": "heap", "size": 64, "state": "fresh"}), fault=fault)[0]
    assert str(evidence(got)["kernel_entered_allocate"]).startswith(f"{entered} (")


FOOTPRINT = {
    "code": 100_000,
    "static": 10_000,
    "kernel": 50_000,
    "thread": 262_144 + 8,
    "semaphore": 64 + 32,
    "mutex": 64 + 48,
}


@pytest.mark.parametrize("part", FOOTPRINT)
def test_footprints_of_the_simulated_os_are_known(engine_fake: Path, part: str) -> None:
    (one,) = results(engine_fake, Job("MEM-P-FTP", 8, {"part": part}))
    assert one.summary is not None
    assert (one.unit, one.params["part"]) == ("B", part)
    assert (one.summary.min, one.summary.max) == (FOOTPRINT[part], FOOTPRINT[part])


def test_the_kernel_pays_for_each_object(engine_fake: Path) -> None:
    (one,) = results(engine_fake, Job("MEM-P-FTP", 8, {"part": "thread"}))
    assert evidence(one)["kernel_bytes_each"] == 128


FILES: dict[tuple[str, tuple[tuple[str, Param], ...]], list[float]] = {
    ("FS-P-NEW", (("files", 100),)): [4300, 4000],
    ("FS-P-RD", (("size", 1), ("cached", "yes"))): [301],
    ("FS-P-RD", (("size", 512), ("cached", "no"))): [90_332],
    ("FS-P-RD", (("size", 5120), ("cached", "no"))): [90_620],
    ("FS-P-WR", (("size", 1),)): [150_601],
    ("FS-P-WR", (("size", 5120),)): [150_920],
}


@pytest.mark.parametrize(("test", "params"), FILES)
def test_files_of_the_simulated_os_cost_what_they_cost(
    engine_fake: Path, test: str, params: tuple[tuple[str, Param], ...]
) -> None:
    found = results(engine_fake, Job(test, 200, dict(params)))
    assert [one.status for one in found] == ["ok"] * len(found)
    assert [least(one) for one in found] == FILES[test, params]


def test_a_read_says_whether_it_was_cached(engine_fake: Path) -> None:
    jobs = [Job("FS-P-RD", 20, {"size": 512, "cached": cached}) for cached in ("yes", "no")]
    trace = talk(engine_fake, *jobs)
    assert [set(test.series[0].aux.tolist()) for test in trace.tests] == [{1}, {0}]


def test_a_large_file_is_followed_by_the_next(engine_fake: Path) -> None:
    found = results(engine_fake, Job("FS-P-WR", 600, {"size": 65536}))  # 16 MB are 256 of them
    assert found[0].summary is not None
    assert (found[0].summary.n, found[0].status) == (600, "ok")


def test_peaks_are_told_in_operations(engine_fake: Path) -> None:
    whole, peak, other, period = results(engine_fake, Job("FS-P-WR", 500, {"size": 512}), fault="write-peaks:25")
    assert whole.summary is not None
    assert whole.summary.analysis["peaks"]["every"] == pytest.approx(25)
    assert [one.params.get("part") for one in (peak, other, period)] == ["peak", "other", "peak-period"]
    assert (least(peak), least(other), least(period)) == (1_501_432, 150_632, 25)  # a tick comes within each peak
    assert period.unit == "1"


def test_without_peaks_there_is_no_result_of_them(engine_fake: Path) -> None:
    (whole,) = results(engine_fake, Job("FS-P-WR", 500, {"size": 512}))
    assert whole.summary is not None
    assert whole.summary.analysis["peaks"] == {"every": None}


@pytest.mark.parametrize(
    ("fault", "job", "why"),
    [
        ("flush-nothing", Job("FS-P-WR", 50, {"size": 1}), "the device counted fewer writes than were forced"),
        ("forget-nothing", Job("FS-P-RD", 50, {"size": 1, "cached": "no"}), "cannot be taken out of memory"),
    ],
)
def test_a_system_that_deceives_gives_no_figure(engine_fake: Path, fault: str, job: Job, why: str) -> None:
    for one in results(engine_fake, job, fault=fault):
        assert one.status == "invalid"
        assert why in str(one.reason)


# ---- this system ----------------------------------------------------------------------------------------------------

ALL = (
    Job("FS-P-NEW", 20, {"files": 20}),
    Job("FS-P-RD", 20, {"size": 512, "cached": "yes"}),
    Job("FS-P-RD", 20, {"size": 512, "cached": "no"}),
    Job("FS-P-WR", 20, {"size": 512}),
)


def test_no_file_is_touched_in_another_folder(engine_local: Path, tmp_path: Path) -> None:
    for one in results(engine_local, *ALL, folder=tmp_path):
        assert (one.status, one.reason) == ("not-supported", "there is no folder for files")
    assert list(tmp_path.iterdir()) == []


def test_files_stay_in_the_folder_and_go(engine_local: Path, folder: Path) -> None:
    found = results(engine_local, *ALL, folder=folder)
    assert list(folder.iterdir()) == []
    for one in found:
        told = evidence(one)
        assert {"file_system", "device", "mount_options", "medium"} <= set(told)
        may_refuse = "medium_unproven" in told and (one.id == "FS-P-WR" or one.params.get("cached") == "no")
        assert one.status == ("not-supported" if may_refuse else "ok"), one.reason
        if one.status == "ok" and one.id == "FS-P-WR" and "device_writes" in told:
            assert int(told["device_writes"]) >= 20


def test_memory_is_no_medium(engine_local: Path) -> None:
    if not MEMORY.is_dir():
        pytest.skip(f"there is no {MEMORY}")
    with workspace(MEMORY) as made:
        found = results(engine_local, *ALL, folder=made)
    assert {one.status for one in found if one.id == "FS-P-NEW" or one.params.get("cached") == "yes"} == {"ok"}
    refused = [one for one in found if one.id == "FS-P-WR" or one.params.get("cached") == "no"]
    assert len(refused) == 5
    for one in refused:
        assert (one.status, one.reason) == ("not-supported", "this file system keeps its files in memory")
        assert evidence(one)["file_system"] == "tmpfs"


def test_a_file_system_that_fills_up_is_told(engine_local: Path, folder: Path) -> None:
    """Files may not grow beyond 100 KB: as good as a full disk, without one."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100 << 10, 100 << 10))

    job = Job("FS-P-RD", 20, {"size": 512, "cached": "yes"})
    trace = talk(engine_local, job, folder=folder, prepare=limit)
    (one,) = judge(trace, RunSpec(jobs=(job,))).results
    assert (one.status, one.reason) == ("invalid", "the file system became full")
    assert list(folder.iterdir()) == []


def test_what_this_program_takes(engine_local: Path, engine_static: Path) -> None:
    jobs = [Job("MEM-P-FTP", 3, {"part": part}) for part in ("code", "static", "thread", "semaphore")]
    for engine, words in ((engine_local, "without its C library"), (engine_static, "holds its C library")):
        code, static, thread, semaphore = results(engine, *jobs)
        assert words in str(evidence(code)["how"])
        assert 50_000 < least(code) < 2 * engine.stat().st_size
        assert least(static) > 100_000
        assert thread.status in ("ok", "not-permitted")
        assert thread.summary is None or 64 << 10 < thread.summary.max < 512 << 10 or thread.summary.min < 96 << 10
        assert 8 <= least(semaphore) < 4096


def test_blocks_of_this_system(engine_local: Path) -> None:
    jobs = [Job("MEM-P-ALC", 50, {"kind": "heap", "size": size, "state": "fragmented"}) for size in (16, 1048576)]
    found = results(engine_local, *jobs, Job("MEM-P-ALC", 5, {"kind": "pool", "size": 16, "state": "fresh"}))
    assert [one.status for one in found] == ["ok"] * 6 + ["not-supported"] * 3
    assert int(evidence(found[0])["live_bytes"]) > 256 * 8
    assert int(evidence(found[3])["memory_after"]) > 4 << 20
