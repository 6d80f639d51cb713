"""What both forms of cyclictest's results have in common."""

from __future__ import annotations

ID = "TMR-P-CYC"
TITLE = "periodic wake-up, by cyclictest"
QUESTION = "How late does a periodic thread wake up after its due time? Activations that it skips are not told."
SCALES = {"us": 1000, "ns": 1}
NO_UNIT = "the file does not say its unit: us, the program's default, is taken (--unit ns where it ran with --nsecs)"
ROUNDED = "values are whole us, rounded down by the program"
