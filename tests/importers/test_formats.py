"""Every format, by files as the programs write them, against figures counted by hand."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rtgauge.errors import UsageError
from rtgauge.importers import formats, read
from rtgauge.importers._results import content_of
from rtgauge.results import complaint_about

FILES = Path(__file__).parent / "files"
EXPECTED = {
    "cyclictest.json": "cyclictest-json",
    "cyclictest-histogram.json": "cyclictest-json",
    "cyclictest-h.txt": "cyclictest-histogram",
    "cyclictest-H-all.txt": "cyclictest-histogram",
    "jitterdebugger.json": "jitterdebugger",
    "rtla-timerlat.txt": "rtla-hist",
    "rtla-osnoise.txt": "rtla-hist",
    "thread-metric.txt": "thread-metric",
}


def imported(name: str, unit: str | None = None) -> dict[str, Any]:
    return content(FILES.joinpath(name).read_bytes(), unit)


def content(data: bytes, unit: str | None = None) -> dict[str, Any]:
    format, foreign = read(data, None, unit)
    made = content_of(foreign, format, {"run": "r", "target": f"import:{format}", "created": "now"})
    assert complaint_about(made) is None
    return made


def figures(result: dict[str, Any], *names: str) -> list[Any]:
    return [result.get(name) for name in names]


@pytest.mark.parametrize(("name", "format"), EXPECTED.items())
def test_it_is_recognised_by_content_and_by_nothing_else(name: str, format: str) -> None:
    text = FILES.joinpath(name).read_text()
    assert [known for known, one in formats().items() if one.recognise(text)] == [format]
    assert imported(name)["imported"]["format"] == format


def test_every_format_has_a_file() -> None:
    assert set(EXPECTED.values()) == set(formats())
    assert set(EXPECTED) == {path.name for path in FILES.iterdir()}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_no_file_tells_is_unknown(name: str) -> None:
    made = imported(name)
    assert made["exposure_s"] is None
    assert made["system"]["clock"] is None
    assert made["system"]["sample_memory"] is None
    assert made["spec"] is None
    for result in made["results"]:
        assert result["environment"] == {}
        if "n" in result:
            assert figures(result, "lost", "negatives", "overhead", "worst") == [None] * 4
            assert sum(count for _, _, count in result["histogram"]) in (0, result["n"])


def test_cyclictest_json_without_a_histogram_has_no_median() -> None:
    (result,) = imported("cyclictest.json")["results"]
    assert result["id"] == "TMR-P-CYC"
    assert result["params"] == {"tool": "cyclictest", "thread": 0, "cpu": 0}
    assert figures(result, "n", "min", "max", "median", "percentiles") == [300, 15000, 297000, None, None]
    assert result["avg"] == pytest.approx(24910)
    assert result["histogram"] == []


def test_cyclictest_json_with_a_histogram_and_its_untold_overflow() -> None:
    made = imported("cyclictest-histogram.json")
    first, second = made["results"]
    # 7+39+48 = 94 up to 17 us, 128 up to 18, 152 up to 19: the 150th smallest of 300 is at 19 us
    assert figures(first, "n", "min", "max", "median") == [300, 15000, 103000, 19000]
    assert first["percentiles"] == {"50": 19000, "99": 36000}  # the 297th: 296 lie up to 35 us, 298 up to 36
    assert first["imported"] == {"bin": 1000, "in_bins": 299, "outside": 1, "outside_told": False}
    assert first["histogram"][-1] == [103000, 104000, 1]
    assert second["imported"]["outside"] == 0
    assert any("1 of 300 samples lie beyond the histogram" in line for line in made["problems"])


def test_both_forms_of_one_cyclictest_run_say_the_same() -> None:
    for one, other in zip(
        imported("cyclictest-histogram.json")["results"], imported("cyclictest-h.txt")["results"], strict=True
    ):
        for name in ("n", "min", "max", "median", "percentiles", "histogram"):
            assert one[name] == other[name], name
        assert abs(one["avg"] - other["avg"]) < 1000  # the text has it in whole us
        assert other["imported"]["outside_told"]
        assert one["imported"]["outside"] == other["imported"]["outside"]


def test_keys_may_end_in_a_colon() -> None:
    text = FILES.joinpath("cyclictest-histogram.json").read_text()
    with_colons = text
    for name in ("file_version", "num_threads", "thread", "cycles", "min", "max", "avg", "cpu", "histogram"):
        with_colons = with_colons.replace(f'"{name}":', f'"{name}:":')
    without = text.replace(':":', '":')
    assert with_colons != text != without
    assert content(with_colons.encode())["results"] == content(without.encode())["results"]
    assert content(with_colons.encode())["system"]["engine"] == "cyclictest 2.40"


def test_the_command_line_tells_the_unit() -> None:
    text = FILES.joinpath("cyclictest-histogram.json").read_text()
    for option in ("--nsecs", "-N", "-mN"):
        (first, _) = content(text.replace("cyclictest -q", f"cyclictest -q {option}").encode())["results"]
        assert figures(first, "min", "max", "median", "resolution") == [15, 103, 19, 1]
    with pytest.raises(UsageError, match="its command line says us, not ns"):
        content(text.encode(), "ns")


def test_where_the_file_does_not_tell_its_unit_the_user_can() -> None:
    assert imported("cyclictest-h.txt", "ns")["results"][0]["min"] == 15
    assert not any("does not say its unit" in line for line in imported("cyclictest-h.txt", "ns")["problems"])
    assert any("does not say its unit" in line for line in imported("cyclictest-h.txt")["problems"])


def test_a_median_beyond_the_histogram_is_not_known() -> None:
    first, second = imported("cyclictest-H-all.txt")["results"]
    assert figures(first, "n", "max") == [300, 93000]
    assert figures(second, "n", "max", "median", "percentiles") == [300, 251000, None, None]
    assert second["imported"] == {"bin": 1000, "in_bins": 124, "outside": 176, "outside_told": True}
    assert second["histogram"][-2:] == [[40000, 251000, 175], [251000, 252000, 1]]


def test_rtla_timerlat() -> None:
    made = imported("rtla-timerlat.txt")
    irq, thread, _, _ = made["results"]
    assert [result["id"] for result in made["results"]] == ["IRQ-P-LAT", "TMR-P-CYC"] * 2
    assert irq["params"] == {"tool": "rtla", "from": "due", "source": "timer", "cpu": 0}
    assert thread["params"] == {"tool": "rtla", "cpu": 0}
    assert figures(irq, "n", "min", "max", "median", "exposure_s") == [60000, 0, 11000, 0, 60]
    assert irq["percentiles"] == {"50": 0, "99": 1000, "99.9": 2000, "99.99": 2000}
    assert thread["percentiles"]["99.99"] == 11000  # of 60000 the 59994th: 59983 lie up to 5 us
    assert thread["imported"] == {"bin": 1000, "in_bins": 59998, "outside": 2, "outside_told": True}


def test_rtla_osnoise_with_buckets() -> None:
    first, second = imported("rtla-osnoise.txt")["results"]
    assert first["id"] == "NSE-P-OSN"
    assert figures(first, "n", "min", "avg", "max", "median", "resolution") == [543, 0, 7000, 37000, 9000, 1000]
    assert first["histogram"][1] == [10000, 20000, 88]
    assert second["percentiles"]["99"] == 26000  # in the bucket from 20 us: no more than the maximum


def test_rtla_in_ns_and_without_samples() -> None:
    text = FILES.joinpath("rtla-osnoise.txt").read_text().replace("microseconds (us)", "nanoseconds (ns)")
    assert content(text.encode())["results"][0]["max"] == 37
    empty = "# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:05\nIndex   IRQ-000\n"
    empty += "over:  0\ncount: 0\nmin:   -\navg:   -\nmax:   -\n"
    (result,) = content(empty.encode())["results"]
    assert (result["status"], result["reason"]) == ("inconclusive", "the file counts no sample")
    assert "n" not in result


def test_jitterdebugger() -> None:
    first, second = imported("jitterdebugger.json")["results"]
    assert first["params"] == {"tool": "jitterdebugger", "cpu": 0}
    assert figures(first, "n", "min", "avg", "max", "median") == [5000, 2000, 3240, 1204000, 3000]
    assert first["imported"]["outside"] == 1
    assert first["percentiles"]["99.9"] == 9000  # the 4995th; 4993 lie up to 4 us
    assert second["imported"]["outside"] == 0


def test_thread_metric() -> None:
    good, bad = imported("thread-metric.txt")["results"]
    assert (good["id"], good["unit"], good["params"]["period"]) == ("THM-P-COP", "operations", "30s")
    assert figures(good, "n", "min", "max", "median", "first") == [3, 12345600, 12345690, 12345678, 12345678]
    assert good["avg"] == pytest.approx((12345678 + 12345690 + 12345600) / 3)
    assert good["max_after_first"] == 12345690
    assert good["exposure_s"] == 90
    assert (bad["id"], bad["status"]) == ("THM-P-MSG", "invalid")
    assert bad["reason"].startswith("ERROR: Invalid counter value")
    assert "n" not in bad


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cycles": 298}, "the file counts 298 samples, but 299 in its histogram"),
        ({"min": 104}, "the file gives a minimum of 104000 and a maximum of 103000 ns"),
        ({"min": 14}, "the smallest sample, 14000 ns, is not in the first bin that holds any"),
        ({"max": 39}, "the largest sample, 39000 ns, is not where the histogram has it"),
    ],
)
def test_a_file_that_contradicts_itself_makes_no_number(change: dict[str, int], reason: str) -> None:
    file = json.loads(FILES.joinpath("cyclictest-histogram.json").read_text())
    file["thread"]["0"].update(change)
    first, second = content(json.dumps(file).encode())["results"]
    assert (first["status"], first["reason"]) == ("invalid", reason)
    assert "n" not in first
    assert second["status"] == "ok"


def test_a_mean_that_cannot_be_is_left_out() -> None:
    file = json.loads(FILES.joinpath("cyclictest-histogram.json").read_text())
    file["thread"]["0"]["avg"] = 0.0
    assert content(json.dumps(file).encode())["results"][0]["avg"] is None


def test_many_bins_are_joined_and_none_is_lost() -> None:
    bins = {str(us): 1 + us % 3 for us in range(1, 20001)}
    n = sum(bins.values())
    thread = {"histogram": bins, "cycles": n, "min": 1, "max": 20000, "avg": 10000.0, "cpu": 0}
    file = {"num_threads": 1, "cmdline": "cyclictest", "thread": {"0": thread}}
    (result,) = content(json.dumps(file).encode())["results"]
    rows = result["histogram"]
    assert len(rows) <= 360
    assert sum(row[2] for row in rows) == n
    assert all(one[1] <= other[0] for one, other in pairwise(rows))
    assert result["median"] == pytest.approx(10_000_000, abs=2000)
