"""The HTML report as text: escaping, policy, completeness, size."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from rtgauge.report import RunView, render
from tests.report.example import big_run, result, timed, view
from tests.report.hostile import evil_run

_VOID = {"meta", "link", "img", "br", "hr", "input"}


class Page(HTMLParser):
    """Elements, ids, links and texts of a page; fails on elements that do not close in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag in self.raw:
            self.raw[tag].append("")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]][-1] += data
        else:
            self.text += data

    def attributes(self, name: str) -> list[str]:
        return [value or "" for _, attributes in self.seen for key, value in attributes.items() if key == name]


def page_of(run: RunView) -> Page:
    html = render(run, "html")
    assert isinstance(html, str)
    return Page(html)


def test_big_run_is_small_enough_and_whole() -> None:
    html = render(big_run(), "html")
    assert isinstance(html, str)
    assert len(html.encode()) < 3_000_000
    page = Page(html)
    for entry in big_run().entries:
        assert entry.anchor in page.attributes("id")
        assert entry.id in page.text


def test_ids_are_unique_and_links_lead_somewhere() -> None:
    page = page_of(big_run())
    ids = page.attributes("id")
    assert len(ids) == len(set(ids))
    links = [href for href in page.attributes("href") if href.startswith("#")]
    assert len(links) > 100
    assert {link[1:] for link in links} <= set(ids)


def test_policy_allows_exactly_the_scripts_and_styles_of_the_page() -> None:
    page = page_of(big_run())
    (policy,) = [a["content"] for tag, a in page.seen if tag == "meta" and "http-equiv" in a]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for element, texts in page.raw.items():
        (rule,) = re.findall(rf"{element}-src ([^;]*)", policy)
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
        assert rule.split() == [f"'sha256-{digest}'" for digest in digests]


def test_nothing_is_fetched_and_nothing_is_inline() -> None:
    page = page_of(big_run())
    for name in ("src", "srcset", "action", "style"):
        assert page.attributes(name) == []
    assert not [name for _, attributes in page.seen for name in attributes if name.startswith("on")]
    assert all(href.startswith(("#", "data:image/svg+xml;base64,")) for href in page.attributes("href"))
    assert not re.search(r"url\(|@import", "".join(page.raw["style"]))


def test_hostile_texts_stay_texts() -> None:
    evil, tame = page_of(evil_run()), page_of(big_run())
    allowed = {tag for tag, _ in tame.seen} | {"div", "section", "p"}
    assert {tag for tag, _ in evil.seen} <= allowed
    assert evil.raw == tame.raw
    assert not [name for _, attributes in evil.seen for name in attributes if name.startswith("on")]
    assert "<img src=x onerror=alert(2)>" in evil.text  # as it was written, to be read
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", evil.text)


def test_not_permitted_is_said_first_with_what_to_do() -> None:
    run = view([(result("THR-P-SLS", status="not-permitted", reason="RLIMIT_RTPRIO is 0"), None)])
    text = " ".join(page_of(run).text.split())
    assert text.index("RLIMIT_RTPRIO is 0") < text.index("Verdict")
    assert text.index("rtgauge doctor") < text.index("Verdict")


@pytest.mark.parametrize("status", ["invalid", "not-permitted", "not-supported", "inconclusive"])
def test_results_without_figures_give_their_reason_and_no_number(status: str) -> None:
    page = page_of(view([(result("MUT-P-ARC", status=status, reason="the reason of it"), None)]))
    assert page.text.count("the reason of it") >= 2  # among all results, and under its own heading
    assert "Samples against time" not in page.text


def test_unmeasurable_prints_below_resolution_instead_of_figures() -> None:
    entry = timed("MUT-P-ARN", {}, np.full(2000, 3.25), unmeasurable=True)
    text = page_of(view([entry])).text
    assert "< resolution" in text
    assert "Unmeasurably small" in text


def test_diagram_data_is_what_was_measured() -> None:
    value = np.random.default_rng(1).gamma(2, 50, 900).round()
    page = page_of(view([timed("THR-P-SLS", {"threads": 2}, value)]))
    (data,) = [a for tag, a in page.seen if tag == "div" and a.get("data-plot") == "samples"]
    drawn = np.frombuffer(base64.b64decode(data["data-y"] or ""), "<f4")
    assert np.allclose(drawn, value)


def test_several_variants_are_compared_first() -> None:
    run = view([timed("THR-P-SLS", {"threads": t}, np.arange(1.0, 99.0)) for t in (2, 10, 128, 1000)])
    html = render(run, "html")
    assert isinstance(html, str)
    part = html[html.index('id="test-thr-p-sls"') :]
    assert part.index('table class="contents"') < part.index('id="t-thr-p-sls-2"')
    three = render(view([timed("THR-P-SLS", {"threads": t}, np.arange(1.0, 99.0)) for t in (2, 10, 128)]), "html")
    assert isinstance(three, str)
    assert "Spread (logarithmic)" not in three


def test_results_of_equal_parameters_have_places_of_their_own() -> None:
    entries = [timed("CLK-P-GET", {"path": "user"}, np.arange(1.0, 50.0)) for _ in range(3)]
    entries[1][0]["environment"] = {"load": "heavy", "cache": "hot", "cpus": "one"}
    anchors = [entry.anchor for entry in view(list(entries)).entries]
    assert len(set(anchors)) == 3
    assert "load heavy" in page_of(view(list(entries))).text


def test_empty_and_cut_runs_are_reported() -> None:
    assert "Unknown system" in page_of(RunView({}, {}, (), ("the trace ends early",))).text
    text = page_of(RunView({"results": []}, {}, (), ("the trace ends early",))).text
    assert "the trace ends early" in text
    assert "not whole" in text


def test_results_without_samples_are_shown_without_the_diagram() -> None:
    figures, _ = timed("THR-P-SLS", {"threads": 2}, np.arange(1.0, 99.0))
    text = page_of(view([(figures, None)])).text
    assert "Frequency" in text
    assert "could not be read again" in text
