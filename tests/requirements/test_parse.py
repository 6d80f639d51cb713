"""A requirement file says what it means, or which entry and key are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rtgauge.errors import UsageError
from rtgauge.requirements import Limit, from_json, of_deadline, read, read_all, to_json
from rtgauge.requirements.parse import KEYS, LARGEST, MOST, requirement_of
from rtgauge.requirements.stored import label
from tests.requirements.results import required

WHOLE = """
[[require]]
test = "tmr-p-cyc"
params = { interval = "1ms", threads = 1 }
part = "late"
load = "heavy"
cpus = "all"
cache = "dirty"
max = "100us"
min = "1us"
avg = "20us"
median = ["5us", "20us"]
p99.9 = "50us"
p99.99 = "60us"
miss_rate = 1e-9
confidence = 0.99
name = "control loop"
why = "the actuator"

[[require]]
test = "SEM-B-*"
holds = true
"""


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "limits.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_every_key(tmp_path: Path) -> None:
    first, second = read(written(tmp_path, WHOLE))
    assert (first.test, first.load, first.cpus, first.cache) == ("TMR-P-CYC", "heavy", "all", "dirty")
    assert first.params == {"interval": "1ms", "threads": "1", "part": "late"}
    assert set(first.limits) == {
        Limit("max", None, 100e3, True),
        Limit("min", 1e3, None, True),
        Limit("avg", None, 20e3, True),
        Limit("median", 5e3, 20e3, True),
        Limit("p99.9", None, 50e3, True),
        Limit("p99.99", None, 60e3, True),
    }
    assert (first.miss_rate, first.confidence, first.name, first.why) == (1e-9, 0.99, "control loop", "the actuator")
    assert first.where == f"{tmp_path}/limits.toml, entry 1"
    assert (second.test, second.holds, second.limits, second.confidence) == ("SEM-B-*", True, (), 0.95)


def test_percentiles_quoted_and_not(tmp_path: Path) -> None:
    for text in ('p99.9 = "50us"', '"p99.9" = "50us"', 'p99 = "40us"\n"p99.9" = "50us"'):
        (one,) = read(written(tmp_path, f'[[require]]\ntest = "A-P-B"\n{text}'))
        limit = one.limit("p99.9")
        assert limit is not None
        assert limit.high == 50e3


def test_both_ways_of_a_percentile_are_explained(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"p99 beside p99.9, which then needs quotes"):
        read(written(tmp_path, '[[require]]\ntest = "A-P-B"\np99 = "40us"\np99.9 = "50us"'))


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('maxx = "1us"', f"unknown key 'maxx': legal are {', '.join(KEYS)}"),
        ('p95 = "1us"', "unknown key 'p95': legal are"),
        ('p99.5 = "1us"', "unknown key 'p99.5': legal are"),
        ("", "nothing is required"),
        ("holds = false", "holds can only be true, got False"),
        ('holds = true\nmax = "1us"', "has no limits beside it"),
        ('max = "100"', "has no unit"),
        ('max = "1 parsec"', "unknown unit"),
        ('max = "0us"', "must be above zero"),
        ("max = -1", "a number from 0 on, got -1"),
        ("max = nan", "got nan"),
        ("max = inf", "got inf"),
        ("max = 1e308", "got 1e+308"),
        ("max = true", "got True"),
        (f"max = 0x{'f' * 5000}", "got int"),
        ('max = ["1us", "2us"]', "max takes one value, not a list"),
        ('median = ["2us"]', "median takes [low, high]"),
        ('median = ["2us", "1us"]', "low is above high"),
        ('median = ["2us", 5]', "one of the two is no time"),
        ('max = "1us"\nmedian = 5', "some limits are times and some are bare numbers"),
        ("miss_rate = 1e-9", "nothing is required"),
        ('median = "1us"\nmiss_rate = 1e-9', "miss_rate needs max"),
        ('max = "1us"\nmiss_rate = 0.0', "miss_rate must be a number above 0 and below 1, got 0.0"),
        ('max = "1us"\nmiss_rate = 1', "got 1"),
        ('max = "1us"\nmiss_rate = nan', "got nan"),
        ('max = "1us"\nconfidence = 0.4', "confidence must be a number from 0.5 and below 1"),
        ('max = "1us"\nconfidence = 1.0', "got 1.0"),
        ('max = "1us"\nparams = "interval"', "params must be a map"),
        ('max = "1us"\nparams = { a = 0.5 }', "params.a must be a text or a whole number, got 0.5"),
        (f'max = "1us"\nparams = {{ a = 0x{"f" * 5000} }}', "params.a must be a text or a whole number, got int"),
        ('max = "1us"\npart = "a"\nparams = { part = "b" }', "part and params.part differ"),
        ('max = "1us"\nload = ""', "load must be a text"),
        (f'max = "1us"\nwhy = "{"x" * 1001}"', "why must be a text of 1 to 1000 characters"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, entry: str, said: str) -> None:
    file = written(tmp_path, f'[[require]]\ntest = "SEM-B-REL"\nholds = true\n\n[[require]]\ntest = "A-P-B"\n{entry}\n')
    with pytest.raises(UsageError) as caught:
        read(file)
    text = str(caught.value)
    assert text.startswith(f"{file}, entry 2: ")
    assert said in text
    assert len(text) < 700
    assert text.isprintable()


@pytest.mark.parametrize("test", ["", "a b", "SEM\x1b[2J", "x" * 61, 5])
def test_a_test_is_an_id_or_a_pattern(test: Any) -> None:
    with pytest.raises(UsageError, match="test must be the id of a test or a pattern") as caught:
        requirement_of({"test": test, "max": "1us"}, "f, entry 1")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it holds no requirement"),
        ("require = 5", "it holds no requirement"),
        ("require = [1]", "it holds no requirement"),
        ('[require]\ntest = "A-P-B"', "it holds no requirement"),
        ("[[requires]]", r"unknown key 'requires': legal is \[\[require\]\]"),
        ("[[require", "is not TOML"),
        (b"\xff\xfe", "is no text in UTF-8"),
        ("x = " + "[" * 20000, "is nested too deeply|is not TOML"),
        ("[[require]]\ntest='A-P-B'\nholds=true\n" * (MOST + 1), f"at most {MOST} are read"),
        ("#" * (LARGEST + 1), "it is not a requirement file"),
    ],
)
def test_what_is_no_requirement_file(tmp_path: Path, text: str | bytes, said: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UsageError, match=said) as caught:
        read(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("name", ["", "missing.toml", "a\0b"])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"cannot read|is no file"):
        read(tmp_path / name)


def test_several_files_in_their_order(tmp_path: Path) -> None:
    one = written(tmp_path, WHOLE)
    assert read_all([str(one), str(one)]) == read(one) * 2


def test_what_is_stored_reads_back(tmp_path: Path) -> None:
    every = (*read(written(tmp_path, WHOLE)), of_deadline(1_500_000), required(max=4096, test="MEM-B-LEK"))
    assert from_json([to_json(one) for one in every]) == every


@pytest.mark.parametrize("content", [None, {}, [1], [{"test": "A-P-B"}], [{"test": "A-P-B", "max": "1us", "x": 1}]])
def test_damaged_requirements_of_a_manifest(content: object) -> None:
    with pytest.raises(UsageError):
        from_json(content)


def test_a_label_says_what_is_required() -> None:
    assert label(of_deadline(100_000)) == "--deadline 100us"
    assert label(required(params={"interval": "1ms"}, load="heavy", max="0.1ms", miss_rate=1e-9)) == (
        "TMR-P-CYC interval=1ms load=heavy max 100us, miss rate 1e-09"
    )
    assert label(required(median=["5us", "20us"], min="1us")) == "TMR-P-CYC min 1us, median 5us to 20us"
    assert label(required(test="SEM-*", holds=True)) == "SEM-* holds"
