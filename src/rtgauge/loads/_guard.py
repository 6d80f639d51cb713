"""The process between us and a load's program: it ends the program, and all that the program started, when we do,
however we end. Run by its path; it imports nothing of rtgauge.

Arguments: CPUs (numbers with commas), `endless` or `rounds`, then the command. Standard input: a pipe that ends when
the load is to end. Standard output: a JSON line when the program was started, and one at the end: how many rounds came
to their end, and what the last of them wrote.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
TOLD_TO_KILLED_S = 3.0  # what an endless program gets to say what it did
LEAST_ROUND_S = 0.02  # a program that ends at once is not started more often than this
OUTPUT_MOST = 1 << 20


def main(words: list[str]) -> None:
    cpus, kind, command = {int(cpu) for cpu in words[0].split(",")}, words[1], words[2:]
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.sched_setaffinity(0, cpus)
    begin = time.monotonic()
    done: dict[str, object] = {"rounds": 0, "output": "", "status": 0}
    try:
        _rounds(command, kind == "endless", done)
    finally:
        _end_all()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        _tell({**done, "cpus": (used.ru_utime + used.ru_stime) / max(1e-3, time.monotonic() - begin)})
        with contextlib.suppress(OSError):  # made for us; nobody else takes it away when the host was killed
            Path.cwd().rmdir()


def _rounds(command: list[str], endless: bool, done: dict[str, object]) -> None:
    """Runs the command until our input ends, or once until it fails. `done` is what is told at the end."""
    rounds, told = 0, False
    while not told:
        begin = time.monotonic()
        program = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=_die_with_us
        )
        if not rounds:
            _tell({"started": True})
        output, ended = _follow(program)
        if not ended and not endless:
            return
        if not ended:
            program.send_signal(signal.SIGINT)
            output += _rest(program)
        status = program.poll() if ended else 0
        rounds += not status
        done.update(rounds=rounds, output=output.decode("utf-8", "replace"), status=status)
        wait = None if status or (ended and endless) else max(0.0, begin + LEAST_ROUND_S - time.monotonic())
        told = not ended or bool(select.select([0], [], [], wait)[0])


def _follow(program: subprocess.Popen[bytes]) -> tuple[bytes, bool]:
    """What the program writes until it ends, and true; or false when the load is to end before."""
    assert program.stdout is not None
    output = b""
    while True:
        ready = select.select([0, program.stdout.fileno()], [], [])[0]
        if 0 in ready:
            return output, False
        chunk = os.read(program.stdout.fileno(), 1 << 16)
        if not chunk:
            program.wait()
            return output, True
        output = (output + chunk)[-OUTPUT_MOST:]


def _rest(program: subprocess.Popen[bytes]) -> bytes:
    assert program.stdout is not None
    until, output = time.monotonic() + TOLD_TO_KILLED_S, b""
    while select.select([program.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
        chunk = os.read(program.stdout.fileno(), 1 << 16)
        if not chunk:
            program.wait()
            break
        output += chunk
    return output


def _die_with_us() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end_all() -> None:
    """Kills everything in our session, which nobody else has, until nothing is left, and waits for it."""
    for _ in range(100):
        left = _others()
        for process in left:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not left:
            return
        time.sleep(0.005)


def _others() -> list[int]:
    session, found = os.getsid(0), []
    for name in os.listdir("/proc"):  # noqa: PTH208 - names are enough
        if name.isdigit() and int(name) != os.getpid():
            try:
                fields = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != b"Z":
                found.append(int(name))
    return found


def _tell(line: dict[str, object]) -> None:
    with contextlib.suppress(OSError):
        os.write(1, json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    main(sys.argv[1:])
