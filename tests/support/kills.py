"""Hosts to be killed: started, followed, and what is left of them afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TOKEN = "RTGAUGE_KILLS"  # in the environment of every process of one server
REALTIME = {1: "FIFO", 2: "RR", 6: "DEADLINE"}
WAIT_S = 60.0


def build_shim(folder: Path) -> Path:
    """The library that ends a host at the n-th call that changes a file."""
    shim = folder / "kills.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, HERE / "kills.c", "-ldl"], check=True)
    return shim


@dataclass(frozen=True)
class Attempt:
    """A host that was started, and what it has said so far."""

    pid: int
    output: Path

    def said(self) -> str:
        return self.output.read_text(errors="replace")


class Hosts:
    """Runs `rtgauge` in processes of their own, one after the other, with a store and a lock that are theirs."""

    def __init__(self, folder: Path, shim: Path | None = None) -> None:
        folder.mkdir(parents=True)
        self.folder, self.store, self.temporary = folder, folder / "store", folder / "tmp"
        self.temporary.mkdir()
        self.token = secrets.token_hex(8)
        self.lock = f"\0rtgauge-kills-{self.token}"
        self._outputs = 0
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("RTGAUGE_")},
            **({"LD_PRELOAD": str(shim)} if shim else {}),
            "OPENBLAS_NUM_THREADS": "1",  # a process that forks has no other threads
            "OMP_NUM_THREADS": "1",
            "TMPDIR": str(self.temporary),
            TOKEN: self.token,
        }
        command = [sys.executable, str(HERE / "kills_host.py")]
        self._server = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._answer("ready")

    def start(self, *words: str, at: int = 0, half: bool = False) -> Attempt:
        """One command; it dies at its `at`-th call that changes a file of the store."""
        assert self._server.stdin is not None
        self._outputs += 1
        output = self.folder / f"output-{self._outputs}"
        output.touch()
        request = {"words": words, "output": str(output), "lock": self.lock, "below": f"{self.store}/"}
        self._server.stdin.write(json.dumps({**request, "at": at, "half": int(half)}) + "\n")
        self._server.stdin.flush()
        return Attempt(self._answer("pid"), output)

    def wait(self) -> int:
        """The exit status of the command under way."""
        return self._answer("status")

    def run(self, *words: str) -> tuple[int, str]:
        attempt = self.start(*words)
        return self.wait(), attempt.said()

    def close(self) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait(WAIT_S)

    def left(self) -> list[str]:
        """Processes of ours beside the server, with the scheduling of their threads."""
        return [_described(pid) for pid in processes(self.token) if pid != self._server.pid]

    def gone(self, within_s: float = 10.0) -> list[str]:
        """What is left after a while; usually nothing, and at once."""
        until = time.monotonic() + within_s
        while (left := self.left()) and time.monotonic() < until:
            time.sleep(0.005)
        return left

    def lock_is_free(self) -> bool:
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as lock:
            try:
                lock.bind(self.lock)
            except OSError:
                return False
        return True

    def _answer(self, name: str) -> int:
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        if not line:
            raise RuntimeError("the program that starts hosts has died")
        return int(json.loads(line)[name])


def processes(token: str) -> list[int]:
    """The living processes that inherited `token`."""
    mark, found = f"{TOKEN}={token}".encode(), []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found


def engines_of(host: int) -> list[int]:
    """The engines that a host has running."""
    try:
        return [int(pid) for pid in Path(f"/proc/{host}/task/{host}/children").read_text().split()]
    except OSError:
        return []


def _described(pid: int) -> str:
    policies = sorted({f"SCHED_{name}" for name in _policies(pid)})
    name = ""
    with contextlib.suppress(OSError):
        name = Path(f"/proc/{pid}/comm").read_text().strip()
    return " ".join([f"{pid} {name}", *policies])


def _policies(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            fields = (thread / "stat").read_text().rpartition(")")[2].split()
            if int(fields[38]) in REALTIME:
                yield REALTIME[int(fields[38])]


def strays(store: Path, known: Sequence[str]) -> list[str]:
    """Files of the store that are none of a run, nor the catalogue."""
    if not store.exists():
        return []
    found = []
    for path in sorted(store.rglob("*")):
        parts = path.relative_to(store).parts
        if parts in (("catalogue.sqlite",), ("runs",)) or (len(parts) == 2 and path.is_dir() and any(path.iterdir())):
            continue
        if len(parts) != 3 or parts[2] not in known:
            found.append("/".join(parts))
    return found


class Guard:
    """A process above all priorities that ends everything with its mark after a time: for tests of what could hang the
    machine. It asks the system for nothing then that it does not have yet."""

    def __init__(self, after_s: float) -> None:
        self.mark = TOKEN, secrets.token_hex(8)
        self.had_to_act = False
        program = (
            "import ctypes, os, sys, time\n"
            "from tests.support.kills import processes\n"
            "ctypes.CDLL(None).mlockall(3)\n"
            "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(os.sched_get_priority_max(os.SCHED_FIFO)))\n"
            "processes('none'); print('ready', flush=True)\n"
            "time.sleep(float(sys.argv[1]))\n"
            "for pid in processes(sys.argv[2]): os.kill(pid, 9)\n"
            "print('acted', flush=True)\n"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, str(after_s), self.mark[1]],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parents[1]), *sys.path])},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdout is not None
        self._process.terminate()
        self.had_to_act = bool(self._process.stdout.read())
        self._process.wait(WAIT_S)
