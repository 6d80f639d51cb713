"""The benchmarks are scripts beside each other, not a package: their folder is put on the path."""

from __future__ import annotations

import sys
from pathlib import Path

BENCH = Path(__file__).parent.parent.parent / "bench"
DATA = Path(__file__).parent / "data"

sys.path.insert(0, str(BENCH))
