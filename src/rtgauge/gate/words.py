"""Keys, figures and words as a baseline file holds them and as they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote, unquote

from rtgauge.gate.values import Key, Pairs

_PLAIN = "!$&'()*+,-./;<>?[]^_{}~"
ENVIRONMENT = "@"
_TURN = "#"
_NAMELESS = "-"


def key_words(key: Key) -> str:
    """`TEST name=value ... @ name=value ...`; of several results that are alike the later ones have `#1`, ..."""
    turn = [f"{_TURN}{key.place}"] if key.place else []
    environment = [ENVIRONMENT, *_pairs(key.environment)] if key.environment else []
    return " ".join([escaped(key.id) or _NAMELESS, *_pairs(key.params), *turn, *environment])


def read_key(words: Sequence[str]) -> Key:
    """ValueError says what is wrong."""
    if not words:
        raise ValueError("it names no test")
    at = words.index(ENVIRONMENT) if ENVIRONMENT in words else len(words)
    own, place = list(words[1:at]), 0
    if own and own[-1].startswith(_TURN):
        turn = own.pop()
        if not re.fullmatch(r"#[1-9][0-9]{0,5}", turn):
            raise ValueError(f"{turn[:40]!r} is no number of a result")
        place = int(turn[1:])
    return Key(unquote(words[0]), read_pairs(own), read_pairs(words[at + 1 :]), place)


def read_pairs(words: Iterable[str]) -> Pairs:
    found = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise ValueError(f"{word[:40]!r} is not name=value")
        found.append((unquote(name), unquote(value)))
    if len(dict(found)) != len(found):
        raise ValueError("a name is given twice")
    return tuple(sorted(found))


def escaped(text: str) -> str:
    """One word: what would end it, or is no ASCII, as %XX."""
    return quote(text, safe=_PLAIN, errors="replace")


def order(key: Key) -> tuple[object, ...]:
    """As people sort: threads=2 before threads=10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"([0-9]{1,15})", key_words(key))
    )


def number(value: float, digits: int = 12) -> str:
    """So many significant digits, no point where there is nothing behind it."""
    return f"{float(f'{value:.{digits}g}'):.12g}"


def name_of(key: Key, apart: Iterable[str] = ()) -> str:
    """A result as it is shown: `MUT-P-ARC protocol=inherit release`. `apart`: names of the environment that differ
    among the results."""
    params = [f"{name}={value}" for name, value in key.params if name != "part"]
    params += [value for name, value in key.params if name == "part"]
    environment = [f"{name}={value}" for name, value in key.environment if name in set(apart)]
    turn = [f"{_TURN}{key.place}"] if key.place else []
    return " ".join([key.id, *params, *turn, *environment])


def _pairs(pairs: Pairs) -> list[str]:
    return [f"{escaped(name) or _NAMELESS}={escaped(value)}" for name, value in pairs]
