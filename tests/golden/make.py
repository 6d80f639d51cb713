"""Makes the stored runs of tests/golden/runs anew, for the schema that this version writes:

    python -m tests.golden.make

A run once stored here is never changed: it stands for those that users have kept. When `manifest.SCHEMA` is raised, the
folders of the former schema stay, and this adds those of the new one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rtgauge.plan import Plan, Wish
from rtgauge.session import Request, run
from rtgauge.session import _plan as session_plan
from rtgauge.store.folder import RunFolder
from rtgauge.store.manifest import SCHEMA, seal, unseal

RUNS = Path(__file__).parent / "runs"
TRACE = Path(__file__).parent / "trace.cbor"
"""One small trace of the engine on the fake system, in the format that it writes today."""
TESTS = ("THR-P-SLS", "SEM-B-LCK", "SEM-B-REL")
NEUTRAL = {"user": "user", "host": "example", "command": ["rtgauge", "run", "fake"]}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        complete = _measured(scratch, TESTS, tag="a note", deadline_ns=500)
        _keep(complete, "complete")
        TRACE.write_bytes((_measured(scratch, ("THR-P-SLS", "SEM-B-LCK"), samples=20) / "trace.cbor").read_bytes())
        _keep(_killed(scratch, complete), "killed")
        os.environ["RTGAUGE_FAULT"] = "dies:2"
        _keep(_measured(scratch, TESTS), "died")


def _measured(scratch: Path, tests: tuple[str, ...], samples: int = 60, **more: Any) -> Path:
    """A run of few samples, also of the calibration, which else takes as many as it needs."""

    def plan(*anything: Any) -> Plan:
        made = session_plan(*anything)
        jobs = tuple(replace(job, samples=min(job.samples, samples)) for job in made.spec.jobs)
        return replace(made, spec=replace(made.spec, jobs=jobs))

    wish = Wish(tests=tests, params=(("threads", "2"),))
    with patch("rtgauge.session._plan", plan):
        return run(Request("fake", wish, scratch / "store", **more)).path


def _killed(scratch: Path, complete: Path) -> Path:
    """As the host leaves it when it is killed in the middle of a frame."""
    about, _ = unseal((complete / "manifest.json").read_bytes())
    ours = ("schema", "run", "state", "created", "finished", "target", "files", "digest")
    folder = RunFolder(scratch / "store", "fake", {k: v for k, v in about.items() if k not in ours})
    trace = (complete / "trace.cbor").read_bytes()
    folder.write_trace(trace[: len(trace) * 2 // 3])
    folder.log("begun")
    folder.abandon()
    return folder.path


def _keep(path: Path, what: str) -> None:
    """A copy that names no machine."""
    kept = RUNS / f"schema-{SCHEMA}-{what}"
    shutil.copytree(path, kept)
    manifest: dict[str, Any] = unseal((kept / "manifest.json").read_bytes())[0]
    manifest |= NEUTRAL
    manifest["versions"]["host_os"] = "Linux"
    manifest["engine"]["path"] = "rtgauge-engine-fake"
    (kept / "manifest.json").chmod(0o644)
    (kept / "manifest.json").write_bytes(seal(manifest))


if __name__ == "__main__":
    main()
