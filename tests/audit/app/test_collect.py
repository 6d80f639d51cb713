"""Real small programs under watch, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rtgauge.audit._finding import Finding
from rtgauge.audit.app import AppAudit, _trace, judge, observe, run_app_audit
from rtgauge.audit.app._collect import Clock
from rtgauge.audit.app._proc import Proc, parse_status
from rtgauge.errors import TargetError, UsageError
from tests.audit.app.test_proc import FIELDS, REST

WATCH = 0.5
READY = "import os, sys, threading, time\nprint(flush=True)\n"


@contextmanager
def program(text: str) -> Iterator[subprocess.Popen[bytes]]:
    """A child that runs `text` once it has said that it is there."""
    with subprocess.Popen(
        [sys.executable, "-c", READY + text], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        try:
            assert child.stdout
            child.stdout.readline()
            yield child
        finally:
            child.kill()


def audit(text: str, seconds: float = WATCH) -> dict[str, Finding]:
    with program(text) as child:
        return by_name(run_app_audit(child.pid, seconds))


def by_name(found: AppAudit) -> dict[str, Finding]:
    return {each.check: each for each in found.findings}


def need_tracing() -> None:
    try:
        with _trace.session() as session:
            session.start([os.getpid()])
    except _trace.NoTraceError as refused:
        pytest.skip(f"kernel events: {refused}")


def need_realtime() -> None:
    child = subprocess.run(
        [sys.executable, "-c", "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))"],
        capture_output=True,
        check=False,
    )
    if child.returncode:
        pytest.skip("SCHED_FIFO is refused to this user")


# ---- programs ------------------------------------------------------------------------------------------------------


def test_a_program_that_spins_and_one_that_waits() -> None:
    spinning = audit("while True: pass")
    assert spinning["real-time policy"].status == "fail"
    assert spinning["busy waiting"].status == "warn"
    assert audit("while True: time.sleep(0.01)")["busy waiting"].status == "ok"


def test_descriptors_that_are_not_closed() -> None:
    found = audit("while True: os.dup(0); time.sleep(0.005)")["descriptors"]
    assert (found.status, "growing steadily" in found.summary) == ("warn", True)
    assert audit("while True: os.close(os.dup(0)); time.sleep(0.005)")["descriptors"].status != "warn"


def test_page_faults_and_memory_that_grows() -> None:
    found = audit("kept = []\nwhile True: kept.append(bytearray(1 << 20)); time.sleep(0.005)")
    assert found["page faults"].status == "warn"
    assert found["memory growth"].status == "warn"
    assert found["locked memory"].status == "fail"


def test_threads_that_come_and_go() -> None:
    text = "while True: t = threading.Thread(target=time.sleep, args=(0.1,)); t.start(); t.join()"
    assert audit(text)["thread creation"].status == "warn"


def test_calls_are_met_without_kernel_events() -> None:
    with program("while True: time.sleep(0.05); [None for _ in range(10000)]") as child:
        found = by_name(run_app_audit(child.pid, WATCH, events=False))
    assert found["sockets"].status == "unknown"
    assert "--no-trace" in found["sockets"].summary


def test_calls_are_seen_by_kernel_events(tmp_path: Path) -> None:
    need_tracing()
    text = f"""
out = open({str(tmp_path / "log")!r}, "w")
while True: print("x", file=out, flush=True); os.fsync(out.fileno()); print("y"); sys.stdout.flush(); time.sleep(0.01)
"""
    found = audit(text)
    assert {found[name].status for name in ("file access", "terminal and pipe output")} == {"warn"}
    assert "fsync" in found["file access"].summary
    assert {found[name].status for name in ("sockets", "sched_yield", "signals")} == {"ok"}
    assert not list(Path("/sys/kernel/tracing/instances").glob("rtgauge-app-*"))


def test_a_lock_that_threads_of_two_priorities_share() -> None:
    need_tracing()
    need_realtime()
    found = audit(
        """
lock = threading.Lock()
def high():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(2))
    while True:
        with lock: time.sleep(0.004)
        time.sleep(0.001)
threading.Thread(target=high, daemon=True).start()
while True:
    with lock: time.sleep(0.004)
    time.sleep(0.001)
""",
        1.0,
    )
    assert found["real-time policy"].status == "ok"
    assert found["priority inversion"].status == "fail"
    assert found["timer slack"].status == "ok"


def test_a_thread_name_with_control_characters_is_kept_as_it_is() -> None:
    with program("open('/proc/self/comm', 'w').write('\\x1b[2J) \\t(x')\ntime.sleep(9)") as child:
        time.sleep(0.1)
        seen = observe(child.pid, 0.2)
    assert seen.threads[0].name == "\x1b[2J) \t(x"


def settled(pid: int) -> dict[str, str]:
    """What a program has that only it, or somebody who changes it, changes."""
    status = parse_status(Path(f"/proc/{pid}/status").read_text("utf-8"))
    names = ("TracerPid", "SigPnd", "ShdPnd", "SigCgt", "Cpus_allowed", "Threads", "VmSize", "VmLck", "Seccomp")
    return {name: status.get(name, "") for name in names}


def test_a_watch_changes_nothing_and_takes_as_long_as_it_says() -> None:
    with program("time.sleep(9)") as child:
        time.sleep(0.1)
        before = settled(child.pid)
        seen = observe(child.pid, 0.3)
        assert settled(child.pid) == before
    assert seen.seconds >= 0.3
    assert len(seen.descriptors) >= 2
    assert seen.program == os.path.realpath(sys.executable)


# ---- what is refused -----------------------------------------------------------------------------------------------


def test_a_number_that_names_no_process() -> None:
    with program("time.sleep(9)") as child:
        gone = child.pid
    with pytest.raises(UsageError, match=f"there is no process {gone}"):
        observe(gone, WATCH)


def test_a_thread_of_a_process() -> None:
    with program("threading.Thread(target=time.sleep, args=(9,)).start()\ntime.sleep(9)") as child:
        time.sleep(0.1)
        tid = max(int(each.name) for each in Path(f"/proc/{child.pid}/task").iterdir())
        with pytest.raises(UsageError, match=f"rtgauge audit --app {child.pid}"):
            observe(tid, WATCH)


def test_a_program_that_ends_meanwhile() -> None:
    with program("time.sleep(0.2)") as child, pytest.raises(TargetError, match="ended while it was watched"):
        observe(child.pid, 5.0)


def test_a_program_that_has_ended_but_is_still_listed() -> None:
    with program("") as child:
        time.sleep(0.3)
        with pytest.raises(TargetError, match="ended already"):
            observe(child.pid, WATCH)


def test_a_program_that_becomes_another() -> None:
    text = "time.sleep(0.1)\nos.execv('/bin/sleep', ['sleep', '9'])"
    with program(text) as child, pytest.raises(TargetError, match="became another program"):
        observe(child.pid, 0.6)


def test_a_program_of_somebody_else(tmp_path: Path) -> None:
    proc = fake(tmp_path)

    class Closed(Proc):
        def descriptors(self, pid: int) -> list[int]:  # noqa: ARG002
            raise PermissionError(13, "Permission denied")

    with pytest.raises(TargetError, match="process 7 belongs to root and may not be watched"):
        observe(7, WATCH, True, Closed(proc.root))


# ---- a /proc made by hand ------------------------------------------------------------------------------------------


def fake(root: Path, stat: str = f"7 (loop) {REST}", status: str = "", **files: str) -> Proc:
    status = f"Tgid:\t7\nUid:\t0\t0\t0\t0\nVmLck:\t8 kB\nVmRSS:\t4 kB\nCpus_allowed_list:\t0-1\n{status}"
    tree = {"stat": stat, "status": status, "task/7/stat": stat, "task/7/status": status, "fd/0": "", **files}
    for name, text in tree.items():
        path = root / "7" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Proc(root)


def short() -> Clock:
    times = iter(range(10**6))
    return Clock(lambda: next(times) / 100, lambda _: None)


def test_another_proc_is_never_judged_by_this_machine(tmp_path: Path) -> None:
    seen = observe(7, WATCH, True, fake(tmp_path), short())
    assert (seen.source, seen.problem, seen.trace) == ("nothing", "not the running system", None)
    assert seen.threads[0].policy_name == "FIFO 80"
    assert judge(seen).findings


def test_a_kernel_thread(tmp_path: Path) -> None:
    fields = [*FIELDS]
    fields[5] = 0x00200000
    stat = "7 (kworker/0:1) S " + " ".join(map(str, fields)) + " 0 0"
    with pytest.raises(UsageError, match="thread of the kernel"):
        observe(7, WATCH, True, fake(tmp_path, stat), short())


@pytest.mark.parametrize(
    "files",
    [
        {"stat": "nonsense"},
        {"task/7/stat": "7 (x) S 1"},
        {"task/7/status": "Cpus_allowed_list: 0-99999999999"},
        {"status": "voluntary_ctxt_switches: many", "task/7/status": "voluntary_ctxt_switches: many"},
        {"status": "TracerPid: \x1b[2J", "task/7/status": ""},
    ],
    ids=["stat", "task", "cpus", "switches", "tracer"],
)
def test_values_that_make_no_sense_are_one_clear_line(tmp_path: Path, files: dict[str, str]) -> None:
    proc = fake(tmp_path)
    for name, text in files.items():
        (tmp_path / "7" / name).write_text(f"Tgid: 7\n{text}" if name.endswith("status") else text, "utf-8")
    with pytest.raises(TargetError, match="makes no sense"):
        observe(7, WATCH, True, proc, short())


def test_an_instance_that_a_killed_audit_left_is_removed(tmp_path: Path) -> None:
    instances = tmp_path / "instances"
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    for name in (f"rtgauge-app-{child.pid}", f"rtgauge-app-{os.getpid()}", "rtgauge-app-x", "trace-cmd"):
        (instances / name).mkdir(parents=True)
    _trace._sweep(tmp_path)
    left = {each.name for each in instances.iterdir()}
    assert left == {f"rtgauge-app-{os.getpid()}", "rtgauge-app-x", "trace-cmd"}
