"""The engine as a library in a firmware that has its own main, kernel and FreeRTOSConfig.h."""

from __future__ import annotations

from pathlib import Path

from rtgauge.model import Job
from tests.lab.freertos.images import ROOT, built, held, kernel_for, measured, run

BOARD = "mps2-an385"
EXAMPLE = ROOT / "engine" / "examples" / "freertos-firmware"
JOBS = (Job("CAL-P-TRC", 50), Job("SEM-B-REL", 1, {"kind": "binary", "name": "unnamed"}), Job("THR-B-RR", 15))


def test_the_engine_runs_in_a_task_of_the_firmware(tmp_path: Path) -> None:
    program = built(tmp_path / "build", EXAMPLE, BOARD, "firmware", f"KERNEL={kernel_for(BOARD)}") / "firmware"
    trace = measured(tmp_path, BOARD, program, *JOBS)
    assert trace.problems == ()
    assert trace.facts["freertos.configTICK_RATE_HZ"] == 500  # its own, not that of our images
    assert trace.facts["levels"] == 9
    calibration, order, round_robin = trace.tests
    assert len(calibration.series[0].start) == 50
    assert held(order)["priority"]
    assert held(order)["equal-first-come"]
    assert (round_robin.outcome, calibration.outcome) == ("not-supported", "done")
    assert "the light has blinked" in run(tmp_path, BOARD, program, b"").console
