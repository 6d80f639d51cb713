"""What can be measured. A kind of target is one module here that defines SUMMARY, EXAMPLE and open_target(rest)."""

from __future__ import annotations

from rtgauge.registry import pick, plugins
from rtgauge.targets.base import Target


def open_target(address: str) -> Target:
    """The target at `address` ("local", "replay:last"). UsageError names the legal kinds."""
    kind, _, rest = address.partition(":")
    target: Target = pick("target", kind, plugins(__name__, "open_target"))(rest)
    return target
