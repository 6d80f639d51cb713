"""Mutations that keep the outer form of an input, so that what is inside is reached: CBOR payloads and JSON texts."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from typing import Any

import atheris
import cbor2

from tests.fuzz.seeds import FOLDER_FILES, pack, unpack
from tests.report.hostile import HOSTILE

TEXTS = (*HOSTILE, "THR-P-SLS", "x" * 300, "\ud800")
NUMBERS = (0, 1, -1, 2, 5, 7, 63, 64, 65, 255, 4096, 65535, 2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, 2**64 - 1)
TRACE_ONLY = (b"", b"12345678", cbor2.CBORTag(71, b"\xff" * 16), cbor2.CBORTag(70, b"123"), cbor2.CBORTag(64, b"\1\2"))
JSON_ONLY = (1e308, -1e-308, 0.5, 10**30, 10**400, float("inf"), float("nan"))


def any_value(rng: random.Random, more: tuple[Any, ...]) -> Any:
    pool = rng.choice((TEXTS, NUMBERS, (None, True, False, [], {}, [0] * 5, [[]], {"a": 1}), more))
    return rng.choice(pool)


def change(value: Any, rng: random.Random, more: tuple[Any, ...], depth: int = 0) -> Any:
    """`value` with one thing changed somewhere in it."""
    if isinstance(value, dict) and value and (depth == 0 or rng.random() < 0.85):
        key = rng.choice(list(value))
        made = dict(value)
        kind = rng.random()
        if kind < 0.1:
            del made[key]
        elif kind < 0.15:
            made[str(rng.choice(TEXTS))] = made.pop(key)
        else:
            made[key] = change(made[key], rng, more, depth + 1)
        return made
    if isinstance(value, list) and value and rng.random() < 0.85:
        made_list, at, kind = list(value), rng.randrange(len(value)), rng.random()
        if kind < 0.1:
            del made_list[at]
        elif kind < 0.25:
            made_list.insert(at, made_list[rng.randrange(len(value))])
        else:
            made_list[at] = change(made_list[at], rng, more, depth + 1)
        return made_list
    if isinstance(value, cbor2.CBORTag) and isinstance(value.value, bytes) and rng.random() < 0.7:
        data = bytearray(value.value)
        for _ in range(rng.randint(1, 3)):
            if data:
                data[rng.randrange(len(data))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        return cbor2.CBORTag(rng.choice((value.tag, 64, 65, 66, 67, 69, 70, 71)), bytes(data))
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 10, 1 << 20, -(1 << 20)))
    return any_value(rng, more)


def mutate_trace(data: bytes, max_size: int, seed: int) -> bytes:
    rng = random.Random(seed)
    parts = unpack(data)
    if not parts or rng.random() < 0.1:
        return bytes(atheris.Mutate(data, max_size))
    for _ in range(rng.randint(1, 3)):
        at, kind = rng.randrange(len(parts)), rng.random()
        step, payload = parts[at]
        if kind < 0.08 and len(parts) > 1:
            del parts[at]
        elif kind < 0.16:
            parts.insert(rng.randrange(len(parts)), parts[at])
        elif kind < 0.24:
            parts[at] = rng.choice((0, 1, 2, 3, 200, 255)), payload
        elif kind < 0.32:
            parts[at] = step, bytes(atheris.Mutate(payload, 2000))
        else:
            with contextlib.suppress(Exception):  # a payload that was broken before is changed as bytes
                parts[at] = step, cbor2.dumps(change(cbor2.loads(payload), rng, TRACE_ONLY))
    made = pack((step, payload) for step, payload in parts if len(payload) < 60_000)
    return made if len(made) <= max_size else data


def mutate_json(data: bytes, max_size: int, seed: int) -> bytes:
    rng = random.Random(seed)
    if rng.random() < 0.9:
        with contextlib.suppress(ValueError, RecursionError):
            content = json.loads(data)
            for _ in range(rng.randint(1, 3)):
                content = change(content, rng, JSON_ONLY)
            made = json.dumps(content).encode()
            if len(made) <= max_size:
                return made
    return bytes(atheris.Mutate(data, max_size))


def mutate_folder(data: bytes, max_size: int, seed: int) -> bytes:
    """The first byte names the file, see targets.folder."""
    if not data:
        return b"\0"
    rest = data[1:]
    if FOLDER_FILES[data[0] % len(FOLDER_FILES)].endswith(".json"):
        return data[:1] + mutate_json(rest, max_size - 1, seed)
    return data[:1] + bytes(atheris.Mutate(rest, max_size - 1))


MUTATORS: dict[str, Callable[[bytes, int, int], bytes]] = {
    "records": mutate_trace,
    "run": mutate_trace,
    "manifest": mutate_json,
    "results": mutate_json,
    "folder": mutate_folder,
}
