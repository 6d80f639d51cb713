"""Files that are there whole or not at all, and one-line errors for disks that refuse."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from rtgauge.errors import StoreError

_WHY = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file may not grow further",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOTDIR: "a part of the path is not a directory",
}


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns an OSError of the block into a StoreError that names `path` and the cause."""
    try:
        yield
    except OSError as error:
        why = _WHY.get(error.errno or 0, os.strerror(error.errno) if error.errno else str(error))
        raise StoreError(f"cannot write {path}: {why}") from error


def write_whole(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Has `fill` write the file under a temporary name beside `path`, makes it durable, then gives it its name.

    Raises StoreError; then nothing of it is left.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    with writing(path):
        try:
            with temporary.open("wb") as file:
                fill(file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            sync_folder(path.parent)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


def sync_folder(folder: Path) -> None:
    """Makes names given in `folder` durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256(path: Path) -> str:
    """The file's SHA-256 in hexadecimal, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
