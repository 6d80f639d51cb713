"""Our kernel module for a guest: built once for each kernel, with the headers that the distribution has for it."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.commands import finished, plain_environ
from rtgauge.lab.packages import APT, DEB_ARCH, Apt, field, unpack
from rtgauge.lab.storage import Storage

NAME = "rtgauge_irq.ko"
KIND = "modules"
BUILD_S = 300.0
_KARCH = {"x86_64": "x86", "aarch64": "arm64"}
_IMAGE = re.compile(r"linux-image-(?:unsigned-)?(?P<abi>.+?)(?:-unsigned)? \S+")


@dataclass(frozen=True)
class Module:
    content: bytes
    sha256: str
    made_from: str  # the headers and the compiler


def module_of(storage: Storage, arch: str, origin: str, say: Callable[[str], None]) -> Module:
    """The module for the kernel that came in the package `origin` ("name version"). TargetError says why there is
    none."""
    abi, compiler = _abi(origin), _compiler(arch)
    name = f"{abi}.{arch}.{_digest(compiler)}"
    if found := _known(storage, name):
        return found
    with storage.alone(KIND):
        if found := _known(storage, name):
            return found
        made_from = f"linux-headers-{abi}, {_version(compiler)}"
        say(f"building the kernel module for {abi}, once")
        content = build(storage, arch, origin, sources(), (NAME,), say)[NAME]
        made = Module(content, storage.put(content), made_from)
        storage.note(KIND, name, {"sha256": made.sha256, "made_from": made_from})
        return made


def _known(storage: Storage, name: str) -> Module | None:
    """The module that was built under that name, when it is still there."""
    noted = storage.noted(KIND, name) or {}
    content = storage.get(str(noted.get("sha256")))
    return None if content is None else Module(content, str(noted["sha256"]), str(noted.get("made_from")))


def build(
    storage: Storage,
    arch: str,
    origin: str,
    sources: Mapping[str, bytes],
    wanted: Sequence[str],
    say: Callable[[str], None],
) -> dict[str, bytes]:
    """Modules for the kernel that came in the package `origin`. `sources`: files by their path, a Kbuild among them;
    `wanted`: paths of the modules that they make. TargetError where that cannot be done."""
    abi = _abi(origin)
    headers = _headers(storage, abi, arch, say)
    with storage.scratch() as work:
        return _built(work, headers, abi, arch, sources, wanted)


def _abi(origin: str) -> str:
    """The name that a kernel's package and its headers' have in common."""
    found = _IMAGE.fullmatch(origin)
    if not found:
        raise TargetError(f"no headers are known for the kernel {origin}")
    return found["abi"]


def sources() -> dict[str, bytes]:
    """The module's own files by name, as they were installed."""
    folder = files("rtgauge").joinpath("_modules").joinpath("linux")
    if not folder.is_dir():
        raise TargetError("this installation has no sources of the kernel module")
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir(), key=lambda one: one.name) if one.is_file()}


def _digest(compiler: str) -> str:
    """Of everything of ours that the module is made of."""
    digest = hashlib.sha256(_version(compiler).encode())
    for name, content in sources().items():
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


# ---- tools ----------------------------------------------------------------------------------------------------------


def _compiler(arch: str) -> str:
    prefix = "" if arch == platform.machine() else f"{arch}-linux-gnu-"
    missing = [tool for tool in ("make", f"{prefix}gcc", f"{prefix}strip") if not shutil.which(tool)]
    if missing:
        raise TargetError(f"the kernel module cannot be built: {', '.join(missing)} missing")
    return f"{prefix}gcc"


def _version(compiler: str) -> str:
    done = finished([compiler, "--version"], 30.0, f"{compiler} does not say its version")
    return (done.stdout.splitlines() or [compiler])[0]


# ---- headers --------------------------------------------------------------------------------------------------------


def _headers(storage: Storage, abi: str, arch: str, say: Callable[[str], None]) -> Path:
    """The folder of the kernel's headers, with all that they lean on beside it."""
    kept = storage.folder("headers") / f"{abi}.{arch}"
    if not kept.is_dir():
        with storage.alone(APT):
            if not kept.is_dir():
                say(f"fetching linux-headers-{abi}, once")
                with storage.scratch() as made:
                    root = made / "root"
                    _fetch(storage, root, f"linux-headers-{abi}", arch)
                    with storage.writing():
                        root.rename(kept)
    for line in (kept / "usr" / "src" / f"linux-headers-{abi}").glob("Makefile"):
        with storage.writing():
            _lead_to(line, kept)
    return kept


def _fetch(storage: Storage, root: Path, package: str, arch: str) -> None:
    """The package and those of its own kind that it needs. Programs are those for the machine that builds."""
    host = platform.machine()
    apts = {DEB_ARCH[one]: Apt(storage, one) for one in {arch, host}}
    for apt in apts.values():
        apt.update()
    wanted, done = [package], set()
    while wanted:
        name = wanted.pop()
        done.add(name)
        apt = apts[DEB_ARCH[host if name.startswith("linux-kbuild-") else arch]]
        with storage.scratch() as folder:
            deb = apt.download(name, folder)
            unpack(deb, root)
            wanted += [one for one in _needed(deb) if one not in done]


def _needed(deb: Path) -> Iterator[str]:
    for part in field(deb, "Depends").split(","):
        name = (part.split() or [""])[0]
        if re.match(r"linux-(headers|kbuild)-", name):
            yield name


def _lead_to(makefile: Path, root: Path) -> None:
    """The headers of a flavour include those that all have in common by a path from the system's root."""
    text = makefile.read_text("utf-8")
    moved = re.sub(r"^include \S*?(/usr/src/\S+)$", lambda found: f"include {root}{found[1]}", text, flags=re.MULTILINE)
    if moved != text:
        makefile.write_text(moved, "utf-8")


# ---- the build ------------------------------------------------------------------------------------------------------


def _built(
    work: Path, headers: Path, abi: str, arch: str, sources: Mapping[str, bytes], wanted: Sequence[str]
) -> dict[str, bytes]:
    compiler = _compiler(arch)
    for name, content in sources.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(content)
    words = [
        "make",
        "-s",
        f"-j{os.cpu_count() or 1}",
        "-C",
        str(headers / "usr" / "src" / f"linux-headers-{abi}"),
        f"M={work}",
    ]
    words += [f"ARCH={_KARCH[arch]}", f"CC={compiler}", f"CROSS_COMPILE={compiler.removesuffix('gcc')}"]
    # where things lie must not change a byte of the module
    words += [
        f"KCFLAGS=-ffile-prefix-map={work}=. -ffile-prefix-map={headers}=",
        "CONFIG_DEBUG_INFO_BTF_MODULES=",
        "modules",
    ]
    _run(words)
    for name in wanted:  # paths and nothing that runs
        _run([compiler.removesuffix("gcc") + "strip", "-g", str(work / name)])
    return {name: (work / name).read_bytes() for name in wanted}


def _run(words: list[str]) -> None:
    late = f"the kernel module was not built within {BUILD_S:.0f} s"
    done = finished(words, BUILD_S, late, environ=plain_environ())
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "rror" in line] or done.stderr.splitlines()
        raise TargetError(f"the kernel module cannot be built: {lines[0] if lines else 'no reason given'}")
