from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rtgauge.cli import main
from rtgauge.errors import StoreError, TargetError, UsageError
from rtgauge.plan import Wish
from rtgauge.results import complaint_about
from rtgauge.session import Finished, Request, run
from rtgauge.store.folder import RunFolder
from rtgauge.store.readers import StoredRun, open_run
from rtgauge.store.verify import verify
from tests.targets.engines import ROOT, make_engine


@pytest.fixture(autouse=True)
def _own_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests neither wait for a run of the user nor touch the user's store."""
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("RTGAUGE_CATALOGUE", raising=False)


def measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wish: Wish | None = None, more: Any = None, **behaviour: Any
) -> Finished:
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine", **behaviour)))
    return run(Request("local", wish or Wish(samples=600), tmp_path / "store", **(more or {})))


def results(run_: StoredRun) -> dict[str, dict[str, Any]]:
    named = {}
    for result in run_.results["results"]:
        named[" ".join([result["id"], *map(str, result["params"].values())])] = result
    return named


def test_a_run_is_stored_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"tag": "first", "deadline_ns": 100_000, "command": ("rtgauge", "run")}
    finished = measured(tmp_path, monkeypatch, more=more)
    assert (finished.why, finished.exit_code) == (None, 0)
    stored = open_run(finished.path)
    assert stored.complete
    assert stored.problems == ()
    assert stored.results == finished.content
    assert complaint_about(stored.results) is None
    assert [name for name, one in results(stored).items() if one["status"] in ("ok", "pass")] == [
        "CAL-P-TRC",
        "THR-P-SLS 2",
        "THR-P-SLS 10",
        "SEM-B-LCK counting",
        "SEM-B-LCK binary",
        "TMR-P-CYC 1ms",
    ]
    assert stored.manifest["tag"] == "first"
    assert stored.manifest["command"] == ["rtgauge", "run"]
    assert stored.manifest["versions"]["engine"] == "rtgauge-engine 0.1.0"
    assert len(stored.manifest["engine"]["sha256"]) == 64
    assert [job.id for job in stored.spec().jobs] == [result["id"] for result in stored.results["results"]]
    assert stored.results["verdict"]["ruling"] == "pass"
    assert len(stored.load_trace().tests) == 6
    assert sorted(file.name for file in finished.path.iterdir()) == [
        "log.txt",
        "manifest.json",
        "results.json",
        "samples.parquet",
        "trace.cbor",
    ]


def test_every_sample_is_in_the_parquet_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished = measured(tmp_path, monkeypatch)
    table = pq.read_table(finished.path / "samples.parquet")
    for index, result in enumerate(finished.content["results"]):
        values = [
            v for r, v in zip(*(table.column(c).to_pylist() for c in ("result", "value")), strict=True) if r == index
        ]
        assert len(values) == result.get("n", 0)
        if values:
            assert max(values) == result["max"]


def test_a_dead_test_is_invalid_with_its_reason_and_the_rest_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished = measured(tmp_path, monkeypatch, dies="THR-P-SLS")
    stored = open_run(finished.path)
    found = results(stored)
    assert found["THR-P-SLS 2"]["status"] == "invalid"
    assert found["THR-P-SLS 2"]["reason"] == "the engine was killed by signal 9 during THR-P-SLS"
    assert found["TMR-P-CYC 1ms"]["status"] == "ok"
    assert found["SEM-B-LCK binary"]["status"] == "pass"
    assert finished.exit_code == 4
    assert verify(finished.path).mismatches == ()
    assert "killed by signal 9" in (finished.path / "log.txt").read_text()


def test_an_engine_that_never_begins_leaves_a_folder_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished = measured(tmp_path, monkeypatch, start="garbage")
    stored = open_run(finished.path)
    assert stored.state == "broken"
    assert finished.exit_code == 4
    assert {one["status"] for one in stored.results["results"]} == {"invalid"}
    assert "not run: the engine ended before" in stored.results["results"][0]["reason"]
    assert verify(finished.path).mismatches == ()


def test_a_replay_gives_the_same_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = measured(tmp_path, monkeypatch, dies="TMR-P-CYC")
    again = run(Request("replay:last", Wish(), tmp_path / "store"))
    assert again.path != first.path
    assert again.content["results"] == first.content["results"]
    assert (again.path / "trace.cbor").read_bytes() == (first.path / "trace.cbor").read_bytes()
    with pytest.raises(UsageError, match="nothing of it can be chosen"):
        run(Request("replay:last", Wish(samples=5), tmp_path / "store"))


def test_tune_is_part_of_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "latency"
    device.write_bytes(b"")
    monkeypatch.setattr("rtgauge._tune.tuned.__wrapped__.__defaults__", (device,))
    finished = measured(tmp_path, monkeypatch, more={"tune": True})
    assert device.read_bytes() == b"\0\0\0\0"
    assert {one["environment"]["tune"] for one in finished.content["results"]} == {"cpu_dma_latency=0"}
    with pytest.raises(UsageError, match="--tune"):
        run(Request("replay:last", Wish(), tmp_path / "store", tune=True))


def test_a_cpu_that_is_not_there_names_the_legal_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="CPU 4000 cannot be used: legal are"):
        measured(tmp_path, monkeypatch, Wish(cpu=4000))
    assert not (tmp_path / "store").exists()


def test_a_second_run_is_refused_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rtgauge.targets._lock import only_one

    with only_one(tmp_path), pytest.raises(TargetError, match="another run is going on"):
        measured(tmp_path, monkeypatch)
    assert not (tmp_path / "store").exists()


# ---- disks that refuse ----


def test_results_that_cannot_be_written_leave_the_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: RunFolder, name: str, _content: object) -> None:
        raise StoreError(f"cannot write {self.path / name}: the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "write_json", full)
        with pytest.raises(StoreError, match=r"results\.json: the disk is full"):
            measured(tmp_path, monkeypatch)
    stored = open_run(next((tmp_path / "store/runs").iterdir()))
    assert stored.state == "broken"
    assert any("disk is full" in problem for problem in stored.problems)
    assert any("results.json is missing" in problem for problem in stored.problems)
    assert results(stored)["THR-P-SLS 2"]["n"] == 600


def test_a_trace_that_outgrows_the_disk_keeps_what_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = RunFolder.write_trace
    sizes: list[int] = []

    def full(self: RunFolder, chunk: bytes) -> None:
        if sum(sizes) + len(chunk) > 300_000:
            raise StoreError(f"cannot write {self.path}: the disk is full")
        sizes.append(len(chunk))
        whole(self, chunk)

    monkeypatch.setattr(RunFolder, "write_trace", full)
    finished = measured(tmp_path, monkeypatch, Wish(samples=8_000))
    assert finished.exit_code == 4
    assert finished.why is not None
    assert "the disk is full" in finished.why
    stored = open_run(finished.path)
    assert stored.state == "broken"
    assert results(stored)["CAL-P-TRC"]["n"] > 0
    assert "not run: cannot write" in results(stored)["TMR-P-CYC 1ms"]["reason"]
    assert verify(finished.path).mismatches == ()


def test_a_limit_of_the_system_on_files_is_one_line(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    process = started(tmp_path, make_engine(tmp_path / "engine"), "run", "local", "--samples", "8000", preexec=limit)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 4, err
    assert "may not grow further" in err.splitlines()[-1]
    assert "Traceback" not in err
    stored = open_run(next((tmp_path / "store/runs").iterdir()))
    assert results(stored)["CAL-P-TRC"]["n"] > 0


def test_a_store_that_cannot_be_written_is_one_line_and_4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))
    (tmp_path / "file").write_text("")
    assert main(["run", "local", "--store", str(tmp_path / "file" / "store")]) == 4
    assert capsys.readouterr().err.startswith("rtgauge: error: cannot write")


def test_a_store_where_nothing_can_be_made_is_one_line_and_4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path("/proc/sys").exists():
        pytest.skip("needs /proc")
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path / "engine")))
    assert main(["run", "local", "--store", "/proc/sys/rtgauge"]) == 4
    assert capsys.readouterr().err.count("\n") == 1


# ---- ends that nobody planned ----


def started(tmp_path: Path, engine: Path, *words: str, preexec: Any = None) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "RTGAUGE_ENGINE": str(engine)}
    environment["RTGAUGE_STORE"] = str(tmp_path / "store")
    code = (
        "import sys, rtgauge.targets._lock as lock\n"
        f"lock.NAME = '\\0rtgauge-test-{os.getpid()}'\n"
        "from rtgauge.cli import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, *(words or ("run", "local", "--samples", "600"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=preexec,
    )


def wait_for(process: subprocess.Popen[str], words: str) -> str:
    """Reads standard error up to the line with `words`."""
    assert process.stderr is not None
    seen = ""
    while words not in seen:
        line = process.stderr.readline()
        assert line, seen
        seen += line
    return seen


def only_run(tmp_path: Path) -> StoredRun:
    (path,) = (tmp_path / "store/runs").iterdir()
    return open_run(path)


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "term")]
)
def test_a_run_that_is_told_to_stop_keeps_what_it_has(tmp_path: Path, number: int, code: int, word: str) -> None:
    process = started(tmp_path, make_engine(tmp_path / "engine", hangs="SEM-B-LCK"))
    wait_for(process, "THR-P-SLS threads=10: done")
    time.sleep(0.3)
    began = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 15
    assert process.returncode == code
    assert word in err
    assert "Traceback" not in err
    stored = only_run(tmp_path)
    assert stored.state == "interrupted"
    found = results(stored)
    assert found["THR-P-SLS 10"]["status"] == "ok"
    assert found["TMR-P-CYC 1ms"]["status"] == "invalid"
    assert found["TMR-P-CYC 1ms"]["reason"].startswith(f"not run: {word}")
    assert verify(stored.path).mismatches == ()


def test_a_terminal_that_goes_away_ends_the_run_in_order(tmp_path: Path) -> None:
    process = started(tmp_path, make_engine(tmp_path / "engine", hangs="SEM-B-LCK"))
    wait_for(process, "THR-P-SLS threads=10: done")
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=30)
    assert process.returncode == 129
    stored = only_run(tmp_path)
    assert stored.state == "interrupted"
    assert results(stored)["THR-P-SLS 10"]["status"] == "ok"


def test_a_store_that_fails_says_where_the_rest_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise StoreError("cannot write samples.parquet: the disk is full")

    monkeypatch.setattr("rtgauge.store.samples.write_samples", refuse)
    with pytest.raises(StoreError) as caught:
        measured(tmp_path, monkeypatch)
    (path,) = (tmp_path / "store/runs").iterdir()
    assert str(caught.value) == f"cannot write samples.parquet: the disk is full; what was measured is in {path}"
    assert open_run(path).state == "broken"
    assert verify(path).mismatches == ()


def test_a_deaf_engine_does_not_keep_the_user_waiting(tmp_path: Path) -> None:
    process = started(tmp_path, make_engine(tmp_path / "engine", deaf="THR-P-SLS"))
    wait_for(process, "CAL-P-TRC: done")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    stored = only_run(tmp_path)
    assert results(stored)["CAL-P-TRC"]["n"] == 10_000
    assert results(stored)["THR-P-SLS 2"]["status"] == "invalid"


def test_a_killed_host_leaves_a_folder_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = started(tmp_path, make_engine(tmp_path / "engine", slow=1.0))
    wait_for(process, "THR-P-SLS threads=2: done")
    process.kill()
    process.communicate(timeout=30)
    stored = only_run(tmp_path)
    assert stored.state == "incomplete"
    assert not stored.complete
    assert stored.problems[0] == "the run is incomplete"
    assert results(stored)["THR-P-SLS 2"]["n"] == 600
    for words in (["show", "last"], ["report", "last", "-o", str(tmp_path / "r.html")], ["list", "runs"]):
        assert main(words) == 0
    caught = capsys.readouterr()
    assert "incomplete" in caught.out
    assert "note: the run is incomplete" in caught.err
    assert main(["verify", "last"]) == 4


def test_a_second_host_is_refused_while_the_first_measures(tmp_path: Path) -> None:
    engine = make_engine(tmp_path / "engine", slow=1.0)
    first = started(tmp_path, engine)
    wait_for(first, "CAL-P-TRC: done")
    second = started(tmp_path, engine)
    out, err = second.communicate(timeout=30)
    assert (second.returncode, out) == (4, "")
    assert err.startswith("rtgauge: error: another run is going on")
    assert err.count("\n") == 1
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=30)
    assert first.returncode == 130
    assert only_run(tmp_path).state == "interrupted"


def test_json_is_pure_on_standard_output(tmp_path: Path) -> None:
    process = started(tmp_path, make_engine(tmp_path / "engine"), "run", "local", "--tests", "SEM-*", "--json")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    content = json.loads(out)
    assert [one["id"] for one in content["results"]] == ["SEM-B-LCK", "SEM-B-LCK"]
    assert content == only_run(tmp_path).results
    assert "[1/2] SEM-B-LCK kind=counting: done" in err
