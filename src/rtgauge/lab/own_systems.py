"""Systems of the user's own, from a file in the form of systems.toml: another kernel, or other words for one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtgauge._toml import read_toml
from rtgauge.errors import UsageError
from rtgauge.registry import pick

if TYPE_CHECKING:
    from rtgauge.lab.systems import Lab, System

VARIABLE = "RTGAUGE_LAB"  # names the file, for all processes of a command
NEEDED, KEYS = ("kernel", "boards"), ("what", "kernel", "boards", "append", "config")
APPEND_MOST = 1500  # characters
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_PLAIN = re.compile(r"[\x20-\x7e]*")


def own_file(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that was named, else lab.toml in the user's folder of settings if there is one."""
    named = environ.get(VARIABLE, "")
    if named:
        return Path(named)
    folder = environ.get("XDG_CONFIG_HOME", "")
    base = Path(folder) if folder.startswith("/") else Path(os.path.expanduser("~/.config"))  # noqa: PTH111 - never fails
    usual = base / "rtgauge" / "lab.toml"
    return usual if os.path.exists(usual) else None  # noqa: PTH110 - also of a folder that may not be looked into


def own_systems(file: Path | None) -> Mapping[str, System]:
    """The systems of the file. UsageError, with the file and the entry, for anything wrong in it."""
    if file is None:
        return {}
    try:
        found = file.stat()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    return _read(file, found.st_mtime_ns, found.st_size)


def check_files(system: System) -> None:
    """UsageError where a file of the system is not there. Only for one that is to run: the kernels of others in the
    same list may not be built yet, or not any more."""
    from rtgauge.lab.systems import shipped

    for key, path in (("kernel", system.file), ("config", system.config)):
        if path is not None and not os.path.exists(path):  # noqa: PTH110 - also of what may not be looked at
            legal = f", nor one of {', '.join(shipped().kernels)}" if key == "kernel" else ""
            where = f"{own_file()}: system {system.name!r}"
            raise UsageError(f"{where}: {key} {path.name!r} is no file{legal}: there is no {path}")


@lru_cache(maxsize=4)
def _read(file: Path, _changed: int, _size: int) -> dict[str, System]:
    from rtgauge.lab.systems import shipped

    content = read_toml(file, "a list of systems of the lab")
    odd = sorted(set(content) - {"systems"})
    systems = content.get("systems")
    if odd:
        raise UsageError(f"{file}: unknown key {odd[0]!r}: legal is systems, as in [systems.mine]")
    if not isinstance(systems, dict) or not systems:
        raise UsageError(f"{file} names no system: write [systems.mine] with kernel and boards")
    return {name: _system(file, name, entry, shipped()) for name, entry in systems.items()}


def _system(file: Path, name: str, entry: Any, shipped: Lab) -> System:
    from rtgauge.lab.systems import System

    where = f"{file}: system {name!r}"
    if not _NAME.fullmatch(name):
        raise UsageError(f"{where}: a name has small letters, digits, dots and dashes, at most 40")
    if name in shipped.systems:
        raise UsageError(f"{where}: rtgauge has a system of that name: choose another")
    if not isinstance(entry, dict):
        raise UsageError(f"{where} must be a table: [systems.{name}]")
    for key in entry:
        if key not in KEYS:
            raise UsageError(f"{where}: unknown key {key!r}: legal are {', '.join(KEYS)}")
    for key in NEEDED:
        if not entry.get(key):
            raise UsageError(f"{where}: {key} is missing")
    kernel = _text(where, entry, "kernel")
    packaged = kernel in shipped.kernels
    config = _text(where, entry, "config")
    if config and packaged:
        raise UsageError(f"{where}: config is for a kernel that is a file, {kernel} has its own")
    return System(
        name=name,
        what=_text(where, entry, "what") or "a system of your own",
        kernel=kernel if packaged else "",
        boards=_boards(where, entry["boards"], shipped),
        append=_words(where, _text(where, entry, "append")),
        file=None if packaged else _path(file, kernel),
        config=_path(file, config) if config else None,
    )


def _text(where: str, entry: Mapping[str, Any], key: str) -> str:
    text = entry.get(key, "")
    if not isinstance(text, str) or not text.isprintable():
        raise UsageError(f"{where}: {key} must be one line of text")
    return text


def _words(where: str, text: str) -> str:
    if len(text) > APPEND_MOST or not _PLAIN.fullmatch(text):
        raise UsageError(f"{where}: append must be plain text, at most {APPEND_MOST} characters")
    return " ".join(text.split())


def _boards(where: str, names: Any, shipped: Lab) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UsageError(f'{where}: boards must be a list of names, e.g. boards = ["q35"]')
    legal = {name: name for name in shipped.systems["linux"].boards}
    try:
        return tuple(dict.fromkeys(pick("board", name, legal) for name in names))
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _path(file: Path, name: str) -> Path:
    """Seen from the folder of the file. Whether it can be used is told when it is."""
    return Path(os.path.abspath(file.parent / os.path.expanduser(name)))  # noqa: PTH100, PTH111 - of text; never fails
