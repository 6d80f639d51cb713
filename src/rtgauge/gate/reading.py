"""A baseline file as one side of the gate. It may come from anywhere: whatever is wrong is said with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path as File
from urllib.parse import unquote

from rtgauge.errors import UsageError
from rtgauge.gate.limits import Limits, check_limit
from rtgauge.gate.spread import QUANTILES
from rtgauge.gate.text import ACCEPTED, EQUAL, MADE, SUBJECT, TITLE, VERSION
from rtgauge.gate.values import STATUSES, Key, Line, Path, Range, Side
from rtgauge.gate.words import key_words, read_key
from rtgauge.store.content import MAGNITUDE_MAX
from rtgauge.store.files import why
from rtgauge.trace.fields import clean

LARGEST = 16 << 20  # bytes
_LONGEST = 100_000  # characters of a line
_MOST_VALUES = 10_000  # of a figure: one for each run
_NUMBER = re.compile(r"-?[0-9]{1,31}(?:\.[0-9]{1,20})?(?:e[+-]?[0-9]{1,2})?\Z")
_TAIL = re.compile(r"p[0-9]{1,2}(?:\.[0-9]{1,6})?\Z")


class BadLineError(ValueError):
    """One phrase on what is wrong with a line."""


@dataclass
class _Head:
    identity: dict[str, str] = field(default_factory=dict)
    subject: dict[str, str] = field(default_factory=dict)
    accepted: list[str] = field(default_factory=list)
    single: dict[str, str] = field(default_factory=dict)


def read(file: File) -> Side:
    """UsageError names the file, the line and what is wrong with it."""
    return parse(_content(file), str(file))


def parse(text: str, name: str) -> Side:
    """`name`: of the file, for messages."""
    rows = text.split("\n")
    _check_version(rows[0], name)
    head, lines = _Head(), dict[Key, Line]()
    for number, row in enumerate(rows[1:], start=2):
        words = row.strip()
        if not words or words.startswith("#"):
            continue
        try:
            if len(row) > _LONGEST:
                raise BadLineError(f"it has {len(row)} characters, {_LONGEST} are the most")
            if " : " in words:
                _add(lines, read_line(words, number))
            else:
                _head_line(head, words)
        except (ValueError, UsageError) as error:
            raise UsageError(f"{name} line {number}: {error}") from error
    return _side(head, lines, name)


def read_line(words: str, number: int = 0) -> Line:
    """ValueError says what is wrong."""
    key, _, figures = words.partition(" : ")
    status, *rest = figures.split()
    if status not in STATUSES:
        raise BadLineError(f"unknown status {status[:40]!r}, legal are {', '.join(STATUSES)}")
    told: dict[str, str] = {}
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals or name in told:
            raise BadLineError(f"{word[:40]!r} is not name=value, or is there twice")
        told[name] = value
    return _line(read_key(key.split()), status, told, number)


def _content(file: File) -> str:
    try:
        with file.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        cause = why(error) if isinstance(error, OSError) else str(error)
        raise UsageError(f"cannot read the baseline {file}: {cause}") from error
    if len(raw) > LARGEST:
        raise UsageError(f"{file} is no baseline: it has more than {LARGEST >> 20} MB")
    try:
        return raw.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UsageError(f"{file} line {line}: it is no text (UTF-8)") from error


def _check_version(first: str, name: str) -> None:
    title, _, version = first.strip().rpartition(" ")
    if title != TITLE:
        raise UsageError(f"{name} line 1: no baseline: it does not begin with `{TITLE} {VERSION}`")
    if version != str(VERSION):
        raise UsageError(f"{name} line 1: a baseline of version {version[:20]!r}, this version reads {VERSION}")


def _add(lines: dict[Key, Line], line: Line) -> None:
    before = lines.setdefault(line.key, line)
    if before is not line:
        raise BadLineError(f"{key_words(line.key)[:200]} is already in line {before.where}")


def _head_line(head: _Head, words: str) -> None:
    name, colon, value = (part.strip() for part in words.partition(":"))
    value = clean(value, most=None)
    if not colon:
        raise BadLineError(f"{words[:40]!r} is neither `name: value` nor `TEST ... : status ...`")
    if name == ACCEPTED:
        head.accepted.append(value)
    elif name in (EQUAL, SUBJECT):
        told = head.identity if name == EQUAL else head.subject
        what, equals, is_ = (part.strip() for part in value.partition(" = "))
        if not equals or not what or what in told:
            raise BadLineError(f"{value[:40]!r} is not name = value, or is there twice")
        told[what] = is_
    elif name in (MADE, "runs", "limit", "tail-limit") and name not in head.single:
        head.single[name] = check_limit(value, name) if name.endswith("limit") else value
        if name == "runs":
            _runs(value)
    else:
        raise BadLineError(f"{name[:40]!r} is unknown, or is there twice")


def _runs(text: str) -> tuple[int, bool]:
    match = re.fullmatch(r"([1-9][0-9]{0,5})( identical)?", text)
    if match is None:
        raise BadLineError(f"runs {text[:40]!r} is no number of runs")
    return int(match[1]), match[2] is None


def _side(head: _Head, lines: dict[Key, Line], name: str) -> Side:
    for wanted in ("runs", "limit", "tail-limit"):
        if wanted not in head.single:
            raise UsageError(f"{name}: no line `{wanted}: ...` in its head")
    if head.identity.get("time") not in ("real", "virtual"):
        raise UsageError(f"{name}: no line `{EQUAL}: time = real` or `= virtual` in its head")
    runs, varied = _runs(head.single["runs"])
    return Side(
        name=name,
        identity=head.identity,
        subject=head.subject,
        runs=runs,
        varied=varied,
        lines=lines,
        limits=Limits(head.single["limit"], head.single["tail-limit"]),
        made=head.single.get(MADE, ""),
        accepted=tuple(head.accepted),
        file=True,
    )


def _line(key: Key, status: str, told: dict[str, str], number: int) -> Line:
    tail = next((name for name in told if _TAIL.match(name)), "")
    known = {"unit", "n", "step", "path", "median", "spread", "max", "limit", "tail-limit", tail}
    unknown = next((name for name in told if name not in known), None)
    if unknown is not None:
        raise BadLineError(f"{unknown[:40]!r} is unknown")
    if status == "ok" and not {"unit", "n", "median"} <= told.keys():
        raise BadLineError("a result that is ok has at least unit, n and median")

    def taken(name: str, read: Callable[[str], float], default: float = 0.0) -> float:
        return read(told[name]) if name in told else default

    return Line(
        key=key,
        status=status,
        unit=unquote(told.get("unit", "")),
        step=taken("step", _number),
        n=int(taken("n", _count)),
        medians=_values(told["median"]) if "median" in told else (),
        tail=tail,
        tails=_values(told[tail]) if tail else (),
        maximum=_number(told["max"]) if "max" in told else None,
        paths=_paths(told["path"]) if "path" in told else (),
        spread=_spread(told["spread"]) if "spread" in told else (),
        limit=check_limit(told["limit"], "limit") if "limit" in told else "",
        tail_limit=check_limit(told["tail-limit"], "tail-limit") if "tail-limit" in told else "",
        where=number,
    )


def _number(text: str) -> float:
    """No NaN, no infinity, nothing out of all proportion."""
    if not _NUMBER.match(text) or not abs(float(text)) <= MAGNITUDE_MAX:
        raise BadLineError(f"{text[:40]!r} is no number, or out of range")
    return float(text)


def _count(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise BadLineError(f"{text[:40]!r} is no count")
    return float(text)


def _values(text: str) -> tuple[float, ...]:
    """`800,810` of two runs, `800x5` of five."""
    one, times, count = text.partition("x")
    if times:
        many = int(_count(count))
        if not 1 <= many <= _MOST_VALUES:
            raise BadLineError(f"{text[:40]!r} is of too many runs, or of none")
        return (_number(one),) * many
    parts: Sequence[str] = text.split(",")
    if len(parts) > _MOST_VALUES:
        raise BadLineError(f"it holds figures of {len(parts)} runs, {_MOST_VALUES} are the most")
    return tuple(map(_number, parts))


def _paths(text: str) -> tuple[Path, ...]:
    values, slash, share = text.partition("/")
    percent = _number(share.removesuffix("%")) if slash and share.endswith("%") else -1
    if not 0 < percent <= 100:
        raise BadLineError(f"path {text[:40]!r} is not value/share%, e.g. 1773/99%")
    return tuple(Path(value, percent / 100) for value in _values(values))


def _spread(text: str) -> tuple[Range, ...]:
    """From and to of each quantile: `394,398,394,1354`."""
    ends = _values(text)
    ranges = tuple(zip(ends[::2], ends[1::2], strict=False))
    if len(ends) != 2 * len(QUANTILES) or any(low > high for low, high in ranges):
        raise BadLineError(f"spread {text[:40]!r} is not from,to of each of {len(QUANTILES)} quantiles")
    return ranges
