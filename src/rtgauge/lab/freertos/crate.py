"""The kernel's official sources out of the Rust crate that carries them: fetched once by cargo, checked, and kept.

cargo is asked to install the crate, of which it loads that one file, and then finds that there is no program in it.
Older ones need another way to look the crate up. What counts is the file: it must have the checksum below.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from rtgauge.errors import TargetError
from rtgauge.lab.commands import finished
from rtgauge.lab.freertos.tree import digest_of, sources_in
from rtgauge.lab.storage import Storage

CRATE, VERSION = "freertos-next", "0.12.0"
SHA256 = "b7824fb42660c16e1b3b573eef99c2fe5c5cba6294a631c309084635f6bfcbb0"
ORIGIN = f"crate {CRATE} {VERSION}"
PACKAGE = "cargo"
KIND = "freertos"
FOLDER = "FreeRTOS-Kernel"  # in the crate
FETCH_S = 300.0
_FILES_MOST, _BYTES_MOST = 5000, 64 << 20  # of what is taken out of the crate
_INSTALL = ("install", CRATE, "--version", f"={VERSION}", "--root")


def is_there(storage: Storage) -> bool:
    """Whether nothing must be fetched."""
    return storage.get(SHA256) is not None


def tree_of_crate(storage: Storage, say: Callable[[str], None]) -> tuple[Path, str]:
    """The folder of the kernel, and its SHA-256. TargetError where it can neither be found nor fetched."""
    kept = storage.folder(KIND) / SHA256[:16]
    if digest := _known(storage, kept):
        return kept / FOLDER, digest
    with storage.alone(KIND):
        if digest := _known(storage, kept):
            return kept / FOLDER, digest
        content = storage.get(SHA256)
        if content is None:
            say(f"fetching FreeRTOS ({ORIGIN}), once")
            content = fetched(storage)
            storage.put(content)
        with storage.scratch() as made:  # there is no tree yet, or somebody changed it
            root = made / "root"
            unpack(content, root)
            digest = _digest(root)
            with storage.writing():
                if kept.exists():
                    kept.rename(made / "before")
                root.rename(kept)
        storage.note("trees", SHA256, {"sha256": digest})
        return kept / FOLDER, str(digest)


def _known(storage: Storage, kept: Path) -> str | None:
    """SHA-256 of the tree, when it is there and as it was unpacked."""
    noted = storage.noted("trees", SHA256) or {}
    digest = _digest(kept)
    return digest if digest is not None and digest == noted.get("sha256") else None


def _digest(kept: Path) -> str | None:
    root = kept / FOLDER
    try:
        return digest_of(root, sources_in(root))
    except OSError:  # there is none, or another process is just putting it in order
        return None


def fetched(storage: Storage) -> bytes:
    """The crate's file, checked. TargetError, with what every way said, where no way leads to it."""
    if not shutil.which("cargo"):
        raise TargetError(
            f"cargo is missing, which fetches FreeRTOS: install the package {PACKAGE}, or give --freertos-kernel DIR"
        )
    said = []
    with storage.scratch() as folder:
        home = folder / "home"
        for words, environ in (((), {}), (("-Z", "sparse-registry"), {"RUSTC_BOOTSTRAP": "1"})):
            late = f"cargo gave no end within {FETCH_S:.0f} s"
            asked = ["cargo", *words, *_INSTALL, str(folder / "root")]
            done = finished(asked, FETCH_S, late, folder, {**os.environ, **environ, "CARGO_HOME": str(home)})
            for path in home.glob(f"registry/cache/*/{CRATE}-{VERSION}.crate"):
                return _checked(path.read_bytes())
            said.append(_reason(done.stderr))
    raise TargetError(f"FreeRTOS cannot be fetched by cargo: {'; '.join(dict.fromkeys(said))}")


def _checked(content: bytes) -> bytes:
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        raise TargetError(f"what cargo fetched is not {CRATE} {VERSION}: its SHA-256 is {found[:16]}..., not {SHA256}")
    return content


def _reason(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("error")), lines[-1] if lines else "no output")[:200]


def unpack(content: bytes, root: Path) -> None:
    """The kernel's files and nothing else below `root`. TargetError where the archive is not what it should be."""
    taken, left = 0, _BYTES_MOST
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
            for member in archive:
                parts = PurePosixPath(member.name).parts[1:]
                if not member.isfile() or not parts or parts[0] != FOLDER or ".." in parts:
                    continue
                taken, left = taken + 1, left - member.size
                if taken > _FILES_MOST or left < 0:
                    raise TargetError(f"{ORIGIN} is larger than it should be")
                file = archive.extractfile(member)
                path = root.joinpath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.read() if file else b"")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise TargetError(f"{ORIGIN} cannot be unpacked: {error}") from error
    if not taken:
        raise TargetError(f"{ORIGIN} has no {FOLDER}")
