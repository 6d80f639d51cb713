"""A command of the command line within this process, and all that it wrote."""

from __future__ import annotations

import contextlib
import io

from rtgauge.cli import main


def shown(*arguments: str) -> str:
    """Standard output and error of `rtgauge ARGUMENTS`, whose exit code must be one of those documented."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(list(arguments))
    text = out.buffer.getvalue().decode("utf-8")
    assert code in (0, 1, 2, 3, 4), f"exit code {code}: {text}"
    assert "a defect of rtgauge" not in text, text
    return text
