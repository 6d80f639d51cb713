"""What must hold of a store after a host or its engine was killed."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from rtgauge.errors import StoreError
from rtgauge.store.catalogue import list_runs
from rtgauge.store.folder import HASHED, MANIFEST, TRACE, holds_nothing
from rtgauge.store.readers import StoredRun, open_run
from rtgauge.store.verify import verify
from tests.support.kills import Hosts, strays
from tests.support.kills_trace import Ended, ended_tests, key_of

FILES = (*HASHED, MANIFEST, "report.html")
FIGURES = ("status", "unit", "n", "lost", "min", "avg", "max", "percentiles", "first")
DYING_S = 5.0
SAID = re.compile(r"^\[([0-9]+)/[0-9]+\] ", re.MULTILINE)

Results = Mapping[tuple[str, str], list[dict[str, Any]]]


def figures(content: Mapping[str, Any]) -> Results:
    """Of each job: what its results say, one entry for each part."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for result in content["results"]:
        named = {name: result.get(name) for name in FIGURES}
        found.setdefault(key_of(result["id"], result["params"]), []).append(named)
    return found


def folders(store: Path) -> set[Path]:
    return set((store / "runs").iterdir()) if (store / "runs").exists() else set()


def complaints(hosts: Hosts, before: set[Path], said: str, reference: Results | None) -> Iterator[str]:
    """Everything that is not as it must be, but for files that the next run clears away.

    `before`: the folders that were there; `said`: the host's output; `reference`: what the figures must be.
    """
    yield from (f"a process is left: {process}" for process in hosts.gone())
    if not hosts.lock_is_free():
        yield "the lock is still held"
    yield from (f"{file} is left in the folder for temporary files" for file in hosts.temporary.iterdir())
    yield from _of_engines()
    new = folders(hosts.store) - before
    if len(new) > 1:
        yield f"one run made {len(new)} folders"
    states = {}
    for folder in new:
        if holds_nothing(folder):  # the next run takes it away
            states[folder.name] = "incomplete"
            continue
        try:
            run = _when_dead(folder)
        except StoreError as error:
            yield f"the folder cannot be read: {error}"
            continue
        states[folder.name] = run.state
        yield from _of_run(run, said, reference)
    yield from _of_catalogue(hosts.store, states)


def _when_dead(folder: Path) -> StoredRun:
    """Who was being started when the host was killed has its lock, too, until it is another program or dead."""
    until = time.monotonic() + DYING_S
    while (run := open_run(folder)).state == "running" and time.monotonic() < until:
        time.sleep(0.05)
    return run


def _when_dead(folder: Path) -> StoredRun:
    """Who was being started when the host was killed has its lock, too, until it is another program or dead."""
    until = time.monotonic() + DYING_S
    while (run := open_run(folder)).state == "running" and time.monotonic() < until:
        time.sleep(0.05)
    return run


def _of_engines() -> Iterator[str]:
    """Names that only a living engine may have."""
    for path in Path("/dev/shm").glob("sem.rtgauge.*") if Path("/dev/shm").exists() else ():
        if not Path("/proc", path.name.split(".")[2]).exists():
            yield f"{path} is left"


def _of_run(run: StoredRun, said: str, reference: Results | None) -> Iterator[str]:
    if run.state in ("complete", "interrupted", "broken"):
        yield from (f"{run.state}, but {mismatch}" for mismatch in verify(run.path).mismatches)
    elif run.state != "incomplete":
        yield f"a run whose host is dead says {run.state}"
    if run.state == "complete" and run.problems:
        yield f"complete, but {run.problems}"
    try:
        ended = ended_tests((run.path / TRACE).read_bytes())
    except FileNotFoundError:
        ended = []
    yield from _announced(run, ended, said)
    yield from _kept(run, ended, reference)
    if not run.manifest.get("deaths"):
        yield from _raw(run, ended)


def _announced(run: StoredRun, ended: list[Ended], said: str) -> Iterator[str]:
    """A test whose end the user was told of is in the trace."""
    jobs = run.manifest["spec"]["jobs"]
    there = {test.key for test in ended}
    for number in SAID.findall(said):
        job = jobs[int(number) - 1]
        if key_of(job["id"], job["params"]) not in there:
            yield f"{job['id']} was announced and is not in the trace"


def _kept(run: StoredRun, ended: list[Ended], reference: Results | None) -> Iterator[str]:
    """Each test that the trace has whole has its figures, and no other has any."""
    found = figures(run.results)
    whole = {test.key: test for test in ended}
    for key, results in found.items():
        good = [one for one in results if one["status"] in ("ok", "pass")]
        test = whole.get(key)
        if test is None or test.stopped:
            if good and test is None:
                yield f"{key} did not end and is {good[0]['status']}"
        elif reference and results != reference[key]:
            yield f"{key} is {results}, not {reference[key]}"
        elif test.outcome == "done" and not good and results[0]["status"] not in ("fail", "invalid", "inconclusive"):
            yield f"{key} ended as {test.outcome} and is {results[0]['status']}"
    yield from (f"{key} ended and has no result" for key in whole.keys() - found.keys())


def _raw(run: StoredRun, ended: list[Ended]) -> Iterator[str]:
    """Every sample of a whole test is what the engine sent."""
    if not ended:
        return
    read = {key_of(t.descriptor.id, dict(t.params)): t for t in run.load_trace().tests if t.outcome}
    for test in ended:
        for index, series in enumerate(read[test.key].series):
            start, stop = test.start.get(index, []), test.stop.get(index, [])
            stops = series.ticks if series.info.source == "value" else series.ticks + series.start.astype("int64")
            if series.start.tolist() != start or stops.astype("uint64").tolist() != stop:
                yield f"{test.key} has other samples than its trace"


def _of_catalogue(store: Path, states: Mapping[str, str]) -> Iterator[str]:
    """The file is sound, also before anybody mends it; the list is that of the folders."""
    file = store / "catalogue.sqlite"
    if file.exists():
        with closing(sqlite3.connect(file)) as database:
            answer = database.execute("PRAGMA integrity_check").fetchall()
        if answer != [("ok",)]:
            yield f"the catalogue is not sound: {answer}"
    listed = {row["run"]: row for row in list_runs(store)}
    if set(listed) != {folder.name for folder in folders(store)}:
        yield "the catalogue does not list the runs that are there"
    for run, state in states.items():
        if listed[run]["state"] != state:
            yield f"the catalogue says {listed[run]['state']}, the folder {state}"


def after_the_next_run(hosts: Hosts, *words: str) -> list[str]:
    """The next run works at once, and then nothing of the killed ones is left that is not theirs."""
    before = folders(hosts.store)
    code, said = hosts.run(*words)
    if code != 0:
        return [f"the next run ended with {code}: {said}"]
    (folder,) = folders(hosts.store) - before
    found = [*verify(folder).mismatches, *open_run(folder).problems]
    found += [f"{stray} is left" for stray in strays(hosts.store, FILES)]
    return found + list(complaints(hosts, before, said, None))
