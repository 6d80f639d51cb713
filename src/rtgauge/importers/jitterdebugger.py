"""What jitterdebugger writes: count, extremes, mean and histogram of each CPU, in whole microseconds.

Samples beyond its histogram are counted and not told: the count less those in bins tells them.
"""

from __future__ import annotations

from typing import Any

from rtgauge.importers import _json
from rtgauge.importers._cyclictest import ROUNDED
from rtgauge.importers._foreign import VALUE_MOST, DamagedError, Foreign, Reader, Series, limited, parsed, whole

_CPU_MOST = 1 << 20
_US = 1000


def recognise(text: str) -> bool:
    return _json.looks_like(text, "cpu", "histogram", "count") and not _json.looks_like(text, "thread")


def read(text: str, unit: str | None) -> Foreign:
    if unit == "ns":
        raise DamagedError("its times are always in us")
    content = _json.load(text)
    cpus = _json.mapping(content.get("cpu"), "cpu")
    version = content.get("version")
    return Foreign(
        program="jitterdebugger",
        facts={
            **_json.system(content.get("sysinfo")),
            **({"file_version": whole(version, "version")} if version is not None else {}),
        },
        series=limited([_series(name, one) for name, one in cpus.items()]),
        notes=(ROUNDED, "CPUs are numbered as the file does: by thread where the program ran on some of them only"),
    )


def _series(name: str, content: Any) -> Series:
    cpu = parsed(name, "the name of a CPU", _CPU_MOST)
    of = _json.mapping(content, f"cpu {cpu}")
    most = VALUE_MOST // _US
    n = whole(of.get("count"), f"count of cpu {cpu}")
    return Series(
        id="TMR-P-CYC",
        title="wake-up from a sleep, by jitterdebugger",
        question="How late does a thread wake up from a relative sleep, counted from the moment before it?",
        params={"tool": "jitterdebugger", "cpu": cpu},
        n=n,
        least=whole(of.get("min"), f"min of cpu {cpu}", most) * _US,
        most=whole(of.get("max"), f"max of cpu {cpu}", most) * _US,
        mean=_json.real(of.get("avg"), f"avg of cpu {cpu}", most) * _US,
        step=_US,
        width=_US,
        bins=_json.histogram(of.get("histogram"), f"the histogram of cpu {cpu}", _US, VALUE_MOST),
    )


READER = Reader("JSON of jitterdebugger", recognise, read)
