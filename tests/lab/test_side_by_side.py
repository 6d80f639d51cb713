"""Guests side by side have the traces that they have alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import TargetError
from rtgauge.lab.address import parse
from rtgauge.lab.kernels import kernel_of
from rtgauge.lab.storage import Storage, cache_root


@pytest.mark.slow
def test_two_guests_at_once_have_the_traces_of_one_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    address = parse("linux-rt")
    if not shutil.which(address.board.program):
        pytest.skip(f"no emulator here: apt-get install {address.board.package}")
    try:
        kernel_of(Storage(cache_root()), address, lambda _text: None)
    except TargetError as error:
        pytest.skip(f"no kernel: {error}")
    tests = ("--tests", "TMR-P-CYC", "--tests", "THR-B-NEW", "--samples", "50", "--load", "cpu")
    for name, words in (("alone", ()), ("beside", ("--repeat", "2", "--jobs", "2"))):
        assert main(["run", "lab:linux-rt", *tests, *words, "--store", str(tmp_path / name)]) == 0
    every = [*tmp_path.glob("*/runs/*")]
    told = [json.loads((path / "manifest.json").read_bytes()) for path in every]
    assert len(every) == 3
    assert len({one["virtual"]["configuration"] for one in told}) == 1
    assert len({(path / "trace.cbor").read_bytes() for path in every}) == 1
    beside = sorted((one["created"], one["finished"]) for one in told if one["series"])
    assert beside[1][0] < beside[0][1]  # they were under way at the same time
    assert {line.partition(": [")[0] for line in capfd.readouterr().err.splitlines() if "run " in line} == {
        "run 1 of 2",
        "run 2 of 2",
    }
