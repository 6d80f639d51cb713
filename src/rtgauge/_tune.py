"""--tune: what rtgauge changes on this machine when asked to, and only while the run lasts."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from rtgauge.errors import TargetError

LATENCY = Path("/dev/cpu_dma_latency")
ENVIRONMENT = {"tune": "cpu_dma_latency=0"}
"""How the results of a tuned run name what was done."""


@contextlib.contextmanager
def tuned(wanted: bool, device: Path = LATENCY) -> Iterator[None]:
    """Keeps every processor out of deep idle states during the block.

    The kernel takes the request back when the descriptor closes, thus also when this process is killed. Raises
    TargetError where it cannot be made: a run that says tuned is tuned.
    """
    if not wanted:
        yield
        return
    try:
        handle = os.open(device, os.O_WRONLY)
    except OSError as error:
        raise TargetError(f"--tune cannot open {device}: {error.strerror}") from error
    try:
        try:
            os.write(handle, (0).to_bytes(4, "little"))  # 0 in any byte order
        except OSError as error:
            raise TargetError(f"--tune cannot write to {device}: {error.strerror}") from error
        yield
    finally:
        os.close(handle)
