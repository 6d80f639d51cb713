"""Pass or fail against a base: runs, or a baseline kept as text in a repository (`rtgauge gate`)."""

from rtgauge.gate.judge import judge
from rtgauge.gate.values import Outcome, Side

__all__ = ["Outcome", "Side", "judge"]
