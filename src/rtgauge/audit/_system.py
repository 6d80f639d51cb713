"""The system under audit, seen only through files below a root folder and a few probes.

A check asks nothing else, so it can be tested with a folder of plain files.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rtgauge.audit._probes import Trial, timer_resolution, try_fifo

DEBUGFS = "/sys/kernel/debug"
MOUNT_DEBUGFS = f"Mount it as root: mount -t debugfs none {DEBUGFS}"
AS_ROOT = "Run the audit as root to read it (rtgauge itself needs no root to measure)."


@dataclass(frozen=True)
class Reading:
    """A file's text without surrounding white space, or why there is none."""

    path: str
    text: str = ""
    problem: str = ""  # "" when the file was read
    hint: str = ""  # how to make it readable, where that is possible

    def __bool__(self) -> bool:
        return not self.problem

    @property
    def pair(self) -> tuple[str, str]:
        return self.path, self.problem or self.text


@dataclass(frozen=True)
class Probes:
    """What no file tells. None where it cannot be asked (an audit of another system's files)."""

    try_fifo: Callable[[], Trial] | None = None
    timer_resolution: Callable[[], float] | None = None  # seconds


LIVE = Probes(try_fifo, timer_resolution)


class System:
    """Reads lazily and remembers what all checks share."""

    def __init__(self, root: Path = Path("/"), probes: Probes | None = None) -> None:
        self.root = root
        self.probes = probes if probes is not None else (LIVE if root == Path("/") else Probes())

    # ---- files ------------------------------------------------------------------------------------------------------

    def _host(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def read(self, path: str) -> Reading:
        try:
            return Reading(path, self._host(path).read_text(encoding="utf-8", errors="replace").strip("\0\n\t "))
        except OSError as error:
            return self._problem(path, error)

    def number(self, path: str) -> tuple[int | None, Reading]:
        """The file's whole number (None when it holds none), and the reading."""
        reading = self.read(path)
        if not reading:
            return None, reading
        try:
            return int(reading.text), reading
        except ValueError:
            return None, Reading(path, problem=f"not a number: {reading.text[:40]!r}")

    def bytes_at(self, path: str, offset: int, size: int) -> tuple[bytes, Reading]:
        """`size` bytes at `offset`, and a reading that says what went wrong."""
        try:
            fd = os.open(self._host(path), os.O_RDONLY | os.O_NONBLOCK)
            try:
                found = os.pread(fd, size, offset) if offset else os.read(fd, size)
            finally:
                os.close(fd)
        except OSError as error:
            return b"", self._problem(path, error)
        return found, Reading(
            path, found.hex() if len(found) == size else "", "" if len(found) == size else "too short"
        )

    def names(self, path: str) -> list[str]:
        """Names in a folder, sorted; none when it cannot be read."""
        try:
            return sorted(os.listdir(self._host(path)))  # noqa: PTH208 - names, not paths
        except OSError:
            return []

    def exists(self, path: str) -> bool:
        try:
            return self._host(path).exists()
        except OSError:
            return False

    def link(self, path: str) -> str:
        """Last part of a symbolic link's target, or ""."""
        try:
            return str(self._host(path).readlink()).rsplit("/", 1)[-1]
        except OSError:
            return ""

    def _problem(self, path: str, error: OSError) -> Reading:
        if isinstance(error, PermissionError):
            return Reading(path, problem="only root may read it", hint=AS_ROOT)
        if path.startswith(DEBUGFS) and not self.names(DEBUGFS):
            return Reading(path, problem="debugfs is not mounted", hint=MOUNT_DEBUGFS)
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            return Reading(path, problem="not there")
        return Reading(path, problem=error.strerror or "cannot be read")

    # ---- the kernel -------------------------------------------------------------------------------------------------

    @cached_property
    def release(self) -> Reading:
        return self.read("/proc/sys/kernel/osrelease")  # uname -r

    @cached_property
    def version(self) -> Reading:
        return self.read("/proc/sys/kernel/version")  # uname -v

    @cached_property
    def kernel(self) -> tuple[int, int]:
        """Major and minor version, (0, 0) when unknown."""
        match = re.match(r"(\d+)\.(\d+)", self.release.text)
        return (int(match[1]), int(match[2])) if match else (0, 0)

    @cached_property
    def realtime_kernel(self) -> bool:
        return "PREEMPT_RT" in self.version.text or self.read("/sys/kernel/realtime").text == "1"

    @cached_property
    def parameters(self) -> dict[str, str]:
        """The kernel command line; the last of a repeated name counts. Flags have the value ""."""
        words = self.read("/proc/cmdline").text.split(" -- ")[0].split()
        return {name: value for name, _, value in (word.partition("=") for word in words)}

    def parameter(self, name: str) -> tuple[str, str]:
        """Evidence: one parameter of the kernel command line, and no more of it."""
        value = self.parameters.get(name)
        return f"/proc/cmdline {name}", "not given" if value is None else (value or "given")

    @cached_property
    def config(self) -> tuple[dict[str, str] | None, Reading]:
        """The kernel's build options (values as written; "n" for those not set), or None and why."""
        release = self.release.text
        places = ["/proc/config.gz"]
        if release:
            modules = f"/lib/modules/{release}"
            places += [f"/boot/config-{release}", f"{modules}/config", f"{modules}/build/.config"]
        for place in places:
            try:
                raw = self._host(place).read_bytes()
                text = (gzip.decompress(raw) if place.endswith(".gz") else raw).decode("utf-8", "replace")
            except (OSError, EOFError, ValueError):
                continue
            return _options(text), Reading(place, "read")
        return None, Reading(
            places[0],
            problem=f"no kernel configuration found ({', '.join(places)})",
            hint="Load it with: modprobe configs; or install the kernel package that holds /boot/config-*.",
        )

    def option(self, name: str) -> str | None:
        """One build option: its value, "n" when not set or unknown to this kernel, None when there is no config."""
        options, _ = self.config
        return None if options is None else options.get(name, "n")

    def option_pair(self, name: str) -> tuple[str, str]:
        """Evidence: one build option."""
        _, reading = self.config
        return f"{reading.path} {name}", self.option(name) or reading.problem

    # ---- this process and its CPUs ----------------------------------------------------------------------------------

    @cached_property
    def own_status(self) -> dict[str, str]:
        lines = self.read("/proc/self/status").text.splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}

    @cached_property
    def allowed(self) -> list[int]:
        """CPUs that this process may use."""
        return cpu_list(self.own_status.get("Cpus_allowed_list", "")) or [0]

    @property
    def cpu(self) -> int:
        """The CPU under test: the last one allowed, as the engine chooses it."""
        return self.allowed[-1]

    def capable(self, bit: int) -> bool:
        """Whether a capability is in force for this process."""
        return bool(int(self.own_status.get("CapEff", "0"), 16) >> bit & 1)

    def obtainable(self, bit: int) -> bool:
        """Whether any program started here could be given a capability (the bounding set)."""
        return bool(int(self.own_status.get("CapBnd", "0"), 16) >> bit & 1)

    def limit(self, name: str) -> tuple[str, str]:
        """Soft and hard limit of this process as /proc/self/limits words it, ("", "") when unknown."""
        for line in self.read("/proc/self/limits").text.splitlines():
            if line.startswith(name):
                soft, hard = line[len(name) :].split()[:2]
                return soft, hard
        return "", ""


CAP_IPC_LOCK = 14
CAP_SYS_NICE = 23
CAP_SYS_RESOURCE = 24  # to raise limits


def cpu_list(text: str) -> list[int]:
    """CPUs of a list such as "0-2,5"; an empty text is an empty list.

    >>> cpu_list("0-2,5")
    [0, 1, 2, 5]
    """
    cpus: list[int] = []
    for part in text.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        if first.isdigit():
            cpus += range(int(first), int(last.partition(":")[0] or first) + 1)
    return cpus


def chosen(text: str) -> str:
    """The choice in brackets of a sysfs list such as "always [madvise] never", else the whole text."""
    match = re.search(r"\[([^\]]+)\]|\(([^)]+)\)", text)
    return (match[1] or match[2]) if match else text


def _options(text: str) -> dict[str, str]:
    options = {}
    for line in text.splitlines():
        if match := re.match(r"(CONFIG_\w+)=(.*)", line):
            options[match[1]] = match[2].strip('"')
        elif match := re.match(r"# (CONFIG_\w+) is not set", line):
            options[match[1]] = "n"
    return options
