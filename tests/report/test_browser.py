"""The HTML report in a real browser: no error, no request, charts that are drawn and zoom, print, narrow and dark."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rtgauge.report import render
from tests.report.example import big_run, result, timed, view
from tests.report.hostile import evil_run

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt-get install chromium)"),
]

Open = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "big.html"
    html = render(big_run(), "html")
    assert isinstance(html, str)
    path.write_text(html, encoding="utf-8")
    return path


@pytest.fixture
def browse(tmp_path: Path) -> Iterator[Open]:
    """browse(file, width=, scheme=) opens it and yields the page; afterwards nothing may have gone wrong or out."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")

    with sync_api.sync_playwright() as playwright:

        @contextmanager
        def opened(file: Path, width: int = 1280, scheme: str = "light") -> Iterator[Any]:
            wrong: list[str] = []
            asked: list[str] = []
            context = playwright.chromium.launch_persistent_context(
                tmp_path / "profile",
                executable_path=CHROMIUM,
                args=FLAGS,
                viewport={"width": width, "height": 800},
                color_scheme=scheme,
            )
            try:
                page = context.new_page()
                page.on("console", lambda message: wrong.append(message.text))
                page.on("pageerror", lambda error: wrong.append(str(error)))
                page.on("dialog", lambda dialog: wrong.append(dialog.message))
                page.on("request", lambda request: asked.append(request.url))
                page.goto(file.as_uri())
                yield page
                page.wait_for_timeout(100)
            finally:
                context.close()
            assert wrong == []
            assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]

        yield opened


def inked(page: Any, selector: str) -> int:
    """Pixels of a chart's canvas that are not empty."""
    number: int = page.evaluate(
        """selector => {
            const canvas = document.querySelector(selector + " canvas");
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let inked = 0;
            for (let i = 3; i < data.length; i += 4) inked += data[i] > 0;
            return inked;
        }""",
        selector,
    )
    return number


def show(page: Any, selector: str) -> None:
    page.locator(selector).scroll_into_view_if_needed()
    page.wait_for_selector(f"{selector} canvas")


CHART = "#t-thr-p-sls-2 [data-plot=samples]"


def test_charts_are_drawn_when_they_come_into_view(report: Path, browse: Open) -> None:
    with browse(report) as page:
        assert page.locator("canvas").count() < 20
        for plot in ("samples", "histogram", "tail"):
            selector = f"#t-thr-p-sls-2 [data-plot={plot}]"
            show(page, selector)
            assert inked(page, selector) > 2000
        assert page.locator(".failed").count() == 0


def test_every_chart_can_be_drawn(report: Path, browse: Open) -> None:
    with browse(report) as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.wait_for_timeout(200)
        assert page.locator(".canvas canvas").count() == page.locator(".canvas[data-plot]").count() > 180
        assert page.locator(".failed").count() == 0


def test_drag_zooms_and_double_click_shows_all_again(report: Path, browse: Open) -> None:
    def ends(page: Any) -> list[str]:
        box = page.locator(f"{CHART} .u-over").bounding_box()
        found = []
        for share in (0.03, 0.97):
            page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
            page.wait_for_timeout(60)
            found.append(page.locator("#t-thr-p-sls-2 .samples .readout").inner_text().split(" ")[0])
        return found

    with browse(report) as page:
        show(page, CHART)
        whole = ends(page)
        assert float(whole[0]) < float(whole[1])
        box = page.locator(f"{CHART} .u-over").bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] * 0.4, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.6, middle, steps=5)
        page.mouse.up()
        zoomed = ends(page)
        assert float(whole[0]) < float(zoomed[0]) < float(zoomed[1]) < float(whole[1])
        page.mouse.dblclick(box["x"] + box["width"] * 0.5, middle)
        assert ends(page) == whole


def test_value_axis_can_be_switched(report: Path, browse: Open) -> None:
    with browse(report) as page:
        show(page, CHART)
        button = page.locator("#t-thr-p-sls-2 .samples button.axis")
        assert button.inner_text() == "linear"  # this series begins logarithmic
        button.click()
        assert button.inner_text() == "logarithmic"
        assert inked(page, CHART) > 2000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_scheme_of_the_reader_is_followed(report: Path, browse: Open, scheme: str) -> None:
    with browse(report, scheme=scheme) as page:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness = sum(int(part) for part in colour[4:-1].split(",")) / 3
        assert (brightness > 128) is (scheme == "light")
        show(page, CHART)
        assert inked(page, CHART) > 2000


@pytest.mark.parametrize("width", [1280, 800, 400])
def test_no_width_scrolls_sideways(report: Path, browse: Open, width: int) -> None:
    with browse(report, width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_section_can_be_reached_from_the_bar(report: Path, browse: Open) -> None:
    with browse(report, width=400) as page:
        links = page.locator(".bar nav a")
        assert links.count() >= 12
        for number in range(links.count()):
            links.nth(number).click()
            target = page.locator(str(links.nth(number).get_attribute("href")))
            assert target.count() == 1
            page.wait_for_timeout(30)
            assert -1 <= target.bounding_box()["y"] <= 800


@pytest.mark.parametrize("width", [1280, 400])
def test_lines_to_copy_come_out_as_lines(report: Path, browse: Open, width: int) -> None:
    with browse(report, width=width) as page:
        block = page.locator("#repeat .code")
        lines = block.inner_text().splitlines()
        assert "rtgauge evaluate" in lines
        assert "rtgauge verify 20260301-101500-local-0a1b2c" in lines


@pytest.mark.parametrize("width", [1280, 400])
def test_the_axis_of_a_loop_lies_below_its_bars(report: Path, browse: Open, width: int) -> None:
    with browse(report, width=width) as page:
        cell = page.locator("#test-thr-p-sls td.timeline").first
        cell.scroll_into_view_if_needed()
        bars, zero = cell.locator("svg.timeline rect"), cell.locator("svg.ticks line").first
        first, tick = bars.first.bounding_box(), zero.bounding_box()
        assert abs(first["x"] - tick["x"]) < 2.5  # the sample begins at zero
        assert tick["y"] >= first["y"] + first["height"]
        assert cell.bounding_box()["width"] > 0.4 * page.locator("#test-thr-p-sls").bounding_box()["width"]
        texts = cell.locator("svg.ticks text")
        boxes = [texts.nth(i).bounding_box() for i in range(texts.count())]
        assert len(boxes) >= 3
        assert all(a["x"] + a["width"] <= b["x"] for a, b in itertools.pairwise(boxes))


def test_charts_follow_the_width(report: Path, browse: Open) -> None:
    with browse(report) as page:
        show(page, CHART)
        page.set_viewport_size({"width": 700, "height": 800})
        page.wait_for_timeout(300)
        assert page.locator(f"{CHART} canvas").bounding_box()["width"] < 700


def test_first_screen_holds_verdict_exposure_worst_and_unproven(report: Path, browse: Open) -> None:
    with browse(report) as page:
        for title in ("Verdict", "Exposure", "Worst sample", "Not proven"):
            box = page.locator(".first-screen .panel", has_text=title).first.bounding_box()
            assert box["y"] + box["height"] <= 800


def test_prints_all_tests_on_pages_with_their_charts(report: Path, browse: Open, tmp_path: Path) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed (Debian: apt-get install poppler-utils)")
    pdf = tmp_path / "report.pdf"
    with browse(report, scheme="dark") as page:
        page.pdf(path=str(pdf), prefer_css_page_size=True)
        page.wait_for_timeout(200)
        show(page, CHART)
        assert inked(page, CHART) > 2000  # the screen is as it was before
    text = subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True).stdout
    pages = text.split("\f")
    assert 20 < len(pages) < 110
    assert "Verdict" in pages[0] or "VERDICT" in pages[0]
    for id_, _ in big_run().groups:
        assert id_ in text
    charts = sum(1 for entry in big_run().entries if entry.samples is not None)
    assert text.count("time since the run began") == charts  # a label that stands only on the canvas


def test_hostile_texts_run_nothing_and_ask_for_nothing(browse: Open, tmp_path: Path) -> None:
    html = render(evil_run(), "html")
    assert isinstance(html, str)
    path = tmp_path / "evil.html"
    path.write_text(html, encoding="utf-8")
    with browse(path) as page:
        assert page.locator("script").count() == 2
        assert page.locator("img").count() == 0


def test_policy_stops_a_script_that_was_slipped_in(report: Path, tmp_path: Path) -> None:
    """The policy itself works: without it, the other tests would prove nothing."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    path = tmp_path / "slipped.html"
    slipped = "<script>document.title='slipped'</script></body>"
    path.write_text(report.read_text(encoding="utf-8").replace("</body>", slipped), encoding="utf-8")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            page = browser.new_page()
            said: list[str] = []
            page.on("console", lambda message: said.append(message.text))
            page.goto(path.as_uri())
            assert page.title() != "slipped"
            assert any("Content Security Policy" in line for line in said)
        finally:
            browser.close()


def test_tables_of_variants_with_long_names_fit(browse: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    variants = [
        {"kind": "counting", "name": n, "scenario": s, "batch": b, "part": p}
        for n in ("unnamed", "named")
        for s in ("used", "unused")
        for b in (1, 16)
        for p in ("creation", "deletion")
    ]
    entries = [timed("SEM-P-NEW", params, rng.gamma(2, 900, 400) * 20 + 1_000_000) for params in variants]
    for entry, _ in entries[:4]:
        entry["unmeasurable"] = True
    path = tmp_path / "long.html"
    path.write_text(str(render(view(list(entries)), "html")), encoding="utf-8")
    with browse(path) as page:
        assert page.locator(".level3 table.contents").count() == 1
        wide = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
        assert page.evaluate(wide) == 0


def test_first_screen_stays_one_screen_when_nothing_was_permitted(browse: Open, tmp_path: Path) -> None:
    reason = "this process may not use real-time scheduling (SCHED_FIFO was refused)"
    ids = ("THR-P-SLS", "SEM-P-ARC", "MUT-P-ARC", "TMR-P-CYC")
    denied = [result(id_, {"n": n}, status="not-permitted", reason=reason) for id_ in ids for n in range(25)]
    details = [f"{one['id']} n={one['params']['n']} is not-permitted: {reason}" for one in denied]
    verdict = {"ruling": "inconclusive", "reason": "not decided", "details": details}
    run = view([(one, None) for one in denied], verdict=verdict)
    path = tmp_path / "denied.html"
    path.write_text(str(render(run, "html")), encoding="utf-8")
    with browse(path) as page:
        notice, screen = page.locator(".notice").first.bounding_box(), page.locator(".first-screen").bounding_box()
        assert notice["y"] < 150
        assert screen["y"] + screen["height"] <= 800


def test_labels_of_a_late_short_series_differ_from_each_other(browse: Open, tmp_path: Path) -> None:
    """Microseconds, many seconds after the run began."""
    entry = timed("SEM-P-ARN", {}, np.arange(1.0, 400.0), 14.2222 + np.arange(399) * 2e-6)
    path = tmp_path / "late.html"
    path.write_text(str(render(view([entry]), "html")), encoding="utf-8")
    with browse(path) as page:
        show(page, "[data-plot=samples]")
        page.evaluate(
            """() => {
                const draw = CanvasRenderingContext2D.prototype.fillText;
                window.drawn = [];
                CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
                    window.drawn.push(text);
                    return draw.call(this, text, ...rest);
                };
            }"""
        )
        page.locator("button.axis").first.click()  # draws again
        labels = [text for text in page.evaluate("window.drawn") if text.startswith("14.222")]
    assert len(labels) >= 3
    assert len(labels) == len(set(labels))


def test_diagrams_of_several_systems_share_their_axes(tmp_path: Path, browse: Open) -> None:
    from rtgauge.compare.page import sections
    from rtgauge.report.formats.html import page as rendered
    from tests.compare.test_kernels import study

    file = tmp_path / "study.html"
    file.write_text(rendered(sections(study(none=1_000_000.0, rt=12_000.0), charts=True)), "utf-8")
    last = """canvas => {
        const { width, height } = canvas, data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
        let right = 0;
        for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200 && data[i + 2] > data[i] + 40) right = Math.max(right, (i / 4) % width);
        return right / width;
    }"""
    with browse(file) as page:
        show(page, "#distributions .row.beside .plot:last-child .canvas")
        charts = page.locator("#distributions canvas")
        assert charts.count() == 2
        none, rt = (charts.nth(i).evaluate(last) for i in range(2))
        boxes = [charts.nth(i).bounding_box() for i in range(2)]
        assert boxes[0]["y"] == boxes[1]["y"]  # beside each other
        assert none > 0.9
        assert 0.2 < rt < 0.5  # 12 us on an axis from 4 us to 1 ms
        assert page.locator("#distributions button.axis:visible").count() == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_a_comparison_breaks_no_word_and_labels_the_end_of_each_axis(tmp_path: Path, browse: Open, width: int) -> None:
    from rtgauge.compare import align
    from rtgauge.compare.page import sections
    from rtgauge.report.formats.html import page as rendered
    from tests.compare.columns import measured_column
    from tests.compare.test_align import switch
    from tests.findings.results import behaviour

    names = ("linux-none", "linux-voluntary", "linux-full", "linux-rt")
    runs = ([switch(1000.0 + i), behaviour("THR-B-NEW", "pass")] for i in range(len(names)))
    made = align([measured_column(name, found) for name, found in zip(names, runs, strict=True)])
    file = tmp_path / "compare.html"
    file.write_text(rendered(sections(made, charts=True)), "utf-8")
    lines = """word => [...document.querySelectorAll("td:not(.timeline), th")]
        .filter(e => e.offsetParent && e.textContent.includes(word))
        .map(e => {
            const text = document.createTreeWalker(e, NodeFilter.SHOW_TEXT).nextNode(), at = text.data.indexOf(word);
            const range = document.createRange();
            range.setStart(text, at); range.setEnd(text, at + word.length);
            return range.getClientRects().length;
        })"""
    with browse(file, width=width) as page:
        for fold in page.locator("details").all():
            fold.evaluate("fold => { fold.open = true; }")
        for word in ("voluntary", "behaviour", "median"):
            found = page.evaluate(lines, word)
            assert found, word
            assert set(found) == {1}, word
        assert page.locator("svg.ticks text.end").count() == page.locator("svg.ticks").count() > 0
        page.emulate_media(media="print")
        assert page.locator("#tests > h2").is_visible()
