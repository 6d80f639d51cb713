"""What can be measured. A kind of target is one module here that defines SUMMARY, EXAMPLE and
open_target(rest, store)."""

from __future__ import annotations

from pathlib import Path

from rtgauge.registry import pick, plugins
from rtgauge.store.places import store_root
from rtgauge.targets.base import Target


def open_target(address: str, store: Path | None = None) -> Target:
    """The target at `address` ("local", "replay:last"). UsageError names the legal kinds.

    `store` is where a kind that needs stored runs looks for them; by default the user's.
    """
    kind, _, rest = address.partition(":")
    target: Target = pick("target", kind, plugins(__name__, "open_target"))(rest, store or store_root(None))
    return target
