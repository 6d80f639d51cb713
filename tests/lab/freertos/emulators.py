"""Programs that behave like an emulator with an image: they read `request` in their folder and write `trace` and
`console` there, and end with a status."""

from __future__ import annotations

from pathlib import Path

FULFILS = 'cat request > /dev/null; printf abc >> trace; sleep 0.1; printf def >> trace; echo "fine" >> console'
FAILS = 'printf abc >> trace; echo "rtgauge: hard fault: pc 0x1234" >> console; exit 87'
CRASHES = "printf abc >> trace; kill -SEGV $$"
SPINS = "printf abc >> trace; while :; do :; done"
SLEEPS = "printf abc >> trace; exec sleep 1000"
CHATTERS = "while :; do echo many words >> console; done"
FLOODS = "while :; do echo abcdefgh >> trace; done"


def emulator(folder: Path, does: str) -> str:
    """The path of one that does what these words of a shell say. $1 is the image."""
    folder.mkdir(exist_ok=True)
    program = folder / "emulator"
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    return str(program)
