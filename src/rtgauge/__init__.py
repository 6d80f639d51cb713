"""rtgauge measures whether an operating system keeps its deadlines, and shows the proof."""

__version__ = "0.1.0"
