from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge._room import _free, check_room
from rtgauge.errors import UsageError
from rtgauge.plan import Plan, Wish, make_plan
from tests.test_plan import ALL

PLENTY = 1 << 50


def plan(samples: int) -> Plan:
    return make_plan(ALL, Wish(tests=("THR-*",), samples=samples), available=1 << 30)


def test_a_run_that_cannot_be_kept_is_refused_before_it_begins(tmp_path: Path) -> None:
    check_room(plan(100_000_000), tmp_path, memory=PLENTY, disk=PLENTY)
    with pytest.raises(UsageError, match="on the disk of the store, 64 MB are free: take fewer samples"):
        check_room(plan(100_000_000), tmp_path, memory=PLENTY, disk=1 << 26)
    with pytest.raises(UsageError, match="of memory to be judged, 64 MB are free"):
        check_room(plan(100_000_000), tmp_path, memory=1 << 26, disk=PLENTY)


def test_a_small_run_is_never_refused(tmp_path: Path) -> None:
    check_room(plan(1000), tmp_path, memory=0, disk=0)


def test_the_disk_is_that_of_the_nearest_folder_there_is(tmp_path: Path) -> None:
    assert 0 < _free(tmp_path / "not" / "yet") < 1 << 60
