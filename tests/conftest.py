"""What all tests share. `tests` is a package, so that `from tests.support.traces import ...` works everywhere."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

import rtgauge

ENGINES = Path(rtgauge.__file__).parent / "_engine"

# How long an example takes says more about the machine than about the code.
settings.register_profile("rtgauge", deadline=None)
settings.load_profile("rtgauge")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="a skipped test is a failure: what it needs is installed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of a database server run where one is named; SQLite has the same tests everywhere."""
    if "RTGAUGE_TEST_POSTGRESQL" in os.environ:
        return
    left_out = [item for item in items if item.get_closest_marker("postgresql")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and item.config.getoption("--no-skips") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and nothing may be skipped here: {report.longrepr}"
    return report


def engine(name: str) -> Path:
    program = ENGINES / name
    if not program.exists():
        pytest.skip(f"{name} is not in the installed package: run `make install`")
    return program


@pytest.fixture(scope="session")
def engine_fake() -> Path:
    """The engine on the simulated OS: no privilege, no real time."""
    return engine("rtgauge-engine-fake")


@pytest.fixture(scope="session")
def engine_local() -> Path:
    return engine("rtgauge-engine")


@pytest.fixture(scope="session")
def engine_static() -> Path:
    return engine("rtgauge-engine-static")
