"""Engines for tests: small programs that speak the protocol, and break it on request."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# A shell starts Python, since the first line of a script cannot name a path with spaces: what the shell takes for a
# command is a text to Python.
START = f"#!/bin/sh\n'''exec' '{sys.executable}' \"$0\" \"$@\"\n'''\n"


def make_engine(folder: Path, **behaviour: object) -> Path:
    """An executable engine in `folder`. `behaviour` maps what to do to the test in which to do it: see _engine_main."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "engine"
    path.write_text(
        f"{START}import sys\n"
        f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'src')!r}]\n"
        "from tests.targets.engine_main import main\n"
        f"main({behaviour!r})\n"
    )
    path.chmod(0o755)
    return path


def make_script(folder: Path, text: str) -> Path:
    """An executable Python program in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "engine"
    path.write_text(START + text)
    path.chmod(0o755)
    return path
