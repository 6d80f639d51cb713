from __future__ import annotations

import os
from pathlib import Path

import pytest

from rtgauge._tune import tuned
from rtgauge.errors import TargetError


def test_the_request_is_held_by_an_open_descriptor_and_given_back(tmp_path: Path) -> None:
    device = tmp_path / "latency"
    device.write_bytes(b"")
    with tuned(True, device):
        assert device.read_bytes() == b"\0\0\0\0"
        assert [link for link in _links() if link == str(device)]
    assert not [link for link in _links() if link == str(device)]


def test_it_is_given_back_after_an_error(tmp_path: Path) -> None:
    device = tmp_path / "latency"
    device.write_bytes(b"")
    with pytest.raises(ZeroDivisionError), tuned(True, device):
        raise ZeroDivisionError
    assert not [link for link in _links() if link == str(device)]


def test_nothing_is_opened_unless_asked(tmp_path: Path) -> None:
    with tuned(False, tmp_path / "none"):
        pass


def test_a_system_that_cannot_is_not_called_tuned(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="--tune cannot open"), tuned(True, tmp_path / "none"):
        pytest.fail("the block must not run")


def test_a_device_that_refuses_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with pytest.raises(TargetError, match="--tune cannot write"), tuned(True, Path("/dev/full")):
        pytest.fail("the block must not run")


def _links() -> list[str]:
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc")
    found = []
    for entry in os.listdir("/proc/self/fd"):  # noqa: PTH208 - entries vanish while they are looked at
        try:
            found.append(os.readlink(f"/proc/self/fd/{entry}"))  # noqa: PTH115
        except OSError:
            continue
    return found
