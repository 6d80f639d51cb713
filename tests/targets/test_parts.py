"""Which image runs which job."""

from __future__ import annotations

import pytest

from rtgauge.errors import UsageError
from rtgauge.model import Descriptor, Job, RunSpec
from rtgauge.targets._parts import Room, image_for, parts_of
from rtgauge.trace.writer import encode_request

LARGE = Room(100, 1 << 20)


def descriptor(name: str, *needs: str) -> Descriptor:
    return Descriptor(name, "t", "q?", needs, (1, 1, 1), 1, 1, (), ())


TESTS = {one.id: one for one in (descriptor("THR-B-RR", "realtime", "slicing"), descriptor("TMR-P-CYC", "realtime"))}


def size(spec: RunSpec) -> int:
    return len(encode_request(spec))


def test_what_needs_time_slicing_is_run_where_it_is() -> None:
    assert image_for(Job("THR-B-RR", 1), TESTS["THR-B-RR"]) == "rr"
    assert image_for(Job("TMR-P-CYC", 1, {"policy": "rr"}), TESTS["TMR-P-CYC"]) == "rr"
    assert image_for(Job("TMR-P-CYC", 1, {"policy": "fifo"}), TESTS["TMR-P-CYC"]) == "fifo"
    assert image_for(Job("UNKNOWN", 1), None) == "fifo"


def test_each_image_has_its_jobs_in_their_order_with_their_limits() -> None:
    jobs = tuple(Job("TMR-P-CYC", n, {"policy": policy}) for n, policy in enumerate(("rr", "fifo", "rr", "fifo"), 1))
    parts = parts_of(RunSpec(jobs=jobs, level=5), (1.0, 2.0, 3.0, 4.0), TESTS, LARGE, size)
    found = [(part.image, [job.samples for job in part.spec.jobs], part.limits) for part in parts]
    assert found == [("fifo", [2, 4], (2.0, 4.0)), ("rr", [1, 3], (1.0, 3.0))]
    assert {part.spec.level for part in parts} == {5}


@pytest.mark.parametrize("room", [Room(3, 1 << 20), Room(100, 700)])
def test_a_request_is_never_larger_than_an_image_takes(room: Room) -> None:
    jobs = tuple(Job("TMR-P-CYC", n, {"policy": "fifo", "interval": 1000 * n}) for n in range(1, 20))
    parts = parts_of(RunSpec(jobs=jobs), (1.0,) * len(jobs), TESTS, room, size)
    assert [job for part in parts for job in part.spec.jobs] == list(jobs)
    assert len(parts) > 2
    assert all(len(part.spec.jobs) <= room.jobs and size(part.spec) <= room.request for part in parts)


def test_a_job_that_never_has_room_is_named() -> None:
    with pytest.raises(UsageError, match="TMR-P-CYC takes more than the 100 bytes"):
        parts_of(RunSpec(jobs=(Job("TMR-P-CYC", 1),)), (1.0,), TESTS, Room(9, 100), size)
