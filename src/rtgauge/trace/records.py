"""Records to the values of model.py. Each function raises FieldError when a record is not what the format allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rtgauge.model import (
    Check,
    ClockInfo,
    Descriptor,
    Evidence,
    LoadInfo,
    LoadReport,
    Param,
    ParamInfo,
    SeriesInfo,
)
from rtgauge.trace.fields import (
    UINT_MAX,
    FieldError,
    choice,
    entries,
    flag,
    mapping,
    name,
    number_or_text,
    test_id,
    text,
    text_or_none,
    uint,
)

SERIES_MAX = 6


def read_clock(record: dict[str, Any]) -> ClockInfo:
    width, direction = uint(record, "width", most=64), record.get("direction")
    rate_num, rate_den = uint(record, "rate_num"), uint(record, "rate_den")
    monotonic = record.get("monotonic")
    if not width or direction not in (1, -1) or isinstance(direction, bool):
        raise FieldError("width or direction is out of range")
    if not rate_num or not rate_den:
        raise FieldError("the rate is zero")
    if monotonic is not None and not isinstance(monotonic, bool):
        raise FieldError("monotonic is neither true, false nor null")
    rejected = tuple(
        (text(mapping(one, "rejected"), "name"), text(mapping(one, "rejected"), "why", ""))
        for one in entries(record, "rejected")
    )
    return ClockInfo(
        name=text(record, "name"),
        why=text(record, "why", ""),
        rejected=rejected,
        width=width,
        direction=direction,
        rate_num=rate_num,
        rate_den=rate_den,
        rate_ppb=uint(record, "rate_ppb", 0),
        resolution=uint(record, "resolution"),
        overhead=uint(record, "overhead"),
        monotonic=monotonic,
        cpu_offset=uint(record, "cpu_offset", 0),
        anchor_stamp=uint(record, "anchor_stamp", most=UINT_MAX),
        anchor_ns=uint(record, "anchor_ns"),
        os_resolution=uint(record, "os_resolution", 0),
        os_overhead=uint(record, "os_overhead", 0),
    )


def read_descriptor(value: Any) -> Descriptor:
    record = mapping(value, "descriptor")
    series = [mapping(one, "series") for one in entries(record, "series")]
    samples = entries(record, "samples")
    if len(series) > SERIES_MAX:
        raise FieldError(f"more than {SERIES_MAX} series")
    if len(samples) != 3:
        raise FieldError("samples is not an array of three")
    quick, standard, full = (uint({"samples": one}, "samples") for one in samples)
    return Descriptor(
        id=test_id(record),
        title=text(record, "title", ""),
        question=text(record, "question", ""),
        needs=tuple(name(one, "needs") for one in entries(record, "needs")),
        samples=(quick, standard, full),
        about_ns=uint(record, "about_ns", 0),
        about_ms=uint(record, "about_ms", 0),
        params=tuple(_read_param(mapping(one, "params")) for one in entries(record, "params")),
        series=tuple(_read_series(one) for one in series),
    )


def read_params(value: Any) -> dict[str, Param]:
    params = mapping({} if value is None else value, "params")
    return {name(key, "a parameter's name"): number_or_text(one, f"parameter {key}") for key, one in params.items()}


def read_check(record: dict[str, Any]) -> Check:
    role = choice(record, "role", ("property", "control", "report"))
    return Check(name(record.get("name"), "name"), role, flag(record, "holds"), text(record, "what", ""))


def read_unchecked(record: dict[str, Any]) -> tuple[str, str]:
    return name(record.get("name"), "name"), text(record, "why", "")


def read_evidence(record: dict[str, Any]) -> Evidence:
    value = number_or_text(record.get("value"), "value")
    return Evidence(name(record.get("name"), "name"), value, text(record, "unit", ""))


def read_load_info(record: dict[str, Any]) -> LoadInfo:
    return LoadInfo(
        name=name(record.get("name"), "name"),
        what=text(record, "what", ""),
        degree=text(record, "degree", ""),
        unit=name(record.get("unit"), "unit"),
        wanted=uint(record, "wanted"),
        every_cpu=flag(record, "every_cpu", False),
        other_cpus=flag(record, "other_cpus", False),
    )


def read_load(record: dict[str, Any]) -> LoadReport:
    return LoadReport(
        name=name(record.get("name"), "name"),
        implementation=text(record, "implementation", ""),
        version=text(record, "version", ""),
        args=text(record, "args", ""),
        unit=name(record.get("unit"), "unit"),
        wanted=uint(record, "wanted"),
        achieved=uint(record, "achieved"),
        exposure_ns=uint(record, "exposure_ns"),
        reached=flag(record, "reached"),
        note=text_or_none(record, "note"),
    )


def read_named(value: Any, what: str, problem: Callable[[str], None]) -> dict[str, str | int]:
    """A map of names to numbers or texts; entries that are not such are left out and reported."""
    kept: dict[str, str | int] = {}
    for key, one in mapping(value, what).items():
        try:
            kept[name(key, f"a name in {what}")] = number_or_text(one, f"an entry of {what}")
        except FieldError as error:
            problem(str(error))
    return kept


def differences(before: Mapping[str, str | int], after: Mapping[str, str | int]) -> dict[str, int]:
    """after - before for every counter that both have."""
    made = {}
    for key, last in after.items():
        first = before.get(key)
        if isinstance(first, int) and isinstance(last, int):
            made[key] = last - first
    return made


def _read_param(record: dict[str, Any]) -> ParamInfo:
    return ParamInfo(
        name=name(record.get("name"), "a parameter's name"),
        kind=choice(record, "kind", ("choice", "number", "duration")),
        sweep=text(record, "sweep", ""),
        legal=text(record, "legal", ""),
        what=text(record, "what", ""),
    )


def _read_series(record: dict[str, Any]) -> SeriesInfo:
    title = record.get("name", "")
    return SeriesInfo(
        name="" if title == "" else name(title, "a series' name"),
        unit=text(record, "unit"),
        start=text(record, "start", ""),
        stop=text(record, "stop", ""),
        thread=text(record, "thread", ""),
        aux=text(record, "aux", ""),
        source=choice(record, "source", ("stamp", "os", "value", "host")),
        analyse=tuple(text(record, "analyse", "").split()),
    )
