"""The address of a guest: lab:SYSTEM[@BOARD][?kernel=FILE&append=WORDS&module=FILE&replica=N], and ways to add to
one."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

from rtgauge.errors import UsageError
from rtgauge.lab.systems import Board, System, lab

KIND = "lab"
KEYS = ("kernel", "append", "module", "replica")
APPEND_MOST = 1500  # characters: kernels read 2048 of their command line
REPLICAS_MOST = 9999
MODULES_MOST = 64
_WORDS = re.compile(r"[\x20-\x7e]*")


@dataclass(frozen=True)
class Address:
    """One guest: what is to run on which board."""

    system: System
    board: Board
    kernel: Path | None = None  # the user's own
    append: str = ""  # the user's own words for its command line
    modules: tuple[Path, ...] = ()  # kernel modules of the user's, in the order in which they are loaded
    replica: int = 0  # 0: as always; others vary what may vary

    @property
    def name(self) -> str:
        """Without the replica: replicas are repeats of one thing."""
        modules = ",".join(map(str, self.modules))
        own = [("kernel", str(self.kernel or "")), ("append", self.append), ("module", modules)]
        return _written(f"{KIND}:{self.system.name}@{self.board.name}", [pair for pair in own if pair[1]])


def parse(rest: str) -> Address:
    """What follows "lab:". UsageError, with the legal names, for anything wrong."""
    words, _, query = rest.partition("?")
    name, at, board = words.partition("@")
    known = lab()
    if not name or (at and not board):
        raise UsageError(f"target {KIND} needs a system, lab:SYSTEM[@BOARD]: legal are {', '.join(known.systems)}")
    system = known.system(name)
    given = dict(_pairs(query))
    kernel = given.get("kernel")
    if not system.kernel and not kernel:
        raise UsageError(f"lab:{name} needs a kernel of yours: --kernel FILE")
    return Address(
        system=system,
        board=known.board(system, board),
        kernel=None if not kernel else Path(kernel).expanduser().absolute(),
        append=_words(given.get("append", "")),
        modules=_modules(given.get("module", "")),
        replica=_replica(given.get("replica", "0")),
    )


def with_options(target: str, *, kernel: str = "", append: str = "", replica: int = 0) -> str:
    """The address `target` with a kernel, words for its command line and the number of a replica. UsageError where the
    target is not of the lab."""
    added = [("kernel", os.path.abspath(kernel) if kernel else ""), ("append", append)]  # noqa: PTH100 - of text
    pairs = [pair for pair in (*added, ("replica", str(replica or ""))) if pair[1]]
    if not pairs:
        return target
    kind, _, rest = target.partition(":")
    if kind != KIND:
        raise UsageError(f"--kernel, --kernel-append and --replicas are for targets of the lab, not for {target}")
    words, _, query = rest.partition("?")
    given = {**dict(_pairs(query)), **dict(pairs)}
    return _written(f"{kind}:{words}", list(given.items()))


def _written(words: str, pairs: list[tuple[str, str]]) -> str:
    return f"{words}?{urlencode(pairs, quote_via=quote, safe='/,:=')}" if pairs else words


def _pairs(query: str) -> list[tuple[str, str]]:
    """Each name once: the last one counts, but for modules, which add up."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise UsageError(
            f"cannot read {query!r}: written is lab:SYSTEM@BOARD?kernel=FILE&append=WORDS&module=FILE"
        ) from None
    for name, _ in pairs:
        if name not in KEYS:
            raise UsageError(f"a guest has no {name!r}: legal are {', '.join(KEYS)}")
    modules = ",".join(value for name, value in pairs if name == "module")
    given = {**dict(pairs), "module": modules}
    return [(name, value) for name, value in given.items() if value or name != "module"]


def _modules(text: str) -> tuple[Path, ...]:
    paths = tuple(Path(one).expanduser().absolute() for one in text.split(",") if one)
    twice = {path.name for path in paths if [one.name for one in paths].count(path.name) > 1}
    if twice:
        raise UsageError(f"two modules have the name {min(twice)}")
    if len(paths) > MODULES_MOST:
        raise UsageError(f"a guest takes {MODULES_MOST} modules at most, got {len(paths)}")
    return paths


def _words(text: str) -> str:
    if len(text) > APPEND_MOST or not _WORDS.fullmatch(text):
        raise UsageError(
            f"the words for the kernel's command line must be plain text, at most {APPEND_MOST} characters"
        )
    return " ".join(text.split())


def _replica(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise UsageError(f"a replica is a number from 0 to {REPLICAS_MOST}, got {text!r}")
    return int(text)
