"""Where runs are kept, and how a run is named on the command line."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from rtgauge.errors import StoreError, UsageError
from rtgauge.store.files import read_stored

_SHOWN_MOST = 200  # characters of a name in a message
RUN_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[a-z0-9]{1,32}-[0-9a-f]{6}")


def store_root(option: str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """The store: `option`, else $RTGAUGE_STORE, else rtgauge in the user's data directory."""
    named = option or environ.get("RTGAUGE_STORE")
    if named:
        return _path(named).absolute()
    data = environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else _path("~/.local/share")
    return base / "rtgauge"


def runs_root(store: Path) -> Path:
    return store / "runs"


def new_id(target: str, created: datetime) -> str:
    """An id that sorts by time, e.g. 20261121-204512-local-ab12cd. `created` is UTC."""
    kind = re.sub(r"[^a-z0-9]", "", target.partition(":")[0].lower())[:32] or "target"
    return f"{created:%Y%m%d-%H%M%S}-{kind}-{secrets.token_hex(3)}"


def run_ids(store: Path) -> list[str]:
    """The ids of all run folders of the store, oldest first. An absent store has none."""
    root = runs_root(store)
    try:
        names = [entry.name for entry in os.scandir(root) if entry.is_dir() and RUN_ID.fullmatch(entry.name)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"cannot read the store {root}: {error.strerror}") from error
    shared = Counter(name[:15] for name in names)
    return sorted(names, key=lambda name: (name[:15], _created(root / name) if shared[name[:15]] > 1 else "", name))


def find_run(name: str, store: Path) -> Path:
    """The folder of a run given by id, by a unique beginning of it, by path, or as `last`."""
    if "/" in name or name in (".", ".."):
        path = _path(name)
        if not _is(path.is_dir):
            raise UsageError(f"no run folder at {_short(name)}")
        return path.absolute()
    ids = run_ids(store)
    if name == "last":
        if not ids:
            raise UsageError(f"there is no run in {store}")
        return runs_root(store) / ids[-1]
    matches = [i for i in ids if i == name] or [i for i in ids if name and i.startswith(name)]
    if len(matches) == 1:
        return runs_root(store) / matches[0]
    if not matches and _is((Path(name) / "manifest.json").is_file):
        return Path(name).absolute()
    if matches:
        raise UsageError(f"{name!r} begins {len(matches)} runs: {', '.join(matches[:5])}")
    newest = f", the newest are {', '.join(reversed(ids[-3:]))}" if ids else ""
    raise UsageError(f"no run {_short(name)!r} in {store}{newest}; `rtgauge list runs` shows all")


def _path(name: str) -> Path:
    """The path that the user wrote, ~ understood. UsageError where there is no such user or no home."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise UsageError(f"the home directory in {_short(name)!r} is not known: write the whole path") from None


def _is(question: Callable[[], bool]) -> bool:
    """The answer about a path; one that cannot be looked at is not there."""
    try:
        return question()
    except (OSError, ValueError):  # too long, not permitted, not a path at all
        return False


def _short(name: str) -> str:
    return name if len(name) <= _SHOWN_MOST else f"{name[:_SHOWN_MOST]}..."


def _created(folder: Path) -> str:
    """Orders runs that began within the same second; "" where the manifest does not tell."""
    try:
        return str(json.loads(read_stored(folder / "manifest.json"))["created"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
