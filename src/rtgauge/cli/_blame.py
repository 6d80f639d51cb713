"""The blame of a result's worst samples, as lines of the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

AROUND_MOST = 40  # stretches that are shown before and after the sample that ended a run


def blame_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """Each sample's explanation, the phases of its wake-up, and who caused most in all; nothing without blame."""
    blame = result.get("blame") or {}
    samples = blame.get("samples") or ()
    for sample in samples:
        yield f"blame of sample {sample['index']} (CPU {sample['cpu']}): {sample['verdict']}"
        phases = _phases(sample)
        if phases:
            yield f"    {phases}"
        account = _account(sample)
        if account:
            yield f"    by the kernel's own account: {account}"
    for cause in blame.get("causes") or ():
        yield _cause(cause, len(samples))
    if blame.get("without"):
        yield f"no events were kept for {len(blame['without'])} of the worst samples"
    for sample in samples:
        if sample.get("broke"):
            yield from _around(sample)


def _phases(sample: Mapping[str, Any]) -> str:
    from rtgauge.units import format_ns

    return ", ".join(f"{phase['name']} {format_ns(phase['ns'])}" for phase in sample.get("phases") or ())


def _account(sample: Mapping[str, Any]) -> str:
    """What ended within the sample, as osnoise told it; it may have begun before."""
    from rtgauge.units import format_ns

    def words(one: Mapping[str, Any]) -> str:
        name = f"{format_ns(one['ns'])} {one['kind']} {one['name']}".rstrip()
        return f"{name} (begun before the sample)" if one["ns"] > sample["total"] else name

    return ", ".join(words(one) for one in sample.get("account") or ())


def _cause(cause: Mapping[str, Any], samples: int) -> str:
    from rtgauge.units import format_ns

    chief = f", the largest in {cause['chief']}" if cause["chief"] else ""
    figures = f"{format_ns(cause['total'])} in all, at most {format_ns(cause['largest'])}"
    return f"cause: {cause['what']}: {figures}, in {cause['samples']} of {samples}{chief}"


def _around(sample: Mapping[str, Any]) -> Iterator[str]:
    """What ran around the sample that ended the run; times count from its start stamp."""
    from rtgauge.units import format_ns

    pieces = sample.get("around") or ()
    first = next((i for i, piece in enumerate(pieces) if piece["to"] > 0), 0)
    last = next((i for i, piece in enumerate(pieces) if piece["from"] >= sample["total"]), len(pieces))
    low, high = max(0, first - AROUND_MOST), min(len(pieces), last + AROUND_MOST)
    yield f"around sample {sample['index']}, from its start stamp:"
    for i in range(low, high):
        piece = pieces[i]
        mark = "*" if first <= i < last else " "
        yield f"  {mark} {format_ns(piece['from']):>9}  {format_ns(piece['to'] - piece['from']):>9}  {piece['what']}"
