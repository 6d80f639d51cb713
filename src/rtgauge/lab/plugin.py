"""The analyser: a plugin of QEMU that counts a guest's instructions from outside. Built once, with the host's compiler,
from engine/plugin."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.commands import finished, plain_environ
from rtgauge.lab.storage import Storage

LOG_BYTES = 256 << 20  # of memory for its log; only what is written takes any
BUILD_S = 60.0
KIND = "plugins"
_COMPILERS = ("cc", "gcc", "clang")
_FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared")
# Where kernels since 6.5 put their modules: x86's has been the same since long before, ARM's has moved.
_MODULES = {
    "x86_64": (0xFFFFFFFFC0000000, 0xFFFFFFFFFF000000),
    "aarch64": (0xFFFF800000000000, 0xFFFF800080000000),
}


def plugin_of(storage: Storage, emulator: str, say: Callable[[str], None]) -> Path:
    """The file of the plugin, which this emulator takes. TargetError says why there is none."""
    compiler = next((path for path in map(shutil.which, _COMPILERS) if path), None)
    if compiler is None:
        raise TargetError(f"the analyser cannot be built: no {' or '.join(_COMPILERS)}")
    kept = storage.folder(KIND) / f"analyser-{_digest(compiler)}.so"
    if not kept.exists():
        with storage.alone(KIND):
            if not kept.exists():
                say("building the analyser, once")
                _build(storage, compiler, kept)
    _try(emulator, kept)
    return kept


def plugin_words(plugin: Path, arch: str, log: str) -> list[str]:
    """Of QEMU's command line. `log`: a file of LOG_BYTES that the guest's run is noted in."""
    begin, end = _MODULES[arch]
    return ["-plugin", f"{plugin},log={log},from={begin:#x},to={end:#x}"]


def _sources() -> dict[str, bytes]:
    folder = files("rtgauge").joinpath("_plugin")
    if not folder.is_dir():
        raise TargetError("this installation has no sources of the analyser")
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir(), key=lambda one: one.name) if one.is_file()}


def _digest(compiler: str) -> str:
    """Of all that it is made of."""
    digest = hashlib.sha256(" ".join((compiler, *_FLAGS)).encode())
    for name, content in _sources().items():
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def _build(storage: Storage, compiler: str, kept: Path) -> None:
    with storage.scratch() as work:
        for name, content in _sources().items():
            (work / name).write_bytes(content)
        words = [compiler, *_FLAGS, "-o", str(work / kept.name), *(name for name in _sources() if name.endswith(".c"))]
        late = f"the analyser was not built within {BUILD_S:.0f} s"
        done = finished(words, BUILD_S, late, folder=work, environ=plain_environ())
        if done.returncode:
            raise TargetError(f"the analyser cannot be built: {_line(done.stderr)}")
        with storage.writing():
            (work / kept.name).rename(kept)


def _try(emulator: str, plugin: Path) -> None:
    """Starts the emulator with the plugin and without a machine."""
    with tempfile.NamedTemporaryFile() as log:
        log.truncate(4096)
        words = [emulator, "-M", "none", "-accel", "tcg", "-nodefaults", "-no-user-config", "-display", "none", "-S"]
        words += ["-monitor", "stdio", *plugin_words(plugin, "x86_64", log.name)]
        try:
            done = subprocess.run(
                words, input="quit\n", capture_output=True, text=True, errors="replace", timeout=30, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise TargetError(f"{emulator} could not be tried with the analyser: {error}") from error
    if done.returncode:
        raise TargetError(f"this QEMU takes no plugin of ours: {_line(done.stderr)}")


def _line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "no reason given")[:300]
