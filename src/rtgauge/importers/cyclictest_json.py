"""What `cyclictest --json=FILE` writes: extremes and mean of each thread, and its histogram where it ran with -h.

It leaves out how many samples lie beyond the histogram: the number of cycles less those in bins tells it.
"""

from __future__ import annotations

import re
from typing import Any

from rtgauge.importers import _json
from rtgauge.importers._cyclictest import ID, NO_UNIT, QUESTION, ROUNDED, SCALES, TITLE
from rtgauge.importers._foreign import VALUE_MOST, DamagedError, Foreign, Reader, Series, limited, parsed, whole
from rtgauge.model import Param
from rtgauge.trace.fields import clean

_NSECS = re.compile(r"(?:^|\s)(?:--nsecs|-[A-Za-z]*N[A-Za-z]*)(?=\s|$)")
_CPU_MOST = 1 << 20


def recognise(text: str) -> bool:
    return _json.looks_like(text, "thread", "num_threads")


def read(text: str, unit: str | None) -> Foreign:
    content = _json.load(text)
    command = content.get("cmdline")
    scale, notes = SCALES[unit or "us"], []
    if isinstance(command, str):
        told = "ns" if _NSECS.search(command) else "us"
        if unit is not None and unit != told:
            raise DamagedError(f"its command line says {told}, not {unit}")
        scale = SCALES[told]
    elif unit is None:
        notes.append(NO_UNIT)
    if scale > 1:
        notes.append(ROUNDED)
    threads = _json.mapping(content.get("thread"), "thread")
    if content.get("num_threads") is not None and whole(content["num_threads"], "num_threads") != len(threads):
        raise DamagedError(f"it announces {content['num_threads']} threads and holds {len(threads)}")
    evidence = _json.words(content, "cmdline", "start_time", "end_time", "return_code")
    series = [_series(name, one, scale) for name, one in threads.items()]
    version = content.get("rt_test_version")
    return Foreign(
        program="cyclictest",
        version=clean(version, most=_json.TEXT_MOST) if isinstance(version, str) else "",
        facts={**_json.system(content.get("sysinfo")), **{line.name: line.value for line in evidence}},
        series=limited(series),
        notes=tuple(notes),
    )


def _series(name: str, content: Any, scale: int) -> Series:
    thread = _json.mapping(content, f"thread {name[:20]!a}")
    number = parsed(name, "the name of a thread", _CPU_MOST)
    params: dict[str, Param] = {"tool": "cyclictest", "thread": number}
    if thread.get("cpu") is not None:
        params["cpu"] = whole(thread["cpu"], f"cpu of thread {number}", _CPU_MOST)
    most = VALUE_MOST // scale
    return Series(
        id=ID,
        title=TITLE,
        question=QUESTION,
        params=params,
        n=whole(thread.get("cycles"), f"cycles of thread {number}"),
        least=whole(thread.get("min"), f"min of thread {number}", most) * scale,
        most=whole(thread.get("max"), f"max of thread {number}", most) * scale,
        mean=_json.real(thread.get("avg"), f"avg of thread {number}", most) * scale,
        step=scale,
        width=scale,
        bins=_json.histogram(thread.get("histogram", {}), f"the histogram of thread {number}", scale, VALUE_MOST),
    )


READER = Reader("JSON of cyclictest --json", recognise, read)
