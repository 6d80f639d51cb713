"""The engine's own sources, which came with rtgauge: an image is built from them where it is run."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.freertos.tree import digest_of

PORT = "engine/ports/freertos"
_BOARDS = "engine/boards"
_OF_ALL = ("CMakeLists.txt", "engine/CMakeLists.txt", "src/rtgauge/reference")
_FOLDERS = ("engine/core", "engine/include", "engine/tests", "engine/loads", "engine/clocks", "engine/tools", PORT)


def sources() -> Path:
    """The folder to be given to cmake. TargetError where this installation has none."""
    root = Path(str(files("rtgauge").joinpath("_sources")))
    if not (root / PORT).is_dir():
        raise TargetError("this installation has no sources of the engine: install rtgauge again")
    return root


def board_folder(root: Path, board: str) -> Path:
    """TargetError where the engine has no such board."""
    folder = root / _BOARDS / board
    if not (folder / "board.cmake").is_file():
        raise TargetError(f"the engine has no board {board}: {_BOARDS}/{board}/board.cmake is missing")
    return folder


def digest_for(root: Path, board: str) -> str:
    """SHA-256 of all that an image for the board is made of, beside the kernel."""
    return digest_of(root, _files(root, board))


def _files(root: Path, board: str) -> Iterator[Path]:
    folders = (*_FOLDERS, f"{_BOARDS}/common", f"{_BOARDS}/{board}")
    yield from (root / name for name in _OF_ALL if (root / name).is_file())
    for name in (*folders, *_OF_ALL):
        yield from (path for path in (root / name).rglob("*") if path.is_file())


def catalogue(root: Path) -> tuple[str, ...]:
    """Ids of all tests that there are, by their files."""
    return tuple(sorted(path.stem.upper().replace("_", "-") for path in (root / "engine" / "tests").glob("*.c")))
