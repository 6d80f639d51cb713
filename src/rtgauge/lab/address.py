"""The address of a guest, lab:SYSTEM[@BOARD][?kernel=FILE&append=WORDS&module=FILE&replica=N&analyser=on], or of
FreeRTOS on a board, lab:freertos[@BOARD][?kernel=DIR&config=NAME=VALUE,..&replica=N], and ways to add to one."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

from rtgauge.errors import UsageError
from rtgauge.lab.own_systems import check_files
from rtgauge.lab.systems import FREERTOS, LINUX, Board, System, lab, simulator

KIND = "lab"
HERE = "posix"  # the kind of target that runs its simulator on this machine
KEYS = {LINUX: ("kernel", "append", "module", "replica", "analyser"), FREERTOS: ("kernel", "config", "replica")}
APPEND_MOST = 1500  # characters: kernels read 2048 of their command line
REPLICAS_MOST = 9999
_MEANT = {"kernel": "FILE", "append": "WORDS", "module": "FILE", "config": "NAME=VALUE", "replica": "N"}
_MEANT |= {"analyser": "on"}
OPTIONS = {
    "--kernel": (LINUX, "a FreeRTOS kernel is given by --freertos-kernel DIR"),
    "--kernel-append": (LINUX, "FreeRTOS has no command line, its options are given by ?config=NAME=VALUE"),
    "--freertos-kernel": (FREERTOS, "a Linux kernel is given by --kernel FILE"),
}
"""Of a command: for which OS, and what others have in its place."""
_ADDED = ("module", "config")  # given again they add up
MODULES_MOST = 64
CONFIG_MOST = 64
_NO_REPLICAS = f"{HERE}:{FREERTOS} has no replicas: its time is real, and no run is like another"
_WORDS = re.compile(r"[\x20-\x7e]*")
_SETTING = re.compile(r"(?:config|INCLUDE_|RTG_FREERTOS_)[A-Za-z0-9_]{1,60}=[A-Za-z0-9_()+*/<>|&!=~. -]{1,100}")


@dataclass(frozen=True)
class Address:
    """One guest: what is to run on which board."""

    system: System
    board: Board
    kernel: Path | None = None  # the user's own: a file, of FreeRTOS a folder
    append: str = ""  # the user's own words for its command line
    modules: tuple[Path, ...] = ()  # kernel modules of the user's, in the order in which they are loaded
    replica: int = 0  # 0: as always; others vary what may vary
    config: tuple[tuple[str, str], ...] = ()  # options of FreeRTOS by name, each once
    analyser: bool = False  # a plugin of the emulator watches, of which the guest takes no notice

    @property
    def name(self) -> str:
        """Without the replica: replicas are repeats of one thing. Without the analyser, which changes nothing."""
        modules = ",".join(map(str, self.modules))
        config = ",".join(f"{name}={value}" for name, value in self.config)
        place = f"{KIND}:{self.system.name}@{self.board.name}" if self.board.machine else f"{HERE}:{self.system.name}"
        kernel = "" if self.kernel == self.system.file else str(self.kernel)
        own = [("kernel", kernel), ("append", self.append), ("module", modules), ("config", config)]
        return _written(place, [pair for pair in own if pair[1]])


def parse(rest: str) -> Address:
    """What follows "lab:". UsageError, with the legal names, for anything wrong."""
    words, _, query = rest.partition("?")
    name, at, board = words.partition("@")
    known = lab()
    if not name or (at and not board):
        raise UsageError(f"target {KIND} needs a system, lab:SYSTEM[@BOARD]: legal are {', '.join(known.systems)}")
    system = known.system(name)
    given = dict(_pairs(query, system.os))
    kernel = _path("kernel", given["kernel"]) if "kernel" in given else system.file
    if kernel is system.file:
        check_files(system)
    if system.os == LINUX and not system.kernel and not kernel:
        raise UsageError(f"lab:{name} needs a kernel of yours: --kernel FILE")
    return Address(
        system=system,
        board=known.board(system, board),
        kernel=kernel,
        append=_words(given.get("append", "")),
        modules=_modules(given.get("module", "")),
        replica=_replica(given.get("replica", "0")),
        config=_config(given.get("config", "")),
        analyser=_on("analyser", given.get("analyser", "off")),
    )


def parse_here(rest: str) -> Address:
    """What follows "posix:". UsageError, with what is legal, for anything wrong."""
    words, _, query = rest.partition("?")
    if words != FREERTOS:
        raise UsageError(f"target {HERE} simulates one system, {HERE}:{FREERTOS}, not {words!r}")
    given = dict(_pairs(query, FREERTOS))
    if "replica" in given:
        raise UsageError(_NO_REPLICAS)
    return Address(
        system=lab().system(FREERTOS),
        board=simulator(),
        kernel=_path("kernel", given["kernel"]) if "kernel" in given else None,
        config=_config(given.get("config", "")),
    )


def check_options(targets: Sequence[str], options: Sequence[str]) -> None:
    """UsageError where one of the options, of OPTIONS, changes none of the targets of a command: what would be measured
    is not what the user means. One that changes some of them is for these."""
    systems = {_split(target)[1] for target in targets} if options else set()
    for option in options:
        system, instead = OPTIONS[option]
        if system not in systems:
            raise UsageError(f"{option} is not for {', '.join(targets)}: {instead}")


def with_options(
    target: str, *, kernel: str = "", append: str = "", replica: int | None = None, freertos: str = ""
) -> str:
    """The address `target` with a kernel and words for its command line, or a tree of FreeRTOS, and the number of a
    replica; each is for the systems that have it, so that several can be measured together. UsageError where the
    target is not of the lab, or may not have a replica's number."""
    if not (kernel or append or freertos) and replica is None:
        return target
    words, system, query = _split(target)
    given = dict(_pairs(query, system))
    if replica is not None and words.startswith(f"{HERE}:"):
        raise UsageError(_NO_REPLICAS)
    if replica is not None and "replica" in given:  # some of the runs would be the same, and count as others
        raise UsageError(f"{target} names one replica, and --replicas numbers them itself: give one of them")
    folder = freertos if system == FREERTOS else kernel
    added = [("kernel", os.path.abspath(folder) if folder else ""), ("append", append)]  # noqa: PTH100 - of text
    pairs = [pair for pair in (*added, ("replica", str(replica or ""))) if pair[1] and pair[0] in KEYS[system]]
    return _written(words, list({**given, **dict(pairs)}.items()))


def _split(target: str) -> tuple[str, str, str]:
    """What stands before the query, the OS, and the query. UsageError for what is not of the lab."""
    words, _, query = target.partition("?")
    kind, _, name = words.partition(":")
    if kind not in (KIND, HERE):
        options = "--kernel, --kernel-append, --freertos-kernel and --replicas"
        raise UsageError(f"{options} are for targets of the lab, not for {target}")
    return words, FREERTOS if kind == HERE else lab().system(name.partition("@")[0]).os, query


def _written(words: str, pairs: list[tuple[str, str]]) -> str:
    return f"{words}?{urlencode(pairs, quote_via=quote, safe='/,:=')}" if pairs else words


def _pairs(query: str, system: str) -> list[tuple[str, str]]:
    """Each name once: the last one counts, but for modules and settings, which add up. `system`: its OS."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        written = "&".join(f"{name}={_MEANT[name]}" for name in KEYS[system])
        raise UsageError(f"cannot read {query!r}: written is lab:SYSTEM@BOARD?{written}") from None
    for name, _ in pairs:
        if name not in KEYS[system]:
            what = "a guest" if system == LINUX else "FreeRTOS on a board"
            raise UsageError(f"{what} has no {name!r}: legal are {', '.join(KEYS[system])}")
    added = {one: ",".join(value for name, value in pairs if name == one) for one in _ADDED}
    given = {**dict(pairs), **added}
    return [(name, value) for name, value in given.items() if value or name not in _ADDED]


def _config(text: str) -> tuple[tuple[str, str], ...]:
    """Options of FreeRTOS. Whether there are such options is known where its sources are."""
    given: dict[str, str] = {}
    for one in filter(None, text.split(",")):
        if not _SETTING.fullmatch(one):
            raise UsageError(f"config takes NAME=VALUE,NAME=VALUE, e.g. configTICK_RATE_HZ=100, got {one!r}")
        name, _, value = one.partition("=")
        given[name] = value
    if len(given) > CONFIG_MOST:
        raise UsageError(f"{CONFIG_MOST} options of FreeRTOS are the most, got {len(given)}")
    return tuple(sorted(given.items()))


def _path(key: str, text: str) -> Path:
    """With ~ as a shell reads it. Whether something is there is told when it is read."""
    if not text or "\0" in text:
        raise UsageError(f"{key} must be a path, got {repr(text) if text else 'nothing'}")
    return Path(os.path.expanduser(text)).absolute()  # noqa: PTH111 - never fails


def _modules(text: str) -> tuple[Path, ...]:
    paths = tuple(_path("module", one) for one in text.split(",") if one)
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


def _on(name: str, text: str) -> bool:
    if text not in ("on", "off"):
        raise UsageError(f"{name} is on or off, got {text!r}")
    return text == "on"


def _replica(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise UsageError(f"a replica is a number from 0 to {REPLICAS_MOST}, got {text!r}")
    return int(text)
