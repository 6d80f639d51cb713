"""Files out of the distribution's packages, fetched without root and without a change to the system, also for other
processors: apt works in folders of its own. What was fetched once is not fetched again."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.commands import finished
from rtgauge.lab.storage import Storage

DEB_ARCH = {"x86_64": "amd64", "aarch64": "arm64"}
TOOLS = ("apt-get", "apt-cache", "dpkg-deb")
FETCH_S = 900.0
FILE_MOST = 1 << 28  # bytes of one file of a package
UNPACK_S = 300.0
KIND = "packages"
APT = "apt"  # folder, and lock of all that fetches: apt itself locks nothing there


@dataclass(frozen=True)
class Fetched:
    """Where files came from, and under which SHA-256 the storage has them."""

    package: str
    version: str
    sha256: str  # of the package
    files: dict[str, str]  # path in the package: SHA-256


def known(storage: Storage, name: str) -> Fetched | None:
    """What was fetched under `name`, when all of it is still there."""
    noted = storage.noted(KIND, name)
    try:
        found = Fetched(**noted) if noted else None
        return found if found and all(storage.get(digest) is not None for digest in found.files.values()) else None
    except (TypeError, AttributeError):
        return None


def fetch(
    storage: Storage, name: str, arch: str, patterns: Sequence[str], wanted: str, say: Callable[[str], None]
) -> Fetched:
    """The files whose path in the package matches `wanted`, of the newest package whose name matches the first of
    `patterns` that any name matches. Kept under `name`. TargetError where that cannot be done."""
    if found := known(storage, name):
        return found
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        raise TargetError(f"{name} cannot be fetched: {', '.join(missing)} missing, which Debian and Ubuntu have")
    with storage.alone(APT):
        if found := known(storage, name):
            return found
        apt = Apt(storage, arch)
        say("fetching the lists of packages")
        apt.update()
        package = newest(apt.names(patterns), patterns)
        if package is None:
            raise TargetError(f"{name}: the distribution has no package {' or '.join(patterns)} for {arch}")
        say(f"fetching {package}, once")
        with storage.scratch() as folder:
            deb = apt.download(package, folder)
            files = {path: storage.put(content) for path, content in members(deb, wanted)}
            if not files:
                raise TargetError(f"the package {package} has no file {wanted}")
            fetched = Fetched(package, field(deb, "Version"), _sha256(deb), files)
        storage.note(KIND, name, fetched.__dict__)
        return fetched


def newest(names: Sequence[str], patterns: Sequence[str]) -> str | None:
    """The name with the highest version in it, by the first pattern that matches any."""
    for pattern in patterns:
        found = [
            (_key(match.group(1) if match.groups() else ""), name)
            for name in names
            if (match := re.fullmatch(pattern, name))
        ]
        if found:
            return max(found)[1]
    return None


def _key(version: str) -> list[tuple[int, str]]:
    """Numbers count as numbers."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"[0-9]+|[^0-9]+", version)]


def members(deb: Path, wanted: str) -> Iterator[tuple[str, bytes]]:
    """Path without the leading dot, and content, of the plain files of a package that match."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        try:
            with tarfile.open(fileobj=program.stdout, mode="r|") as archive:
                for member in archive:
                    path = member.name.removeprefix(".")
                    if member.isfile() and member.size <= FILE_MOST and re.fullmatch(wanted, path):
                        file = archive.extractfile(member)
                        yield path, file.read() if file else b""
        except tarfile.TarError as error:
            raise TargetError(f"the package {deb.name} is damaged: {error}") from error
        finally:
            program.kill()


def unpack(deb: Path, root: Path) -> None:
    """The whole package below `root`."""
    root.mkdir(parents=True, exist_ok=True)
    late = f"the package {deb.name} was not unpacked within {UNPACK_S:.0f} s"
    done = finished(["dpkg-deb", "--extract", str(deb), str(root)], UNPACK_S, late)
    if done.returncode:
        raise TargetError(f"the package {deb.name} cannot be unpacked: {done.stderr.strip()[:200]}")


class Apt:
    """apt with its lists and archives in a folder of the cache, for one processor. For whoever is alone at APT."""

    def __init__(self, storage: Storage, arch: str) -> None:
        folder = storage.folder(APT, arch)
        for name in ("lists", "archives"):
            storage.folder(APT, arch, name, "partial")
        with storage.writing():
            (folder / "status").touch()
        self._storage = storage
        deb_arch = DEB_ARCH[arch]
        settings = {
            "Dir::State": folder,
            "Dir::State::status": folder / "status",
            "Dir::Cache": folder,
            "Dir::Cache::archives": folder / "archives",
            "APT::Architecture": deb_arch,
            "APT::Architectures::": deb_arch,
            "APT::Sandbox::User": "root",  # no other user's: it could not enter our folder
            "Acquire::Languages": "none",
            "Debug::NoLocking": "1",
            "Dpkg::Use-Pty": "0",
        }
        self._options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]

    def update(self) -> None:
        """A source that fails is no matter when others have what is wanted."""
        self._run(["apt-get", "-q", "update"], may_fail=True)

    def names(self, patterns: Sequence[str]) -> list[str]:
        start = "".join(re.split(r"[\[(\\.*+?]", patterns[0])[:1])
        return self._run(["apt-cache", "pkgnames", start]).split()

    def download(self, package: str, folder: Path) -> Path:
        self._run(["apt-get", "-q", "download", package], folder)
        found = sorted(folder.glob("*.deb"))
        if len(found) != 1:
            raise TargetError(f"the package {package} was not fetched")
        return found[0]

    def _run(self, words: list[str], folder: Path | None = None, may_fail: bool = False) -> str:
        late = f"{' '.join(words)} gave no end within {FETCH_S:.0f} s"
        done = finished([words[0], *self._options, *words[1:]], FETCH_S, late, folder, hopeless=self._storage.full)
        if done.returncode and not may_fail:
            lines = (done.stderr or done.stdout).strip().splitlines()
            raise TargetError(f"{' '.join(words)} failed: {lines[-1] if lines else 'no output'}")
        return done.stdout


def field(deb: Path, name: str) -> str:
    """What a package says of itself; empty where it says nothing."""
    late = f"the package {deb.name} was not read within {UNPACK_S:.0f} s"
    return finished(["dpkg-deb", "--field", str(deb), name], UNPACK_S, late).stdout.strip()


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
