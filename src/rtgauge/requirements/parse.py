"""From a requirement file, an option, or what is stored of them, to requirements.

A file is TOML with one table `[[require]]` for each requirement. Times have a unit; a bare number is in the unit of the
series, which must not be time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rtgauge._toml import read_toml
from rtgauge.errors import UsageError
from rtgauge.requirements.model import CONFIDENCE, DEADLINE_OPTION, DEADLINE_TEST, Limit, Requirement
from rtgauge.stats.basic import PERCENTILES
from rtgauge.units import canonical_duration, parse_duration

LARGEST = 1 << 20  # bytes of a file
MOST = 1000  # requirements of a file
TEXT_MOST = 1000  # characters of a text
PARAMS_MOST = 50
PERCENTILE_KEYS = tuple(f"p{name}" for name in PERCENTILES)
LIMITS = ("max", "min", "avg", "median", *PERCENTILE_KEYS)
ENVIRONMENT = ("load", "cpus", "cache")
KEYS = ("test", "params", "part", *ENVIRONMENT, *LIMITS, "miss_rate", "confidence", "holds", "name", "why")
_PATTERN = re.compile(r"[A-Za-z0-9*?\[\]!-]{1,60}")


def read(path: Path) -> tuple[Requirement, ...]:
    """The requirements of a file, at least one. UsageError names the file, the number of the entry and the key."""
    content = _load(path)
    unknown = [name for name in content if name != "require"]
    if unknown:
        raise UsageError(f"{path}: unknown key {_shown(unknown[0])}: legal is [[require]], once for each requirement")
    entries = content.get("require")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise UsageError(f"{path}: it holds no requirement: each begins with [[require]]")
    if len(entries) > MOST:
        raise UsageError(f"{path}: it holds {len(entries)} requirements, at most {MOST} are read")
    return tuple(requirement_of(entry, f"{path}, entry {number}") for number, entry in enumerate(entries, start=1))


def read_all(paths: Iterable[str]) -> tuple[Requirement, ...]:
    """Those of several files, in their order."""
    return tuple(requirement for path in paths for requirement in read(Path(path)))


def of_deadline(deadline_ns: int) -> Requirement:
    """`--deadline` as a requirement."""
    name = f"{DEADLINE_OPTION} {canonical_duration(deadline_ns)}"
    limit = Limit("max", None, float(deadline_ns), True)
    return Requirement(DEADLINE_TEST, limits=(limit,), name=name, where=DEADLINE_OPTION)


def from_json(content: object) -> tuple[Requirement, ...]:
    """The requirements that a manifest holds. UsageError where they are none."""
    if not isinstance(content, list) or not all(isinstance(one, dict) for one in content):
        raise UsageError("the requirements are no list of maps")
    return tuple(
        requirement_of({name: value for name, value in one.items() if name != "where"}, str(one.get("where", "")))
        for one in content
    )


def requirement_of(entry: Mapping[str, Any], where: str) -> Requirement:
    """One requirement from its keys. UsageError begins with `where`."""
    try:
        return _requirement(_undotted(entry), where)
    except _WrongError as error:
        raise UsageError(f"{where}: {error}") from None


# ---- the file -------------------------------------------------------------------------------------------------------


def _load(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path, "a requirement file", LARGEST)
    except UsageError as error:
        if "overwrite" not in str(error):
            raise
        raise UsageError(f"{error}: a key is there twice, or p99 beside p99.9, which then needs quotes") from error


def _undotted(entry: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """TOML reads `p99.9 = "50us"` as the key 9 of a map p99."""
    for name, value in entry.items():
        if re.fullmatch(r"p[0-9]+", name) and isinstance(value, dict):
            yield from ((f"{name}.{inner}", one) for inner, one in value.items())
        else:
            yield name, value


# ---- one entry ------------------------------------------------------------------------------------------------------


class _WrongError(Exception):
    """One phrase."""


def _requirement(pairs: Iterator[tuple[str, Any]], where: str) -> Requirement:
    entry: dict[str, Any] = {}
    for name, value in pairs:
        if name not in KEYS:
            raise _WrongError(f"unknown key {_shown(name)}: legal are {', '.join(KEYS)}")
        if name in entry:
            raise _WrongError(f"{name} is given twice")
        entry[name] = value
    limits = tuple(_limit(name, entry[name]) for name in LIMITS if name in entry)
    made = Requirement(
        test=_test(entry),
        params=_params(entry),
        load=_word(entry, "load"),
        cpus=_word(entry, "cpus"),
        cache=_word(entry, "cache"),
        limits=limits,
        miss_rate=None if "miss_rate" not in entry else _share(entry, "miss_rate", 0.0),
        confidence=CONFIDENCE if "confidence" not in entry else _share(entry, "confidence", 0.5),
        holds=_holds(entry),
        name=_word(entry, "name") or "",
        why=_word(entry, "why") or "",
        where=where,
    )
    if made.holds == bool(limits):
        raise _WrongError(
            "holds = true is about a behaviour, and has no limits beside it"
            if limits
            else f"nothing is required: give holds = true, or a limit: {', '.join(LIMITS)}"
        )
    if made.miss_rate is not None and made.limit("max") is None:
        raise _WrongError("miss_rate needs max: how often samples may lie above it")
    if len({limit.time for limit in limits}) > 1:
        raise _WrongError("some limits are times and some are bare numbers: they are about the same series")
    return made


def _test(entry: Mapping[str, Any]) -> str:
    test = entry.get("test")
    if not isinstance(test, str) or not _PATTERN.fullmatch(test):
        raise _WrongError(f"test must be the id of a test or a pattern, e.g. 'SEM-*', got {_shown(test)}")
    return test.upper()


def _params(entry: Mapping[str, Any]) -> dict[str, str]:
    given = entry.get("params", {})
    if not isinstance(given, dict) or len(given) > PARAMS_MOST:
        raise _WrongError('params must be a map, e.g. { interval = "1ms" }')
    params = {}
    for name, value in given.items():
        if not isinstance(value, (str, int)) or isinstance(value, bool) or _huge(value):
            raise _WrongError(f"params.{_plain(name)} must be a text or a whole number, got {_shown(value)}")
        params[name] = str(value)
    part = _word(entry, "part")
    if part is not None and params.setdefault("part", part) != part:
        raise _WrongError("part and params.part differ")
    return params


def _word(entry: Mapping[str, Any], name: str) -> str | None:
    value = entry.get(name)
    if name not in entry:
        return None
    if not isinstance(value, str) or not value or len(value) > TEXT_MOST:
        raise _WrongError(f"{name} must be a text of 1 to {TEXT_MOST} characters, got {_shown(value)}")
    return value


def _holds(entry: Mapping[str, Any]) -> bool:
    if "holds" in entry and entry["holds"] is not True:
        raise _WrongError(f"holds can only be true, got {_shown(entry['holds'])}")
    return "holds" in entry


def _share(entry: Mapping[str, Any], name: str, low: float) -> float:
    """A number above `low` (a confidence: from there on) and below 1."""
    value = entry[name]
    number = float(value) if isinstance(value, float) else math.nan
    if not low <= number < 1 or number == 0:
        raise _WrongError(
            f"{name} must be a number {'from' if low else 'above'} {low:g} and below 1, got {_shown(value)}"
        )
    return number


def _limit(name: str, value: Any) -> Limit:
    if isinstance(value, list):
        if name in ("max", "min") or len(value) != 2:
            raise _WrongError(
                f"{name} takes one value, not a list" if name in ("max", "min") else f"{name} takes [low, high]"
            )
        (low, timed), (high, also) = (_value(name, one) for one in value)
        if timed != also or low > high:
            raise _WrongError(f"{name}: {'low is above high' if timed == also else 'one of the two is no time'}")
        return Limit(name, low, high, timed)
    number, timed = _value(name, value)
    return Limit(name, number, None, timed) if name == "min" else Limit(name, None, number, timed)


def _value(name: str, value: Any) -> tuple[float, bool]:
    """A figure, and whether it is a time (ns)."""
    if isinstance(value, str):
        try:
            ns = parse_duration(value, name)
        except UsageError as error:
            raise _WrongError(f"{error}; bare numbers without quotes are for series that are no time") from None
        if not ns:
            raise _WrongError(f"{name} must be above zero, got {_shown(value)}")
        return float(ns), True
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1 << 53:
        raise _WrongError(f'{name} must be a time, e.g. "100us", or a number from 0 on, got {_shown(value)}')
    return float(value), False


def _plain(text: str) -> str:
    return ascii(text)[1:-1][:60]


def _shown(value: object) -> str:
    """A value in a message: short, and without what could move a cursor."""
    text = ascii(value) if isinstance(value, (str, int, float)) and not _huge(value) else type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."


def _huge(value: object) -> bool:
    """Longer than any value is; Python refuses to write whole numbers of thousands of digits."""
    return (isinstance(value, int) and abs(value) > 1 << 63) or (isinstance(value, str) and len(value) > TEXT_MOST)
