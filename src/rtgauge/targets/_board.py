"""One start of an image on an emulated board: request in, trace out, and its end, which comes whatever the image does.

The image reads and writes files in the emulator's working folder, by calls that take it no time of its own; we read
the trace as it grows. Nothing goes in after the start. Times are seconds of the emulator's own work.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.targets import _emulator
from rtgauge.targets._emulator import CONSOLE_MOST, Still, Watch
from rtgauge.targets._process import Exit
from rtgauge.targets._workspace import workspace
from rtgauge.targets.base import Stop

REQUEST, TRACE, CONSOLE, IMAGE = "request", "trace", "console", "image"  # files; engine/boards/common knows them too
FAULT_STATUS = 87  # of an image that can not go on: engine/include/rtgauge/board.h
_PIECE = 1 << 18
_OPTION = "TMPDIR=DIR"  # names the folder of `place`
_SAID = "rtgauge: "  # what an image says of its end


@dataclass
class Told:
    """What became known beside the trace."""

    console: str = ""  # of the last start that did not end well


def place() -> Path:
    """Where starts have their folders: the system's for temporary files. TargetError where there is none."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise TargetError(f"{error.strerror}; {_OPTION} names a folder") from error


def converse(
    words: Callable[[str], Sequence[str]],
    image: bytes,
    request: bytes,
    parent: Path,
    watch: Watch,
    told: Told,
    sink: Callable[[bytes], None],
    overdue: Callable[[], str | None],
    stop: Stop,
    most_bytes: int,
) -> Exit:
    """Starts the image by the words that `words` makes of its path, in a folder of its own in `parent`, and gives its
    trace to `sink` until the image has ended. TargetError when the emulator cannot be started or the disk is full."""
    with workspace(parent, _OPTION) as folder, _outlived(folder), _files(folder, image, request) as files:
        process = _emulator.start(words(str(folder / IMAGE)), folder=folder)
        watch.process = process
        try:
            ended = _Conversation(process, files, watch, sink, most_bytes).until_end(overdue, stop)
        finally:
            watch.ended()
            _emulator.end(process)
        if ended.status or ended.ours:
            told.console = _emulator.text_of(files[CONSOLE])
        return ended


@contextlib.contextmanager
def _outlived(folder: Path) -> Iterator[None]:
    """Somebody who removes the folder when we are no more, however we ended: the emulator dies with us, files do not.
    What it waits for is the end of a line that only we hold open."""
    words = ["/bin/sh", "-c", 'read -r _; exec rm -rf "$0"', str(folder)]
    try:
        guard = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        raise TargetError(f"cannot start {words[0]}: {error.strerror}") from error
    try:
        yield
    finally:
        assert guard.stdin is not None
        guard.stdin.close()
        guard.wait()


@contextlib.contextmanager
def _files(folder: Path, image: bytes, request: bytes) -> Iterator[dict[str, int]]:
    """The files of a start; those that the image writes, open for reading."""
    try:
        for name, content in ((IMAGE, image), (REQUEST, request), (TRACE, b""), (CONSOLE, b"")):
            (folder / name).write_bytes(content)
        files = {name: os.open(folder / name, os.O_RDONLY) for name in (TRACE, CONSOLE)}
    except OSError as error:
        what = f"no files can be made in {folder.parent}: {error.strerror}"
        raise TargetError(f"{what}; {_OPTION} names another folder") from error
    try:
        yield files
    finally:
        for file in files.values():
            os.close(file)


class _Conversation:
    def __init__(
        self,
        process: _emulator.Process,
        files: dict[str, int],
        watch: Watch,
        sink: Callable[[bytes], None],
        most_bytes: int,
    ) -> None:
        self.process, self.files = process, files
        self.sink, self.left = sink, most_bytes
        self.taken = 0  # bytes of the trace
        self.ours: str | None = None
        self.still = Still(watch.now)

    def until_end(self, overdue: Callable[[], str | None], stop: Stop) -> Exit:
        while self.ours is None:
            gone = self.process.poll() is not None
            self._take()
            if gone:
                return self._ended(self.process.returncode)
            if stop.asked() is not None:
                self.ours = "was stopped"
            else:
                self.ours = self._too_much() or overdue() or self.still.why()
            if self.ours is None:
                _emulator.wait(stop)
        return Exit(1, self.ours, _emulator.complaint(self.process))

    def _take(self) -> None:
        """Gives on what is new of the trace."""
        while self.left > 0 and (piece := os.pread(self.files[TRACE], min(_PIECE, self.left), self.taken)):
            self.taken += len(piece)
            self.left -= len(piece)
            self.sink(piece)

    def _too_much(self) -> str | None:
        if self.left <= 0:
            return "wrote far more than was asked for and was stopped"
        size = os.fstat(self.files[CONSOLE]).st_size
        return f"wrote {size >> 20} MiB on its console and was stopped" if size > CONSOLE_MOST else None

    def _ended(self, status: int) -> Exit:
        if not status:
            return Exit(0, None, "")  # emulators warn of devices that nobody uses
        complaint = _emulator.complaint(self.process)
        said = [line for line in _emulator.text_of(self.files[CONSOLE]).splitlines() if line.startswith(_SAID)]
        if status == FAULT_STATUS or said:
            what = said[-1].removeprefix(_SAID) if said else "it did not say why"
            return Exit(status, f"could not go on ({what})", complaint)
        return Exit(status, None, complaint)
