"""Systems side by side: stored runs, series of repeats, and the published figures."""

from rtgauge.compare.align import align
from rtgauge.compare.export import to_json
from rtgauge.compare.values import Column, Comparison, Figure, Key, Row

__all__ = ["Column", "Comparison", "Figure", "Key", "Row", "align", "to_json"]
