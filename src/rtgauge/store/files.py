"""Files that are there whole or not at all, and one-line errors for disks that refuse."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
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
    errno.EISDIR: "it is a directory",
    errno.ELOOP: "it is a symbolic link, which is not followed",
}
_NAMELESS = Path("/proc/self/fd")  # through which a file without a name gets one


def why(error: OSError) -> str:
    """The cause in words."""
    return _WHY.get(error.errno or 0, os.strerror(error.errno) if error.errno else str(error))


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns an OSError of the block into a StoreError that names `path` and the cause."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot write {path}: {why(error)}") from error


def write_whole(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Has `fill` write the file without a name where the system can (else under a temporary one beside `path`), makes
    it durable, then gives it its name: a process that is killed leaves nothing.

    Raises StoreError; then nothing of it is left.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    with writing(path):
        nameless = open_nameless(path.parent)
        try:
            with temporary.open("xb") if nameless is None else open(nameless, "wb") as file:  # noqa: PTH123
                fill(file)
                file.flush()
                os.fsync(file.fileno())
                if nameless is not None:  # the folder's number is only there to have the link followed
                    os.link(_NAMELESS / str(nameless), temporary, src_dir_fd=nameless, follow_symlinks=True)
            temporary.replace(path)
            sync_folder(path.parent)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


def open_nameless(folder: Path) -> int | None:
    """A descriptor of a new file in `folder` that has no name and vanishes with us; None where there is no such."""
    if not hasattr(os, "O_TMPFILE") or not _NAMELESS.is_dir():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:
        return None  # whoever opens a named one next meets the error, if it is one


def sync_folder(folder: Path) -> None:
    """Makes names given in `folder` durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_stored(path: Path) -> BinaryIO:
    """Opens a file of a run to read. A run may come from anywhere: a link out of its folder is not followed, and a pipe
    or a device not waited for. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("it is not a regular file")
    return open(handle, "rb")  # noqa: PTH123


def read_stored(path: Path, most: int | None = None) -> bytes:
    """The content of a file of a run, of at most `most` bytes and one more. Raises OSError."""
    with open_stored(path) as file:
        return file.read(-1 if most is None else most + 1)


def sha256(path: Path) -> str:
    """The file's SHA-256 in hexadecimal, read in pieces."""
    with path.open("rb") as file:
        return sha256_of(file)


def sha256_of(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return digest.hexdigest()
