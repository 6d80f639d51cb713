"""A process that puts everything back when the one who reserved is gone, for whatever reason.

It holds the reading end of a pipe. The pipe closes when the other end closes, or its process dies.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import rtgauge
from rtgauge._reserve._undo import undo

START_S = 30.0
_READY = b"ready\n"
_ALONE = "import sys; sys.path.insert(0, sys.argv[1]); from rtgauge._reserve._guardian import main; main(sys.argv[2])"


class Guardian:
    """Started before the first change. `lock`: the handle of the journal, which it holds as well."""

    def __init__(self, journal: Path, lock: int) -> None:
        package = str(Path(rtgauge.__file__).parent.parent)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _ALONE, package, str(journal)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            pass_fds=(lock,),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._pipe: IO[bytes] = self._process.stdin
        self._answer: IO[bytes] = self._process.stdout
        if self._answer.read(len(_READY)) != _READY:
            self.end()
            raise OSError("the process that puts everything back does not start")

    @property
    def id(self) -> int:
        return self._process.pid

    def end(self) -> list[str] | None:
        """Lets it put everything back. What it could not put back; None when it was killed before."""
        with contextlib.suppress(OSError):
            self._pipe.close()
        raw = self._answer.read()
        while more := self._answer.read():
            raw += more
        self._answer.close()
        self._process.wait()
        try:
            return [str(line) for line in json.loads(raw)]
        except (ValueError, TypeError):
            return None


def main(journal: str) -> None:
    """Of the guardian itself."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    os.write(1, _READY)
    while os.read(0, 64):
        pass
    problems = undo(Path(journal))
    with contextlib.suppress(OSError):
        os.write(1, json.dumps(problems).encode())
