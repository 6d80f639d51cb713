"""A file may come from anywhere: what is not whole is refused in one line, and nothing is left in the store."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rtgauge import importers
from rtgauge.cli import main
from rtgauge.errors import UsageError
from rtgauge.importers import read
from rtgauge.importers._results import content_of
from rtgauge.results import complaint_about

FILES = Path(__file__).parent / "files"
JSON = FILES.joinpath("cyclictest-histogram.json").read_text()
JITTER = FILES.joinpath("jitterdebugger.json").read_text()
TEXT = FILES.joinpath("cyclictest-h.txt").read_text()
RTLA = FILES.joinpath("rtla-timerlat.txt").read_text()
METRIC = FILES.joinpath("thread-metric.txt").read_text()
DEEP = '{"num_threads": 1, "thread": ' + "[" * 100_000 + "]" * 100_000 + "}"


def nothing_left(store: Path) -> bool:
    return not store.exists() or not [path for path in store.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("hello", "no file of a format that can be imported: legal are cyclictest-histogram, cyclictest-json"),
        ("{}", "no file of a format"),
        (JSON[:-40], "it is no JSON"),
        (DEEP, "nested too deeply"),
        (JSON.replace('"cycles": 300', '"cycles": -1', 1), "cycles of thread 0 is -1"),
        (JSON.replace('"cycles": 300', '"cycles": 3.5', 1), "cycles of thread 0 is 3.5"),
        (JSON.replace('"cycles": 300', '"cycles": "300"', 1), "cycles of thread 0 is '300'"),
        (JSON.replace('"cycles": 300', '"cycles": true', 1), "cycles of thread 0 is True"),
        (JSON.replace('"cycles": 300', '"cycles": 1' + "0" * 30, 1), "cycles of thread 0 is 1000"),
        (JSON.replace('"cycles": 300', '"cycles": 1' + "0" * 9000, 1), "it is no JSON"),
        (JSON.replace('"cycles": 300,', "", 1), "cycles of thread 0 is None"),
        (JSON.replace('"15": 7', '"15": -7'), "bin 15 of the histogram of thread 0 is -7"),
        (JSON.replace('"15": 7', '"-15": 7'), "a bin of the histogram of thread 0 is '-15'"),
        (JSON.replace('"15": 7', '"15": null'), "bin 15 of the histogram of thread 0 is None"),
        (JSON.replace('"avg": 21.08', '"avg": NaN'), "it holds the number NaN"),
        (JSON.replace('"avg": 21.08', '"avg": 1e999'), "avg of thread 0 is inf"),
        (JSON.replace('"avg": 21.08', '"avg": []'), "avg of thread 0 is list"),
        (JSON.replace('"num_threads": 2', '"num_threads": 3'), "announces 3 threads and holds 2"),
        (JSON.replace('"1": {', '"0": {'), "has the key '0' twice"),
        (JSON.replace('"1": {', '"\\u001b[2J": {'), "the name of a thread is '\\x1b[2J'"),
        ('{"num_threads": 0, "thread": {}}', "it holds no result"),
        ('{"num_threads": 1, "thread": [1]}', "thread is list, not an object"),
        ('{"num_threads": 1, "thread": {"0": 7}}', "thread '0' is 7, not an object"),
        (JITTER.replace('"count": 5000', '"count": null', 1), "count of cpu 0 is None"),
        (JITTER.replace('"max": 1204', '"max": -2'), "max of cpu 0 is -2"),
        (TEXT[: TEXT.index("# Max")], "it has no line 'Max Latencies': it may be cut"),
        (TEXT.replace("000015 000007\t", "000015 -00007\t"), "one after the other"),
        (TEXT.replace("000015 000007\t000031", "000015 000007"), "row 16 of its histogram is not like the others"),
        (TEXT + TEXT, "it has the line 'Total' twice"),
        (TEXT.replace("# Max Latencies: 00103 00049", "# Max Latencies: 00103"), "it has no Max of thread 1"),
        (RTLA[: RTLA.index("max:")], "its summary has no whole line 'max': it may be cut"),
        (RTLA.replace("51213", "-5"), "a count is '-5'"),
        (RTLA.replace("Thr-001", "<script>"), "it has a column '<script>'"),
        (RTLA.replace("IRQ-001", "IRQ-000"), "it holds a result twice"),
        (RTLA.replace("\n1    ", "\n0    "), "the rows of its histogram do not rise"),
        (RTLA + RTLA, "it holds several histograms"),
        (RTLA.replace("Index", "     "), "it has no line 'Index'"),
        (METRIC.replace("Total:  12345690", "Total:  -5"), "a total of Cooperative Scheduling is '-5'"),
        (METRIC.replace("Time Period Total:  12345690\n", ""), "a period of Cooperative Scheduling has no total"),
        (METRIC.replace("Cooperative", "\x1b[31mEvil"), "it has a test '\\x1b[31mEvil Scheduling'"),
    ],
    ids=lambda text: ascii(text[-40:]),
)
def test_it_is_refused_in_one_line(text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, store = tmp_path / "file", tmp_path / "store"
    file.write_text(text)
    assert main(["import", str(file), "--store", str(store)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.count("\n") == 1
    assert len(err) < 500
    assert "\x1b" not in err
    assert nothing_left(store)


def test_other_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = ["--store", str(tmp_path / "store")]
    good = tmp_path / "good"
    good.write_text(JSON)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for words, told in (
        ([str(tmp_path / "absent")], "cannot read"),
        ([str(tmp_path)], "it is a directory"),
        ([str(binary)], "no text in UTF-8"),
        ([str(good), "--format", "cyclictest-jso"], "did you mean cyclictest-json?"),
        ([str(good), "--format", "rtla-hist"], "this is no rtla-hist file"),
        ([str(good), "--unit", "s"], "unknown unit 's'"),
        ([str(good), "--tag", "x" * 999], "--tag is longer"),
    ):
        assert main(["import", *words, *store]) == 2
        assert told in capsys.readouterr().err
    assert nothing_left(tmp_path / "store")


def test_a_large_file_is_not_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importers, "LARGEST", 1 << 20)
    with pytest.raises(UsageError, match="larger than 1 MiB"):
        read(b" " * ((1 << 20) + 1))


def test_more_results_than_any_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge.importers._foreign.SERIES_MOST", 1)
    with pytest.raises(UsageError, match="more results than any machine has"):
        read(JSON.encode())


def test_a_disk_that_refuses_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rtgauge.errors import StoreError
    from rtgauge.store.folder import RunFolder

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(RunFolder, "finish", full)
    file = tmp_path / "file"
    file.write_text(JSON)
    assert main(["import", str(file), "--store", str(tmp_path / "store")]) == 4
    assert nothing_left(tmp_path / "store")


def damaged(chance: random.Random, data: bytes) -> bytes:
    """The file with a few bytes changed, left out or doubled."""
    made = bytearray(data)
    changes: list[Callable[[int], None]] = [
        lambda at: made.__setitem__(at, chance.choice(b'0159-"{}[]:, \n\t.eN\x1b')),
        lambda at: made.__delitem__(slice(at, at + chance.randrange(1, 40))),
        lambda at: made.insert(at, chance.choice(b'09-":,\n')),
    ]
    for _ in range(chance.randrange(1, 4)):
        if made:
            chance.choice(changes)(chance.randrange(len(made)))
    return bytes(made)


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_damage_is_refused_or_makes_a_valid_run(path: Path) -> None:
    chance = random.Random(path.name)
    data = path.read_bytes()
    refused = 0
    for place in range(150):
        try:
            format, foreign = read(damaged(chance, data))
        except UsageError as error:
            refused += "\n" not in str(error) or pytest.fail(str(error))
            continue
        made = content_of(foreign, format, {"run": "r", "target": "import:x", "created": "now"})
        json.dumps(made, allow_nan=False)
        assert place % 10 or complaint_about(made) is None
    assert refused
