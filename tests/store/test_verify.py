from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rtgauge.errors import StoreError
from rtgauge.plan import Wish
from rtgauge.session import Request, run
from rtgauge.store.folder import RunFolder
from rtgauge.store.manifest import seal, unseal
from rtgauge.store.readers import open_run
from rtgauge.store.verify import verify
from tests.targets.engines import make_engine

FILES = ("manifest.json", "trace.cbor", "results.json", "samples.parquet", "log.txt")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify")
    engine = make_engine(folder / "engine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rtgauge.targets._lock.NAME", "\0rtgauge-test-verify")
        patch.setenv("RTGAUGE_ENGINE", str(engine))
        wish = Wish(tests=("CAL-*", "THR-*", "SEM-*"), params=(("threads", "2"),), profile="quick", samples=200)
        return run(Request("local", wish, folder / "store")).path


@pytest.fixture
def path(original: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    copy = tmp_path / original.name
    shutil.copytree(original, copy)
    for file in copy.iterdir():
        file.chmod(0o644)
    return copy


def edit(path: Path, **changes: Any) -> None:
    """Changes the manifest as a program would that knows how to seal it."""
    content, _ = unseal((path / "manifest.json").read_bytes())
    (path / "manifest.json").write_bytes(seal({**content, **changes}))


def test_an_untouched_run_is_equal(path: Path) -> None:
    found = verify(path)
    assert found.mismatches == ()
    assert (found.results, found.samples, found.files) == (4, 1200, 4)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("where", [0.0, 0.13, 0.29, 0.5, 0.71, 0.93, 1.0])
def test_a_changed_byte_is_found_wherever_it_is(path: Path, name: str, where: float) -> None:
    data = bytearray((path / name).read_bytes())
    data[round(where * (len(data) - 1))] ^= 0x04
    (path / name).write_bytes(data)
    assert any(name in mismatch for mismatch in _mismatches(path))


@pytest.mark.parametrize("name", FILES[1:])
def test_a_missing_file_is_named(path: Path, name: str) -> None:
    (path / name).unlink()
    if name == "trace.cbor":
        with pytest.raises(StoreError, match=r"trace\.cbor"):
            verify(path)
    else:
        assert f"{name}: it is missing" in verify(path).mismatches


def test_a_number_that_was_changed_with_its_hashes_is_named(path: Path) -> None:
    """Somebody who knows the format can make the hashes fit; then the figures do not follow from the trace."""
    content = json.loads((path / "results.json").read_text())
    content["results"][1]["max"] += 0.001
    content["results"][1]["extra"] = 1
    del content["results"][1]["lost"]
    (path / "results.json").write_text(json.dumps(content))
    edit(path, files=_hashes(path))
    mismatches = verify(path).mismatches
    assert any("results.json: results[THR-P-SLS threads=2].max is " in line for line in mismatches)
    assert "results.json: results[THR-P-SLS threads=2].lost is missing" in mismatches
    assert any("extra is there, but does not follow" in line for line in mismatches)
    assert len(mismatches) == 3


def test_samples_that_were_changed_with_their_hash_are_named(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = path / "samples.parquet"
    table = pq.read_table(file)
    values = table.column("value").to_numpy().copy()
    values[5] += 1e-9
    with pq.ParquetWriter(file, table.schema) as writer:
        first = 0
        for size in (1000, 200):
            changed = table.set_column(table.schema.get_field_index("value"), "value", pa.array(values))
            writer.write_table(changed.cast(table.schema).slice(first, size))
            first += size
    edit(path, files=_hashes(path))
    assert verify(path).mismatches == ("samples.parquet: column value of result 0 differs from the trace",)


def test_a_requirement_that_was_changed_afterwards_is_found(path: Path) -> None:
    edit(path, deadline_ns=1)
    assert any("results.json: verdict" in line for line in verify(path).mismatches)


def test_the_folder_of_another_run_is_found(path: Path) -> None:
    moved = path.rename(path.with_name("20200101-000000-local-000000"))
    assert verify(moved).mismatches[0].startswith("manifest.json: it is that of run")


def test_a_manifest_without_hashes_is_found(path: Path) -> None:
    edit(path, files=None)
    assert "manifest.json: it lists no files" in verify(path).mismatches
    edit(path, files={"trace.cbor": {}})
    assert any(line.startswith("trace.cbor: its hash cannot be checked") for line in verify(path).mismatches)
    assert "results.json: the manifest has no hash of it" in verify(path).mismatches


@pytest.mark.parametrize("change", [{"spec": None}, {"deaths": [1]}, {"descriptors": [{}]}, {"schema": 99}])
def test_a_manifest_that_makes_no_sense_is_unreadable(path: Path, change: dict[str, Any]) -> None:
    edit(path, **change)
    with pytest.raises(StoreError):
        verify(path)


def test_a_run_that_is_not_finished_cannot_be_verified(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "local", {})
    with pytest.raises(StoreError, match="is running"):
        verify(folder.path)
    folder.abandon()
    with pytest.raises(StoreError, match="is incomplete"):
        verify(folder.path)


# ---- damaged runs can be opened ----


def test_a_damaged_results_file_is_computed_again(path: Path) -> None:
    wanted = open_run(path).results
    for content in (b"", b"{", b"[]", b'{"results": 3}', b"\xff" * 9, b"[" * 100_000):
        (path / "results.json").write_bytes(content)
        run_ = open_run(path)
        assert run_.results == wanted
        assert run_.problems == ("results.json is damaged; its figures were computed again from the trace",)
        assert not run_.complete


def test_results_that_were_changed_are_not_shown(path: Path) -> None:
    wanted = open_run(path).results
    text = (path / "results.json").read_text()
    (path / "results.json").write_text(text.replace('"id"', '"ie"', 1))
    run_ = open_run(path)
    assert run_.results == wanted
    assert run_.problems[0].startswith("results.json was changed after it was written")


def test_a_cut_trace_is_told_by_its_size(path: Path) -> None:
    data = (path / "trace.cbor").read_bytes()
    (path / "trace.cbor").write_bytes(data[: len(data) // 2])
    assert open_run(path).problems == (f"trace.cbor has {len(data) // 2} bytes, {len(data)} were written",)


def test_a_run_that_lost_everything_but_its_manifest_can_be_opened(path: Path) -> None:
    for name in FILES[1:]:
        (path / name).unlink()
    run_ = open_run(path)
    assert run_.results["results"] == []
    assert "trace.cbor is missing" in run_.problems


def test_results_of_a_newer_schema_are_a_clear_error(path: Path) -> None:
    (path / "results.json").write_text('{"schema": 2, "results": []}')
    with pytest.raises(StoreError, match="schema 2"):
        open_run(path)


@pytest.mark.parametrize("schema", [0, None, "1", [], 99, True])
def test_a_manifest_of_no_known_schema_is_a_clear_error(path: Path, schema: object) -> None:
    edit(path, schema=schema)
    with pytest.raises(StoreError, match="schema"):
        open_run(path)


def _mismatches(path: Path) -> tuple[str, ...]:
    try:
        return verify(path).mismatches
    except StoreError as error:  # a manifest that is none any more
        return (str(error).removeprefix(f"{path}: "),)


def _hashes(path: Path) -> dict[str, Any]:
    from rtgauge.store.files import sha256

    return {n: {"sha256": sha256(path / n), "bytes": (path / n).stat().st_size} for n in FILES[1:]}
