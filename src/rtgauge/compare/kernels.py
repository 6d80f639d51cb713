"""In which options and words of their command lines the kernels of measured systems differ."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from rtgauge.compare.values import Column, Setting

NOT_SET = "not set"
COMMAND_LINE = ("virtual command line", "kernel command line")
_OURS = "rtgauge."  # words that tell the guest what it is
_FIRST = ("CONFIG_PREEMPT", "CONFIG_HZ", "CONFIG_NO_HZ", "CONFIG_RCU", "CONFIG_SCHED", "CONFIG_HIGH_RES", "CONFIG_CPU_")
"""What decides about latencies, before what mostly does not."""


def kernels(columns: Sequence[Column]) -> tuple[Setting, ...]:
    """The words first, then the options by what they are about. What is not known of a system is None."""
    measured = [column for column in columns if column.kind != "reference"]
    if len(measured) < 2:
        return ()
    told = (*_differing([_words(one) for one in columns]), *_by_subject(columns))
    return tuple(told)


def _by_subject(columns: Sequence[Column]) -> list[Setting]:
    def rank(one: Setting) -> tuple[int, str]:
        return next((i for i, begin in enumerate(_FIRST) if one.name.startswith(begin)), len(_FIRST)), one.name

    return sorted(_differing([one.options for one in columns]), key=rank)


def _differing(found: Sequence[Mapping[str, str] | None]) -> Iterator[Setting]:
    known = [one for one in found if one is not None]
    if len(known) < 2:
        return
    for name in sorted({name for one in known for name in one}):
        values = tuple(None if one is None else _value(one.get(name)) for one in found)
        if len({value for value in values if value is not None}) > 1:
            yield Setting(name, values)


def _value(text: str | None) -> str:
    return NOT_SET if text in (None, "n") else str(text)


def _words(column: Column) -> dict[str, str] | None:
    """Words by what stands before their equals sign; of several with one name the last counts, as kernels do it."""
    text = next((column.configuration[name] for name in COMMAND_LINE if name in column.configuration), None)
    if text is None:
        return None
    pairs = (word.partition("=") for word in _split(text) if not word.startswith(_OURS))
    return {name + equals: value if equals else "given" for name, equals, value in pairs}


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quotation that does not end
        return text.split()
