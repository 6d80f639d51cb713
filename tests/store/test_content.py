"""JSON of a run folder: nothing in it is trusted."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from rtgauge import __version__
from rtgauge.errors import StoreError
from rtgauge.store.content import checked, load_json
from rtgauge.store.manifest import seal, unseal
from rtgauge.store.readers import open_run
from tests.fuzz import seeds
from tests.fuzz.folder import fingerprints, stored, whole_files
from tests.fuzz.terminal import shown


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "1" + "0" * 400, "[1, {'a': 1}]", "{", ""])
def test_what_nobody_writes(text: str) -> None:
    with pytest.raises(ValueError):
        load_json(f'{{"a": [1, {text}]}}'.encode() if text else b"")


@pytest.mark.parametrize("depth", [66, 900, 100_000])
def test_what_is_nested_too_deeply(depth: int) -> None:
    with pytest.raises(ValueError, match="too deeply"):
        load_json(b"[" * depth + b"]" * depth)


def test_texts_and_names_lose_their_controls_and_nothing_else() -> None:
    whole = {"name": ["µs · 10 °C", 1, 2.5, None, True, -(2**63)], "": {"x" * 9000: "x" * 9000}}
    assert checked(whole) == whole
    assert checked({"\x1b[1m": "\x9b\u202e\u2066\u2028\u061c"}) == {"\ufffd[1m": "\ufffd" * 5}


def run_with(results: dict[str, Any]) -> dict[str, bytes]:
    """The files of a run whose results.json is this, and whose hashes are those of what is there."""
    files = {name: data for name, data in whole_files().items() if name != "manifest.json"}
    files["results.json"] = json.dumps(results).encode()
    return {**files, "manifest.json": seal({**seeds.manifest(), "files": fingerprints(files)})}


def whole_results() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(whole_files()["results.json"])
    return content


def test_whole_results_are_taken_as_they_are() -> None:
    with stored(run_with(whole_results())) as path:
        assert open_run(path).results == whole_results()
        assert open_run(path).problems == ()


@pytest.mark.parametrize(
    "change",
    [
        {"results": [1]},
        {"results": [{"id": 3}]},
        {"results": [{**whole_results()["results"][1], "max": "large"}]},
        {"results": [{**whole_results()["results"][1], "worst": [None]}]},
        {"verdict": 7},
        {"system": None},
        {"problems": [[]]},
        {"schema": 0},
        {"schema": "1"},
        {"more": 1},
    ],
    ids=str,
)
def test_results_of_the_right_hash_and_the_wrong_shape_are_refused_in_one_line(change: dict[str, Any]) -> None:
    with stored(run_with({**whole_results(), **change})) as path:
        with pytest.raises(StoreError, match=r"results\.json is not what its schema says: "):
            open_run(path)
        for command in ("show", "report"):
            lines = shown(command, str(path)).splitlines()
            assert len(lines) == 1
            assert "defect" not in lines[0]


def test_a_wrong_shape_that_nobody_signed_is_damage_and_computed_again() -> None:
    files = run_with({**whole_results(), "verdict": 7})
    about = {**seeds.manifest(), "state": "running", "files": None}
    with stored({**files, "manifest.json": seal(about)}) as path:
        run = open_run(path)
        assert run.results["verdict"] == whole_results()["verdict"]
        assert any("results.json is damaged" in problem for problem in run.problems)
    files["results.json"] += b" "
    assert hashlib.sha256(files["results.json"]).hexdigest() not in files["manifest.json"].decode()
    with stored(files) as path:
        assert any("was changed after it was written" in problem for problem in open_run(path).problems)


@pytest.mark.parametrize("entry", [{"deadline_ns": 10**400}, {"spec": {"jobs": [], "level": float("inf")}}])
def test_a_manifest_with_numbers_out_of_all_proportion_is_refused(entry: dict[str, Any]) -> None:
    with stored({**whole_files(), "manifest.json": seal({**seeds.manifest(), **entry})}) as path:
        with pytest.raises(StoreError, match="out of range"):
            open_run(path)
        assert len(shown("verify", str(path)).splitlines()) == 1


def test_a_results_file_that_is_a_folder() -> None:
    with stored(whole_files()) as path:
        (path / "results.json").unlink()
        (path / "results.json").mkdir()
        assert any("results.json is damaged" in problem for problem in open_run(path).problems)


def test_what_is_nested_as_deep_as_json_is_read_is_a_difference_like_any_other() -> None:
    deep = "[" * 900 + "]" * 900
    raw = json.dumps({**whole_results(), "problems": 0}).replace('"problems": 0', f'"problems": [{deep}]').encode()
    with stored({**whole_files(), "results.json": raw}) as path:
        said = shown("verify", str(path))
        assert "results.json: its SHA-256 is not that of the manifest" in said
        assert "results.json: problems" in said
        assert "results.json" in shown("show", str(path))


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2.5, -3], "b": {"c": "plain"}}',
        '{"a": "µ"}',
        '{"a": "\\u202e\\u001b[1m"}',
        '{"a": "x\\ny"}',
        '{"a": "\x7f"}',
        '{"a": 1e20, "b": 1E5, "c": [2e+3]}',
        '{"a": "20261122-0e5"}',
        '[1, "x"]',
    ],
)
def test_the_short_way_takes_what_the_long_one_takes(text: str) -> None:
    assert load_json(text.encode()) == checked(json.loads(text))


@pytest.mark.parametrize("number", ["1e31", "1E+31", "9" * 31, "-" + "9" * 31, "0.1e40", "9" * 31 + ".5", "NaN"])
def test_the_short_way_refuses_what_the_long_one_refuses(number: str) -> None:
    for text in (f'{{"a": {number}}}', f'{{"a":{number}}}', f'{{"a": [0,{number}]}}', f'{{"a":\n{number}}}'):
        with pytest.raises(ValueError, match=r"out of range|no number"):
            load_json(text.encode())


@pytest.mark.parametrize("depth", [63, 64, 65, 66])
def test_the_short_way_counts_depth_as_the_long_one_does(depth: int) -> None:
    def refused(take: object) -> bool:
        try:
            take()  # type: ignore[operator]
        except ValueError:
            return True
        return False

    text = '{"a": ' * depth + "1" + "}" * depth
    assert refused(lambda: load_json(text.encode())) == refused(lambda: checked(json.loads(text)))


def test_a_quick_look_spares_the_schema_of_what_this_version_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr("rtgauge.results.complaint_about", lambda content: asked.append(content))
    made = run_with(whole_results())
    manifest = json.loads(made["manifest.json"])

    def looked(quick: bool, **changes: Any) -> int:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name, data in {**made, "manifest.json": seal({**manifest, **changes})}.items():
            (folder / name).write_bytes(data)
        asked.clear()
        open_run(folder, quick=quick)
        return len(asked)

    ours = {"versions": {**manifest["versions"], "rtgauge": __version__}}
    assert looked(quick=True, **ours) == 0
    assert looked(quick=False, **ours) == 1
    assert looked(quick=True, versions={"rtgauge": "0.0.1"}) == 1
    assert looked(quick=True, **ours, state="interrupted") == 1
    assert looked(quick=True, **ours, files={name: one for name, one in manifest["files"].items() if "res" not in name})


def test_a_manifest_with_one_changed_byte_is_found() -> None:
    raw = seal(seeds.manifest())
    assert unseal(raw)[1] is None
    for place in range(0, len(raw), 37):
        changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        with contextlib.suppress(StoreError):
            assert unseal(changed)[1] is not None, place
