"""One thing that a target needs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Need:
    name: str
    status: Literal["ok", "missing", "note"]  # note: works without, but the result knows or proves less
    found: str  # with the value
    fix: str = ""  # one line; for real-time permission the steps follow apart

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
