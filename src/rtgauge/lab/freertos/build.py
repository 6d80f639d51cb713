"""Images: FreeRTOS and the engine, linked for one board with one configuration; built once, and found again by what
they are made of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from rtgauge.errors import TargetError, UsageError
from rtgauge.lab.commands import finished, plain_environ
from rtgauge.lab.freertos.elf import sizes
from rtgauge.lab.freertos.kernel import Kernel, options_of
from rtgauge.lab.freertos.sources import PORT, board_folder, digest_for
from rtgauge.lab.freertos.tools import Compiler
from rtgauge.lab.freertos.tree import digest_of, sources_in
from rtgauge.lab.machine import digest
from rtgauge.lab.storage import Storage

KIND = "images"
SLICING = "configUSE_TIME_SLICING"
IMAGES = {"fifo": "0", "rr": "1"}  # by the value of SLICING: a kernel has it or not, and tests need both
BUILD_S = 600.0
TAIL_LINES = 12
PROGRAM = Path("engine") / "rtgauge-engine-freertos"
_ALIKE = 0.7  # names of options have their beginnings in common
_FORM = 1  # of what is kept; another number builds everything anew


@dataclass(frozen=True)
class Recipe:
    """What an image is made of. `ns`: that an instruction takes; 0: time is real."""

    sources: Path
    board: str
    kernel: Kernel
    compiler: Compiler
    ns: int
    config: tuple[tuple[str, str], ...] = ()

    def settings(self, image: str) -> dict[str, str]:
        """The options of FreeRTOS in which the image differs from what the board has by itself."""
        return {**dict(self.config), SLICING: IMAGES[image]}

    @cached_property
    def engine(self) -> str:
        """SHA-256 of the engine's sources, as they were when it was asked for first."""
        return digest_for(self.sources, self.board)

    def changed(self) -> Path | None:
        """Of the sources that an image is named by, those that are not any more what its name says."""
        try:
            if digest_for(self.sources, self.board) != self.engine:
                return self.sources
            kernel = self.kernel.root
            return kernel if digest_of(kernel, sources_in(kernel)) != self.kernel.sha256 else None
        except OSError as error:  # one of them is gone
            return Path(error.filename or self.kernel.root)

    def key(self, image: str) -> str:
        return digest(
            {
                "form": _FORM,
                "engine": self.engine,
                "kernel": self.kernel.sha256,
                "board": self.board,
                "compiler": [self.compiler.name, self.compiler.version],
                "ns": self.ns,
                "settings": self.settings(image),
            }
        )


@dataclass(frozen=True)
class Image:
    name: str  # of IMAGES
    content: bytes  # an ELF file
    sha256: str
    sizes: Mapping[str, int]


def check_config(recipe: Recipe) -> None:
    """UsageError for an option that nothing reads, with the one that may have been meant and where all of them are, and
    for the one that images differ in."""
    legal = legal_options(recipe.sources, recipe.board, recipe.kernel.root)
    for name, _ in recipe.config:
        if name == SLICING:
            raise UsageError(
                f"{SLICING} cannot be chosen: there is one image with it and one without, for each its tests"
            )
        if name not in legal:
            near = get_close_matches(name, legal, n=1, cutoff=_ALIKE)
            hint = f"did you mean {near[0]}? " if near else ""
            raise UsageError(
                f"unknown option of FreeRTOS {name!r}: {hint}legal are the {len(legal)} that include/FreeRTOS.h of the "
                f"kernel, and FreeRTOSConfig.h and headers of the board in {recipe.sources} leave open"
            )


def legal_options(sources: Path, board: str, kernel: Path) -> tuple[str, ...]:
    """Those that the port, the board or the kernel leave to whoever builds."""
    headers = [*(sources / PORT).glob("*.h"), *board_folder(sources, board).glob("*.h"), kernel / "include/FreeRTOS.h"]
    found = frozenset[str]().union(*(options_of(path.read_text("utf-8", "replace")) for path in headers))
    return tuple(sorted(found - {SLICING}))


def images_of(storage: Storage, recipe: Recipe, say: Callable[[str], None]) -> dict[str, Image]:
    """Both images by name, in their order."""
    return {name: image_of(storage, recipe, name, say) for name in IMAGES}


def image_of(storage: Storage, recipe: Recipe, name: str, say: Callable[[str], None]) -> Image:
    """TargetError, in one line, where it cannot be built; what the build said last goes to `say`."""
    key = recipe.key(name)
    if (found := known(storage, key)) is None:
        with storage.alone(KIND):
            if (found := known(storage, key)) is None:
                say(f"building FreeRTOS {recipe.kernel.version} for {recipe.board} (image {name}), once")
                found = built(storage, recipe, name, say)
                storage.note(KIND, key, {"sha256": storage.put(found)})
    return Image(name, found, hashlib.sha256(found).hexdigest(), sizes(found))


def known(storage: Storage, key: str) -> bytes | None:
    noted = storage.noted(KIND, key)
    return storage.get(str(noted.get("sha256"))) if noted else None


def built(storage: Storage, recipe: Recipe, name: str, say: Callable[[str], None]) -> bytes:
    """TargetError also where somebody wrote to the sources meanwhile: what was built is not what it would be kept
    as."""
    with storage.scratch() as folder:
        for words in commands(recipe, name, folder):
            late = f"the image for {recipe.board} was not built within {BUILD_S:.0f} s"
            done = finished(words, BUILD_S, late, environ=plain_environ())
            if done.returncode:
                log = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
                for line in telling(log):
                    say(f"build: {line}")
                raise TargetError(f"the image for {recipe.board} cannot be built: {reason(log, folder)}")
        if changed := recipe.changed():
            raise TargetError(f"{changed} changed while the image for {recipe.board} was built: start again")
        return (folder / PROGRAM).read_bytes()


def commands(recipe: Recipe, name: str, folder: Path) -> Iterator[Sequence[str]]:
    board = board_folder(recipe.sources, recipe.board)
    config = ";".join(f"{option}={value}" for option, value in sorted(recipe.settings(name).items()))
    toolchain = ["--toolchain", str(board / "toolchain.cmake")] if (board / "toolchain.cmake").is_file() else []
    yield [
        *("cmake", "-S", str(recipe.sources), "-B", str(folder), "-G", "Ninja", *toolchain),
        *("-DRTG_PORTS=freertos", f"-DRTG_BOARD={recipe.board}", f"-DRTG_FREERTOS_KERNEL={recipe.kernel.root}"),
        *(f"-DRTG_FREERTOS_CONFIG={config}", f"-DRTG_BOARD_NS_PER_INSTRUCTION={recipe.ns}"),
    ]
    yield ["cmake", "--build", str(folder), "--target", PROGRAM.name]


def reason(log: Sequence[str], folder: Path) -> str:
    """The first line that tells of an error, else the last one, without the folder of this build."""
    error = first_error(log)
    line = log[-1 if error is None else error] if log else "no reason given"
    return line.replace(f"{folder}/", "").strip()[:300]


def telling(log: Sequence[str]) -> Sequence[str]:
    """The lines from the first error on, else the last ones; at most TAIL_LINES."""
    error = first_error(log)
    return log[-TAIL_LINES:] if error is None else log[error : error + TAIL_LINES]


def first_error(log: Sequence[str]) -> int | None:
    told = re.compile(r"\berror\b|\bError\b|undefined reference|will not fit")
    return next((index for index, line in enumerate(log) if told.search(line)), None)
