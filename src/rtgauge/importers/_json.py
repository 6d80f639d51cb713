"""JSON of unknown origin: objects without double keys, keys without the colon that some versions leave at their end."""

from __future__ import annotations

import json
from typing import Any

from rtgauge.importers._foreign import DamagedError, parsed, shown, whole
from rtgauge.model import Evidence
from rtgauge.trace.fields import clean

TEXT_MOST = 500  # characters of a text that is kept
_SYSTEM = {"sysname": "os", "release": "release", "version": "version", "machine": "machine", "nodename": "host"}


def load(text: str) -> dict[str, Any]:
    """DamagedError where it is no JSON object."""
    try:
        content = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except DamagedError:
        raise
    except RecursionError:
        raise DamagedError("it is nested too deeply") from None
    except ValueError as error:
        raise DamagedError(f"it is no JSON: {str(error)[:80]}") from None
    return mapping(content, "the file")


def looks_like(text: str, *keys: str) -> bool:
    """Whether it may be a JSON object with these keys."""
    return text.lstrip()[:1] == "{" and all(f'"{key}"' in text or f'"{key}:"' in text for key in keys)


def mapping(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DamagedError(f"{what} is {shown(value)}, not an object")
    return value


def real(value: object, what: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise DamagedError(f"{what} is {shown(value)}, not a number from 0 on")
    return float(value)


def histogram(value: object, what: str, scale: int, most: int) -> tuple[tuple[int, int], ...]:
    """(lower edge in ns, samples) of each bin that is not empty; `scale`: ns for one."""
    counts: dict[int, int] = {}
    for edge, count in mapping(value, what).items():
        at = parsed(edge, f"a bin of {what}", most // scale) * scale
        counts[at] = counts.get(at, 0) + whole(count, f"bin {edge} of {what}")
    return tuple(sorted((at, count) for at, count in counts.items() if count))


def system(content: object) -> dict[str, str | int]:
    """The facts of a `sysinfo` object."""
    told = mapping(content, "sysinfo") if content is not None else {}
    facts: dict[str, str | int] = {
        name: clean(told[key], most=TEXT_MOST) for key, name in _SYSTEM.items() if isinstance(told.get(key), str)
    }
    if isinstance(told.get("realtime"), int):
        facts["realtime"] = int(told["realtime"])
    return facts


def words(content: dict[str, Any], *names: str) -> tuple[Evidence, ...]:
    """Texts and numbers of the file that are kept as they are."""
    kept = []
    for name in names:
        value = content.get(name)
        if isinstance(value, str):
            kept.append(Evidence(name, clean(value, most=TEXT_MOST)))
        elif isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
            kept.append(Evidence(name, value))
    return tuple(kept)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        name = key.removesuffix(":")
        if name in made:
            raise DamagedError(f"it has the key {shown(name)} twice")
        made[name] = value
    return made


def _constant(name: str) -> float:
    raise DamagedError(f"it holds the number {name}")
