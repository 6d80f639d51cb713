"""Single fields of a record, checked for type, range and pattern. All raise FieldError with one phrase."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from rtgauge.trace.payload import TEXT_MAX

INT_MAX = (1 << 63) - 1
UINT_MAX = (1 << 64) - 1

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:/+-]{0,79}\Z")
_TEST_ID = re.compile(r"[A-Z]+-[BPS]-[A-Z]+\Z")
_ID_MAX = 80
_MISLEADING = dict.fromkeys([*range(0x2028, 0x202F), *range(0x2066, 0x206A), 0x061C, 0x200E, 0x200F], "\ufffd")
"""Characters that end a line or reorder what a reader sees."""


class FieldError(ValueError):
    """A field is missing or not what the format allows."""


def uint(record: dict[str, Any], key: str, default: int | None = None, most: int = INT_MAX) -> int:
    value = record.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise FieldError(f"{key} is not a number from 0 to {most}")
    return value


def number_or_text(value: Any, what: str) -> int | str:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, int) and not isinstance(value, bool) and -INT_MAX - 1 <= value <= UINT_MAX:
        return value
    raise FieldError(f"{what} is neither a number nor text")


def text(record: dict[str, Any], key: str, default: str | None = None) -> str:
    value = record.get(key, default)
    if not isinstance(value, str):
        raise FieldError(f"{key} is not text")
    return clean(value)


def text_or_none(record: dict[str, Any], key: str) -> str | None:
    return None if record.get(key) is None else text(record, key)


def name(value: Any, what: str) -> str:
    if not isinstance(value, str) or not _NAME.match(value):
        raise FieldError(f"{what} is not a legal name")
    return value


def test_id(record: dict[str, Any]) -> str:
    value = record.get("id")
    if not isinstance(value, str) or len(value) > _ID_MAX or not _TEST_ID.match(value):
        raise FieldError("id is not the id of a test")
    return value


def flag(record: dict[str, Any], key: str, default: bool | None = None) -> bool:
    value = record.get(key, default)
    if not isinstance(value, bool):
        raise FieldError(f"{key} is neither true nor false")
    return value


def choice(record: dict[str, Any], key: str, legal: tuple[str, ...]) -> Any:
    value = record.get(key)
    if value not in legal:
        raise FieldError(f"{key} is none of {', '.join(legal)}")
    return value


def entries(record: dict[str, Any], key: str) -> list[Any]:
    value = record.get(key, [])
    if not isinstance(value, list):
        raise FieldError(f"{key} is not an array")
    return value


def mapping(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FieldError(f"{what} is not a map")
    return value


def clean(value: str, most: int | None = TEXT_MAX) -> str:
    """At most `most` characters of `value` as they may be shown: line breaks and tabs become spaces, other control
    characters are replaced."""
    if value.isascii() and value.isprintable():
        return value[:most]
    shown = (
        " " if sign in "\n\r\t" else "\ufffd" if unicodedata.category(sign) in ("Cc", "Cs") else sign for sign in value
    )
    return "".join(shown).translate(_MISLEADING)[:most]
