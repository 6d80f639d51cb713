"""What is told once: results of one reason, parameters that all share, evidence of one run, counters that are zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rtgauge.model import Samples
from rtgauge.report import RunView, render
from rtgauge.report.view import lines
from tests.report.example import result, timed, view
from tests.report.test_html import page_of

Entry = tuple[dict[str, Any], Samples | None]
VALUES = np.arange(100.0, 400.0)


def arn(values: np.ndarray[Any, Any] = VALUES) -> list[Entry]:
    """A test with two kinds of objects of which the system has one."""
    parts = [(n, p) for n in ("unnamed", "named") for p in ("acquire", "release")]
    made: list[Entry] = [
        timed("SEM-P-ARN", {"kind": "counting", "name": n, "batch": 100, "part": p}, values) for n, p in parts
    ]
    made += [
        (result("SEM-P-ARN", {"kind": "binary", "name": n, "batch": 100, "part": p}, status="not-supported",
                reason="no binary ones"), None) for n, p in parts
    ]  # fmt: skip
    return made


def squeezed(text: str) -> str:
    """`text` without any white space: names stand directly before their values in a page."""
    return "".join(text.split())


class Words(str):
    """Text in which a phrase is found whatever white space lies between its words."""

    def __contains__(self, phrase: object) -> bool:
        return squeezed(str(phrase)) in squeezed(str(self))

    def number_of(self, phrase: str) -> int:
        return squeezed(str(self)).count(squeezed(phrase))


def text_of(run: RunView) -> Words:
    return Words(page_of(run).text)


@pytest.mark.parametrize("format", ["html", "md"])
def test_results_of_one_reason_are_one_line_in_each_place(format: str) -> None:
    text = str(render(view(arn()), format))
    assert text.count("4 results: no binary ones") == 2  # among all results, and among the variants
    assert text.count("no binary ones") == 3  # and what is not proven
    assert "4 not-supported with kind binary: no binary ones" in text.replace("\\", "")


def test_links_to_folded_results_lead_to_their_line() -> None:
    run = view(arn())
    folded = [entry for entry in run.entries if entry.fold]
    assert len({entry.anchor for entry in folded}) == 1
    assert page_of(run).attributes("id").count(folded[0].anchor) == 1
    assert [len(line) for line in lines(run.entries)] == [1, 1, 1, 1, 4]


def test_a_test_of_which_nothing_was_permitted_is_one_notice_and_one_row() -> None:
    denied = [
        (result("THR-P-SLS", {"threads": t}, status="not-permitted", reason="RTPRIO is 0"), None) for t in (2, 10)
    ]
    page = page_of(view(list(denied)))
    text = Words(page.text)
    assert text.number_of("2 results: RTPRIO is 0") == 2
    assert [a.get("id") for tag, a in page.seen if "level4" in (a.get("class") or "")] == []
    assert text.number_of("Run rtgauge doctor") == 2  # at the top, and in the notice of the test


def test_variants_are_named_by_what_differs_and_the_rest_is_said_once() -> None:
    run = view(arn())
    assert [entry.name for entry in run.entries[:2]] == [
        "SEM-P-ARN (name unnamed, part acquire)",
        "SEM-P-ARN (name unnamed, part release)",
    ]
    assert run.entries[-1].name == "SEM-P-ARN (kind binary)"
    assert "in all results kind counting, batch 100" in text_of(run)


def test_a_single_result_has_its_parameters_below_its_heading() -> None:
    text = text_of(view([timed("TMR-P-CYC", {"threads": 1, "interval": "500us"}, VALUES)]))
    assert "parameters threads 1, interval 500µs" in text


def test_a_batch_gives_the_figure_of_one_operation_beside_median_and_min() -> None:
    text = text_of(view(arn(np.full(300, 440.0) + np.arange(300.0))))
    assert "4.400\u202fns per operation" in text  # min
    assert "5.895\u202fns per operation" in text  # median
    assert "per operation" not in text_of(view([timed("SEM-P-ARN", {"batch": 1}, VALUES)]))


def test_an_unmeasurable_operation_is_told_with_the_figure_of_its_batch() -> None:
    small = timed("SEM-P-ARN", {"batch": 1, "part": "acquire"}, np.full(300, 3.0), unmeasurable=True)
    many = timed("SEM-P-ARN", {"batch": 100, "part": "acquire"}, VALUES)
    other = timed("SEM-P-ARN", {"batch": 100, "part": "release"}, VALUES * 2)
    assert "In batches of 100: 2.495\u202fns per operation (median)." in text_of(view([small, other, many]))
    assert "In batches" not in text_of(view([small, other]))


def test_counters_that_are_zero_are_named_in_one_line() -> None:
    entry, samples = timed("THR-P-SLS", {}, VALUES)
    entry["counters"] = {"steal_ticks": 0, "timer_interrupts": 3, "major_faults": 0}
    assert "timer interrupts 3 0: steal ticks, major faults" in text_of(view([(entry, samples)]))


def test_evidence_of_one_run_is_printed_with_its_first_part_alone() -> None:
    parts = [timed("SEM-P-ARC", {"part": p}, VALUES) for p in ("acquire", "release")]
    for entry, _ in parts:
        entry["evidence"] = [{"name": "waiters_seen", "value": 128, "unit": ""}]
    text = text_of(view(list(parts)))
    assert text.number_of("waiters seen") == 1
    assert "the same run as part acquire" in text
    parts[1][0]["evidence"] = [{"name": "waiters_seen", "value": 127, "unit": ""}]
    assert text_of(view(list(parts))).number_of("waiters seen") == 2


@pytest.mark.parametrize(
    ("name", "value", "unit", "shown"),
    [
        ("tick_ns_least", 3_404_000, "ns", "tick least 3.404\u202fms"),
        ("first_to_later_percent", 98, "%", "first to later 98\u202f%"),
        ("cache_effect_read", 4962, "1/1000", "cache effect read 4.962"),
        ("handles", 4, "1", "handles 4"),
    ],
)
def test_evidence_is_written_for_readers(name: str, value: int, unit: str, shown: str) -> None:
    entry, samples = timed("THR-P-SLS", {}, VALUES)
    entry["evidence"] = [{"name": name, "value": value, "unit": unit}]
    md = str(render(view([(entry, samples)]), "md"))
    name_shown, _, figure = shown.rpartition(" ")
    assert f"- {name_shown}: {figure}\n" in md


def plots(run: RunView) -> list[str | None]:
    return [a.get("data-plot") for tag, a in page_of(run).seen if a.get("data-plot")]


def test_few_samples_are_shown_one_by_one_and_equal_ones_are_not_drawn() -> None:
    assert plots(view([timed("CAL-P-CPU", {}, np.arange(1.0, 11.0))])) == ["samples"]
    assert plots(view([timed("CAL-P-CPU", {}, np.arange(1.0, 41.0))])) == ["samples", "histogram", "tail"]
    constant = view([timed("MEM-B-LEK", {}, np.full(400, 59.0), unit="B", source="value")])
    assert plots(constant) == []
    assert "Every sample has this value" in text_of(constant)


def test_only_the_first_variant_has_large_diagrams() -> None:
    html = str(render(view([timed("THR-P-SLS", {"threads": t}, VALUES + t) for t in (2, 10, 128)]), "html"))
    assert html.count('class="row charts"') == 1
    assert html.count('class="row small"') == 2
    assert html.index('class="row charts"') < html.index('class="row small"')


def test_verdict_details_of_one_reason_are_one_line() -> None:
    details = [f"SEM-P-ARN batch={n} is not-permitted: RTPRIO is 0" for n in range(100)]
    details += [f"line {n}" for n in range(9)]
    run = view(arn(), verdict={"ruling": "inconclusive", "reason": "not decided", "details": details})
    text = text_of(run)
    assert "100 results are not-permitted: RTPRIO is 0" in text
    assert "batch=7 is" not in text
    assert "and 4 more" in text


def test_worst_sample_is_the_latest_wake_up_with_the_worst_elsewhere_beside_it() -> None:
    late = timed("TMR-P-CYC", {}, VALUES * 10, synthetic={"overruns": 3, "entered": 3})
    far = timed("SEM-P-ARC", {}, np.append(VALUES, 77_000.0))
    work = timed("THR-B-RR", {"part": "outside"}, np.append(VALUES, 9e9))
    text = text_of(view([late, far, work]))
    screen = Words(text[: text.index("No rule found")])  # the findings follow
    assert "Worst sample: latest wake-up 3.990 µs" in screen
    assert "activations skipped 3" in screen
    assert "Farthest above its median elsewhere: 77.00\u202fµs" in screen
    assert "9.000 s" not in screen
    assert "The worst sample of the first page is the latest wake-up of TMR-P-CYC" in text  # the rule is stated


def test_microseconds_are_written_in_one_way() -> None:
    finding = {"kind": "positive", "text": "it took 563 us, not 500us", "because": []}
    text = text_of(view(arn(), findings=[finding]))
    assert "it took 563 µs, not 500µs" in text


def test_many_links_are_named_by_test_and_none_is_cut() -> None:
    because = [{"id": "SEM-P-ARN", "params": entry["params"], "status": entry["status"]} for entry, _ in arn()]
    several = [timed("THR-P-SLS", {"threads": t}, VALUES) for t in range(9)]
    because += [{"id": "THR-P-SLS", "params": entry["params"], "status": "ok"} for entry, _ in several]
    run = view([*arn(), *several], findings=[{"kind": "negative", "text": "x", "because": because}])
    text = text_of(run)
    assert "SEM-P-ARN ×8" in text
    assert "THR-P-SLS ×9" in text
