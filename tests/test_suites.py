"""Suites choose tests with their parameters."""

from __future__ import annotations

import pytest

from rtgauge.errors import UsageError
from rtgauge.model import Descriptor, ParamInfo, SeriesInfo
from rtgauge.plan import Wish, make_plan
from rtgauge.suites import suite, suites


def test(id_: str, **params: str) -> Descriptor:
    infos = tuple(ParamInfo(name, "choice", values, values, "") for name, values in params.items())
    series = (SeriesInfo("", "ns", "a", "b", "c", "", "stamp", ()),)
    return Descriptor(id_, id_, "?", (), (10, 100, 1000), 1000, 1, infos, series)


test.__test__ = False  # type: ignore[attr-defined]


def descriptors(of: str) -> list[Descriptor]:
    """Just what the suite needs, each parameter with a value more."""
    found: dict[str, dict[str, str]] = {}
    for entry in suite(of).entries:
        for name, values in entry.params.items():
            known = found.setdefault(entry.test, {}).get(name, "more")
            found[entry.test][name] = " ".join(dict.fromkeys([*known.split(), *values]))
    return [test(id_, **params) for id_, params in found.items()] + [test("CAL-P-TRC"), test("THR-P-SLS")]


@pytest.mark.parametrize("name", suites())
def test_a_suite_runs_its_values_and_no_others(name: str) -> None:
    jobs = make_plan(descriptors(name), Wish(suite=name)).spec.jobs
    assert jobs[0].id == "CAL-P-TRC"
    assert {job.id for job in jobs[1:]} == {entry.test for entry in suite(name).entries}
    assert not any("more" in job.params.values() for job in jobs)


def test_the_six_benchmarks() -> None:
    found = suite("posix-2000").entries
    assert len({entry.benchmark for entry in found}) == 6
    jobs = make_plan(descriptors("posix-2000"), Wish(suite="posix-2000")).spec.jobs
    assert [job.params for job in jobs if job.id == "SIG-P-LAT"] == [{"peers": "thread"}, {"peers": "process"}]


def test_patterns_and_parameters_choose_within_a_suite() -> None:
    wish = Wish(suite="posix-2000", tests=("SIG-*",), params=(("peers", "thread"),))
    jobs = make_plan(descriptors("posix-2000"), wish).spec.jobs
    assert [(job.id, dict(job.params)) for job in jobs[1:]] == [("SIG-P-LAT", {"peers": "thread"})]


def test_what_a_target_lacks_is_named() -> None:
    with pytest.raises(UsageError, match="needs tests that this target does not have: CLK-P-GET, CPU-P-RSP"):
        make_plan([test("CAL-P-TRC")], Wish(suite="posix-2000"))
    with pytest.raises(UsageError, match="unknown suite 'posix': did you mean posix-2000"):
        suite("posix")
