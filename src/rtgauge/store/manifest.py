"""The manifest of a run folder: what was asked, of whom, by what, and the hash of every file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, cast

from rtgauge.errors import StoreError, UsageError
from rtgauge.model import Descriptor, Job, LoadReport, Param, ParamInfo, RunSpec, SeriesInfo
from rtgauge.requirements import Requirement, from_json, of_deadline

SCHEMA = 1
STATES = ("running", "complete", "interrupted", "broken")
_ANY: tuple[type, ...] = (object,)
_SHAPE: dict[str, tuple[type, tuple[type, ...]]] = {
    "run": (str, _ANY),
    "state": (str, _ANY),
    "target": (str, _ANY),
    "why": (str, _ANY),
    "tag": (str, _ANY),
    "left_out": (str, _ANY),
    "profile": (str, _ANY),
    "deadline_ns": (int, _ANY),
    "requirements": (list, (dict,)),
    "command": (list, (str,)),
    "versions": (dict, (str,)),
    "engine": (dict, (str,)),
    "repeat": (dict, (int,)),
    "series": (str, _ANY),
    "spec": (dict, _ANY),
    "files": (dict, (dict,)),
    "descriptors": (list, (dict,)),
    "deaths": (list, (dict,)),
    "audit": (list, (dict,)),
    "loads": (list, (dict,)),
    "imported": (dict, (str,)),
    "analyser": (dict, (str, int)),
    "virtual": (dict, (str, int, type(None))),
}
"""What an entry of a manifest is, and what its parts are; each may be null."""
LARGEST = 16 << 20  # bytes: a manifest is a few kilobytes


def seal(manifest: Mapping[str, Any]) -> bytes:
    """The manifest as it is stored, with a digest over all the rest of it, so that a changed byte is found."""
    content = {**manifest, "digest": ""}
    content["digest"] = hashlib.sha256(_encode(content)).hexdigest()
    return _encode(content)


def unseal(raw: bytes) -> tuple[dict[str, Any], str | None]:
    """The manifest and, where it was changed since it was written, a line that says so.

    Raises StoreError when it is no manifest at all, or of a schema that this version does not know.
    """
    if len(raw) > LARGEST:
        raise StoreError("manifest.json is too large to be one")
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"manifest.json is damaged: {error}") from error
    if not isinstance(content, dict):
        raise StoreError("manifest.json is damaged: it holds no map")
    _check_shape(content)
    schema = content.get("schema")
    if isinstance(schema, int) and not isinstance(schema, bool) and schema > SCHEMA:
        raise StoreError(f"the run has schema {schema}, this version reads up to {SCHEMA}: use a newer rtgauge")
    changed = None if _is_sealed(raw, content.get("digest")) else "manifest.json was changed after it was written"
    return content, changed


def _is_sealed(raw: bytes, digest: object) -> bool:
    """Whether these are the bytes that `seal` made: all but the digest itself are in the digest."""
    told = f'"digest": "{digest}"'.encode()
    before, found, after = raw.rpartition(told)
    return bool(found) and hashlib.sha256(before + b'"digest": ""' + after).hexdigest() == digest


def _check_shape(content: Mapping[str, Any]) -> None:
    """A run may come from anywhere: what is read without a further look must be of its kind."""
    for name, (kinds, inner) in _SHAPE.items():
        value = content.get(name)
        if value is None:
            continue
        parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
        if not isinstance(value, kinds) or not all(isinstance(part, inner) for part in parts):
            raise StoreError(f"manifest.json is damaged: {name} is not what it must be")
    for about in (content.get("files") or {}).values():
        if not isinstance(about.get("bytes", 0), int) or not isinstance(about.get("sha256", ""), str):
            raise StoreError("manifest.json is damaged: files is not what it must be")


def spec_from_json(content: object) -> RunSpec:
    """The RunSpec of a manifest. Raises StoreError when it is not one."""
    try:
        content = cast(dict[str, Any], content)
        jobs = tuple(Job(str(j["id"]), int(j["samples"]), _params(j["params"])) for j in content["jobs"])
        cache = content["cache"]
        if cache not in ("hot", "dirty"):
            raise ValueError(cache)
        cpus = content.get("cpus", "one")
        if cpus not in ("all", "one", "reserved"):
            raise ValueError(cpus)
        return RunSpec(
            jobs=jobs,
            level=int(content["level"]),
            cpu=int(content["cpu"]),
            memory=int(content["memory"]),
            time_ms=int(content["time_ms"]),
            cache=cache,
            environment={str(k): str(v) for k, v in content["environment"].items()},
            loads=tuple(str(name) for name in content.get("loads", ())),
            cpus=cpus,
            blame=bool(content.get("blame", False)),
            break_on_ns=int(content.get("break_on_ns", 0)),
            accumulate=bool(content.get("accumulate", False)),
            live=bool(content.get("live", False)),
            raw=int(content.get("raw", 0)),
            bins=int(content.get("bins", 0)),
            beyond=int(content.get("beyond", 0)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"the specification in manifest.json is damaged: {error!r}") from error


def requirements_from_json(manifest: Mapping[str, Any]) -> tuple[Requirement, ...]:
    """What a run was asked to keep: the deadline first. Raises StoreError when a requirement is none."""
    deadline = manifest.get("deadline_ns")
    first = (of_deadline(deadline),) if isinstance(deadline, int) else ()
    try:
        return (*first, *from_json(manifest.get("requirements") or []))
    except UsageError as error:
        raise StoreError(f"a requirement in manifest.json is damaged: {error}") from error


def descriptors_to_json(descriptors: Iterable[Descriptor]) -> list[dict[str, Any]]:
    return [asdict(descriptor) for descriptor in descriptors]


def descriptors_from_json(content: object) -> tuple[Descriptor, ...]:
    """The descriptors of a manifest. Raises StoreError when they are none."""
    try:
        return tuple(_descriptor(one) for one in cast(list[Any], content or []))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"the descriptors in manifest.json are damaged: {error!r}") from error


def _descriptor(one: dict[str, Any]) -> Descriptor:
    quick, standard, full = one["samples"]
    changed = {
        "needs": tuple(one["needs"]),
        "samples": (quick, standard, full),
        "params": tuple(ParamInfo(**info) for info in one["params"]),
        "series": tuple(SeriesInfo(**{**info, "analyse": tuple(info["analyse"])}) for info in one["series"]),
    }
    return Descriptor(**{**one, **changed})


def deaths_from_json(content: object) -> list[tuple[str, dict[str, Param], str]]:
    """Id, parameters and reason of each test in which the engine died. Raises StoreError when it is no such list."""
    try:
        return [(str(d["id"]), _params(d["params"]), str(d["reason"])) for d in cast(list[Any], content or [])]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"the list of deaths in manifest.json is damaged: {error!r}") from error


def loads_from_json(content: object) -> tuple[LoadReport, ...]:
    """What loads did that are programs of this machine. Raises StoreError when it is no such list."""
    try:
        return tuple(
            LoadReport(
                name=str(one["name"]),
                implementation=str(one["implementation"]),
                version=str(one["version"]),
                args=str(one["args"]),
                unit=str(one["unit"]),
                wanted=int(one["wanted"]),
                achieved=int(one["achieved"]),
                exposure_ns=int(one["exposure_ns"]),
                reached=bool(one["reached"]),
                note=None if one.get("note") is None else str(one["note"]),
            )
            for one in cast(list[Any], content or [])
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"the list of loads in manifest.json is damaged: {error!r}") from error


def _params(content: Any) -> dict[str, Param]:
    return {str(name): value if isinstance(value, int) else str(value) for name, value in content.items()}


def _encode(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1) + "\n").encode()
