"""Small programs in place of those that fetch and build, and several callers at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.storage import Storage

T = TypeVar("T")


def tool(folder: Path, name: str, does: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that is found before all others of its name, notes its words, and does something in the shell."""
    folder.mkdir(exist_ok=True)
    program, calls = folder / name, folder / f"{name}.calls"
    program.write_text(f'#!/bin/sh\necho "$*" >> {calls}\n{does}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return calls


def at_once(*calls: Callable[[], T]) -> list[T]:
    """What they return that are begun at the same time, in their order; raises what one of them raised."""
    begun, found, raised = threading.Barrier(len(calls)), dict[int, T](), list[BaseException]()

    def one(number: int, call: Callable[[], T]) -> None:
        try:
            begun.wait()
            found[number] = call()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=one, args=numbered) for numbered in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for error in raised:
        raise error
    return [found[number] for number in range(len(calls))]


def no_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on nothing can be written to any cache. Modes of files do not keep root from it."""

    def refused(self: Storage, _name: str = "") -> AbstractContextManager[Path]:
        @contextmanager
        def block() -> Iterator[Path]:
            raise TargetError(f"the lab's cache {self.root} cannot be written")
            yield self.root

        return block()

    monkeypatch.setattr(Storage, "alone", refused)
    monkeypatch.setattr(Storage, "scratch", refused)
