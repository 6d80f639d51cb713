"""The printed report, as other programs read its file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rtgauge.cli import main
from rtgauge.compare.align import align
from rtgauge.compare.page import sections as compared
from rtgauge.compare.things import columns_of
from rtgauge.errors import RtgaugeError
from rtgauge.report import render, view_of
from rtgauge.report.blocks import (
    Badge,
    Bullets,
    Cell,
    Column,
    Dots,
    Facts,
    Figure,
    Headline,
    Item,
    Notice,
    Panel,
    Part,
    Row,
    Section,
    Span,
    Table,
    Text,
)
from rtgauge.report.formats import md, pdf
from rtgauge.report.sections import sections
from rtgauge.store.readers import open_run
from tests.report.example import big_run, timed, view
from tests.report.hostile import HOSTILE, evil_run
from tests.report.printed import Printed, dense
from tests.report.test_run_to_run import moving
from tests.support.blamed import trace_bytes, windows
from tests.support.blamed import view_of as blamed

MARKUP = (
    '#read("/etc/passwd")',
    '#import "@preview/cetz:0.3.0"',
    '#eval("1+1")',
    "`raw` ```raw```",
    "$math^2$",
    "*bold* _slanted_ = heading",
    "@p0 <p0> #label",
    "\\ \\u{41} // comment /* more",
    "[#panic()]",
    "~ -- --- ...",
)


def made(*blocks: object, title: str = "A title", label: str = "", folder: Path) -> Printed:
    """A document of these blocks."""
    part = Part("summary", title, tuple(blocks), label=label, level=1)  # type: ignore[arg-type]
    return Printed(pdf.page((Section(10, part, "Summary"),), title="Report"), folder)


def assert_holds_the_tables_of(text: str, one: Printed, least: int) -> None:
    """Whether every figure in tables and lists of a Markdown text is in the document, and there are enough of them."""
    cells = {cell for line in text.splitlines() if line.startswith("|") for cell in line.split("|")[1:-1]}
    cells |= {line[2:] for line in text.splitlines() if line.startswith("- ")}
    checked = 0
    for cell in cells:
        plain = re.sub(r"\\(.)", r"\1", cell.strip()).replace("&lt;", "<").replace("&gt;", ">")
        for piece in re.split(r" \(|\)|: |, |[▁▂▃▄▅▆▇█]", plain):  # notes, names and links are set apart
            if any(sign.isdigit() for sign in piece):
                assert dense(piece) in one.dense, cell
                checked += 1
    assert checked >= least


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    return Printed(pdf.render(big_run()), tmp_path_factory.mktemp("pdf"))


def test_every_result_and_every_number_of_the_markdown_is_there(big: Printed) -> None:
    run = big_run()
    for entry in run.entries:
        assert dense(entry.id) in big.dense
        assert dense(entry.variant) in big.dense
    assert_holds_the_tables_of(str(render(run, "md")), big, least=500)


def test_pages_are_a4_and_numbered(big: Printed) -> None:
    assert big.pages > 10
    sizes = {value for name, value in big.info.items() if re.fullmatch(r"Page +\d+ size", name)}
    assert sizes == {"595.28 x 841.89 pts (A4)"}
    for number, text in enumerate(big.texts, 1):
        assert f"Page {number} of {big.pages}" in text
        assert re.search(r"rtgauge \d", text)
    run = str(big_run().results["run"])
    assert all(run in text and "Linux 6.1.0-rt" in text for text in big.texts)
    big.assert_within_margins()


def test_contents_name_the_right_pages(big: Printed) -> None:
    found = re.findall(r"^ *(\S.*?) {2,}(\d+)$", big.layout(1), re.MULTILINE)
    names = {name.strip(): int(page) for name, page in found}
    built = sections(big_run())
    for section in built:
        title = section.short if section.part.level == 1 else section.part.title
        assert re.search(rf"^{re.escape(title)}$", big.texts[names[title] - 1], re.MULTILINE), title
    tests = next(section.part.blocks for section in built if section.part.anchor == "tests")
    for test in tests:
        assert isinstance(test, Part)
        page = next(page for name, page in names.items() if name.startswith(test.label))
        assert any(line.startswith(f"{test.label} {test.title}") for line in big.texts[page - 1].splitlines())


def test_links_lead_to_what_they_name(big: Printed) -> None:
    assert len(big.links) > 200
    numbered = [(words, to) for words, to, at_margin in big.links if words.isdigit() and at_margin]
    assert len(numbered) > 80
    assert all(int(words) == to for words, to in numbered)
    tests = [(words[:9], page) for words, page in big.outline if re.match(r"[A-Z]{3}-[BPS]-[A-Z]{3} ", words)]
    ends = dict(zip([name for name, _ in tests], [page for _, page in tests[1:]], strict=False))
    named = [(words, to) for words, to, _ in big.links if words in ends]
    assert len(named) > 20
    for words, to in named:  # its heading, or that of one of its results
        assert dict(tests)[words] <= to <= ends[words]


def test_bookmarks_of_sections_tests_and_variants(big: Printed) -> None:
    words = [words for words, _ in big.outline]
    assert {"Summary", "All results", "Tests", "THR-P-SLS Switch latency", "threads 128"} <= set(words)
    for name, page in big.outline:
        assert dense(name) in dense(big.texts[page - 1])


def test_fonts_are_embedded_and_its_own(big: Printed) -> None:
    assert big.fonts
    for line in big.fonts:
        assert re.search(r"\+(LibertinusSerif|DejaVuSansMono|NewCM)", line)
        assert re.search(r" yes yes (yes|no) +\d+ +0$", line), line  # embedded, a subset


def test_properties_of_the_file(big: Printed) -> None:
    assert big.info["Title"] == "Evaluation report · Linux 6.1.0-rt on x86_64"
    assert big.info["CreationDate"] == "2026-03-01T10:15:00Z"
    assert big.info["JavaScript"] == "no"


def test_the_same_run_gives_the_same_bytes() -> None:
    code = (
        "import sys; from rtgauge.report.formats import pdf; from tests.report.example import view; "
        "sys.stdout.buffer.write(pdf.render(view([])))"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7", "PYTHONPATH": str(root)}
    other = subprocess.run([sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, check=True)
    assert pdf.render(view([])) == other.stdout
    undated = [pdf.page(sections(view([])), title="x", created=created) for created in ("", "no date")]
    assert undated[0] == undated[1]
    assert b"CreationDate" not in undated[0]


# ---- texts of others -------------------------------------------------------------------------------------------------


def test_markup_is_text(tmp_path: Path) -> None:
    rows = tuple((Cell(text, unit=text, note=text, anchor=text, href=text), Badge(text)) for text in MARKUP)
    blocks = [
        *(Text(text) for text in MARKUP),
        Table((Column(MARKUP[0]), Column(MARKUP[1])), rows, title=MARKUP[0], note=MARKUP[3]),
        Facts(tuple((text, Cell(text)) for text in MARKUP), title=MARKUP[0]),
        Bullets(tuple(Item(text, links=(Cell(text, href=text),)) for text in MARKUP), title=MARKUP[4]),
        *(Notice(text, text, text) for text in MARKUP),
        *(Panel(text, (Headline(text, text),)) for text in MARKUP),
        *(Part(text, text, (), label=text, statuses=(text,), level=level) for text in MARKUP for level in (2, 3, 4)),
    ]
    one = made(*blocks, title=MARKUP[0], label=MARKUP[4], folder=tmp_path)
    for text in MARKUP:
        assert one.dense.count(dense(text)) >= 10, text
    assert "root:" not in one.text
    one.assert_within_margins()


@pytest.mark.parametrize("text", [*HOSTILE, "x" * 5000, "é" * 300 + "😀" * 300 + "漢" * 300, "שלום " * 200, "\ud800"])
def test_any_text_stays_on_its_page(text: str, tmp_path: Path) -> None:
    cells = (Cell(text), Cell(text, numeric=True, unit=text, note=text), Badge(text), Cell(text, tone="bad"))
    narrow = Row((Panel(text, (Facts(((text, Cell(text)),)),)),) * 4, style="notes")
    figures = Table(tuple(Column(text) for _ in range(4)), (tuple(Cell(text) for _ in range(4)),), style="figures")
    blocks = (Text(text), Table(tuple(Column(text) for _ in cells), (cells,), title=text), narrow, figures)
    one = made(*blocks, Headline(text, text), Notice(text, text), title=text, label=text, folder=tmp_path)
    one.assert_within_margins()
    seen = re.sub("[\u202a-\u202c]", "", one.text) if "ש" in text else one.text  # set by the reader of the file
    assert not re.search("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", seen)
    if set(text) == {"x"}:
        assert one.text.count("x") > 8 * len(text)


def test_a_run_full_of_hostile_texts(tmp_path: Path) -> None:
    one = Printed(pdf.render(evil_run()), tmp_path)
    one.assert_within_margins()
    assert dense("</script><script>alert(1)</script><img src=x onerror=alert(2)>") in one.dense
    assert "URI" not in str(one.info)


# ---- runs of every sort ----------------------------------------------------------------------------------------------


def test_an_empty_run(tmp_path: Path) -> None:
    one = Printed(pdf.render(view([])), tmp_path)
    assert "This run holds no results." in one.text
    one.assert_within_margins()
    bare = Printed(pdf.render(view([], run=None, created=None, system=None, verdict=None)), tmp_path)
    assert "Unknown system" in bare.text


def test_no_section_at_all(tmp_path: Path) -> None:
    assert "Nothing" in Printed(pdf.page((), title="Nothing"), tmp_path).text


def test_worst_samples_taken_apart(tmp_path: Path) -> None:
    one = Printed(pdf.render(blamed(trace_bytes(windows()))), tmp_path)
    for told in ("Who caused the worst samples", "ksoftirqd/1 (normal)", "What ran on its CPU", "timer interrupt not"):
        assert told in one.text
    one.assert_within_margins()


def test_run_to_run(tmp_path: Path) -> None:
    one = Printed(pdf.render(moving()), tmp_path)
    assert "1.000to1.100" in one.dense
    one.assert_within_margins()


def test_an_imported_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    file = Path(__file__).parents[1] / "importers" / "files" / "cyclictest-histogram.json"
    assert main(["import", str(file)]) == 0
    (folder,) = (tmp_path / "store" / "runs").iterdir()
    one = Printed(pdf.render(view_of(open_run(folder))), tmp_path)
    assert "unknown" in one.text
    assert "None" not in one.text
    one.assert_within_margins()


def test_a_comparison(tmp_path: Path) -> None:
    names = ("reference:lynxos-3.0.1", "reference:solaris-8-1rt", "reference:solaris-8-2proc")
    built = compared(align([column for name in names for column in columns_of(name, tmp_path)]), charts=True)
    one = Printed(pdf.page(built, title="Comparison"), tmp_path)
    one.assert_within_margins()
    assert_holds_the_tables_of(md.page(built), one, least=100)
    assert one.info["Title"].startswith("Comparison · ")


def test_what_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    ends = (np.array([1.0, 2.0]), np.array([-1.7e308, 1.7e308]))
    nothing = (np.array([np.nan, np.inf]), np.array([1.0, 1.0]))
    figures = [Figure("samples", f"Figure {i}", "Two.", "s", "ns", *values) for i, values in enumerate((ends, nothing))]
    one = made(*figures, folder=tmp_path)
    assert one.text.count("These values cannot be drawn.") == 2
    value = np.full(30, 1e15)
    value[3] = 1.0
    assert Printed(pdf.render(view([timed("THR-P-SLS", {}, value)])), tmp_path).pages > 1


def test_a_table_repeats_its_head_on_each_page(tmp_path: Path) -> None:
    rows = tuple((Cell(f"row {i}"), Cell(str(i), numeric=True)) for i in range(300))
    one = made(Table((Column("What it is"), Column("How many", True)), rows), folder=tmp_path)
    assert one.pages > 4
    assert all("What it is" in text for text in one.texts)


def test_a_wide_table_turns_its_page_and_takes_its_heading_along(tmp_path: Path) -> None:
    columns = tuple(Column(f"column {i}", True) for i in range(14))
    rows = tuple(tuple(Cell("1234567.89", numeric=True) for _ in columns) for _ in range(20))
    part = Part("wide", "A wide one", (Text("Before it."), Table(columns, rows)), level=2)
    one = made(Text("First."), part, Text("After it."), folder=tmp_path)
    assert one.pages == 3
    assert one.info["Page    2 size"] == "841.89 x 595.28 pts (A4)"
    assert "A wide one\nBefore it." in one.texts[1]
    assert "After it." in one.texts[2]
    one.assert_within_margins()


def test_a_table_wider_than_any_page_comes_in_groups_of_columns(tmp_path: Path) -> None:
    columns = (Column("name"), *(Column(f"column {i}", True) for i in range(40)))
    rows = ((Cell("first"), *(Cell(f"9{i:07}", numeric=True) for i in range(40))),)
    rows += ((Cell("second"), Cell("tells it in one line", span=40)),)
    one = made(Table(columns, rows, title="Many"), folder=tmp_path)
    groups = len(re.findall(r"Many \(\d of \d\)", one.text))
    assert groups > 2
    assert one.text.count("first") == groups
    assert all(one.dense.count(f"9{i:07}") == 1 for i in range(40))
    assert one.dense.count("tellsitinoneline") == 1
    one.assert_within_margins()


def test_drawings_of_any_figures(tmp_path: Path) -> None:
    nan, inf = float("nan"), float("inf")
    cells = (
        Span(nan, -1, 2, inf, "x"),
        Dots((None, nan, 3.0), nan, 5.0, "x"),
        Span(0, 0, 0, 0, "x"),
        Dots((), 0, 1, ""),
    )
    assert made(Table((Column("a"),) * 4, (cells,)), folder=tmp_path).pages == 1


def test_without_the_typesetter_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(RtgaugeError, match=r"pip install 'rtgauge\[pdf\]'"):
        pdf.render(view([]))
