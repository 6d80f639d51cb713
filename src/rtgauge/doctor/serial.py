"""Boards on serial lines: which lines there are, and whether we may use them. Nothing is opened."""

from __future__ import annotations

import os
from pathlib import Path

from rtgauge.audit import System
from rtgauge.doctor._need import Need
from rtgauge.targets._line import group_of, joining, lines


def needs(_system: System, _store: Path) -> list[Need]:
    return [_line(path) for path in lines()] or [Need("serial lines", "note", "none here; a board may come later")]


def _line(path: str) -> Need:
    if os.access(path, os.R_OK | os.W_OK):
        return Need(path, "ok", "may be used")
    group = group_of(path)
    return Need(path, "note", "no permission", joining(group) if group else "")
