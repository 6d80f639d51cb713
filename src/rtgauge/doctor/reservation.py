"""What a run with a reserved CPU left behind when it was killed together with its guardian: put back here."""

from __future__ import annotations

import os
from pathlib import Path

from rtgauge._reserve import left_behind, recover
from rtgauge.audit import System
from rtgauge.doctor._need import Need
from rtgauge.errors import TargetError

_NAME = "reserved CPU"


def needs(system: System, store: Path) -> list[Need]:  # noqa: ARG001
    if not left_behind():
        return [Need(_NAME, "ok", "no run left tasks, interrupts or settings changed")]
    if os.geteuid():
        found = "a run has reserved a CPU, or was killed and left changes behind: only root can tell"
        return [Need(_NAME, "note", found, "sudo rtgauge doctor")]
    try:
        problems = recover()
    except TargetError as error:
        return [Need(_NAME, "note", f"a killed run left changes: {error}", "sudo rtgauge doctor")]
    if problems:
        return [Need(_NAME, "note", f"a killed run left changes: {'; '.join(problems)}", "restart this machine")]
    return [Need(_NAME, "ok", "what a killed run had changed was put back now")]
