"""What the printed page is made of: widths, words, columns, axes, places."""

from __future__ import annotations

import json
import math
import re
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.report.blocks import (
    Block,
    Bullets,
    Cell,
    Code,
    Column,
    Facts,
    Figure,
    Headline,
    Item,
    Key,
    Notice,
    Panel,
    Part,
    Row,
    Section,
    Table,
    Text,
    Timeline,
)
from rtgauge.report.typeset import axes, layout, printer
from rtgauge.report.typeset.columns import Need, fit, shares
from rtgauge.report.typeset.document import document
from rtgauge.report.typeset.links import joined
from rtgauge.report.typeset.metrics import Metrics, measured
from rtgauge.report.typeset.paper import SMALLEST, Room
from rtgauge.report.typeset.plots import figure
from rtgauge.report.typeset.words import clean, cut_short, set_in
from tests.report.hostile import evil_run

LETTERS = {chr(code): 0.5 for code in range(32, 127)}
EVEN = Metrics({"body": LETTERS, "bold": LETTERS, "mono": LETTERS})  # every letter half its size wide


def test_letters_are_measured_as_they_are_set() -> None:
    metrics = measured(["ß"])
    wide = metrics.width("1234567890", 10)
    assert wide == pytest.approx(46.5)  # its figures are all equally wide
    assert metrics.width("W", 10, "bold") > metrics.width("W", 10) > metrics.width("ß", 10) > metrics.width("i", 10)
    assert metrics.width("i", 10, "mono") == metrics.width("W", 10, "mono")


# ---- words -----------------------------------------------------------------------------------------------------------


@given(st.text(alphabet="ab/.- ", max_size=80), st.floats(10, 60))
def test_pieces_are_the_whole_text_and_fit(text: str, room: float) -> None:
    pieces = set_in(text, room, 10, EVEN)
    parts = [pieces] if isinstance(pieces, str) else pieces
    assert "".join(parts) == text
    words = [word for part in parts for word in part.split(" ")]
    assert all(EVEN.width(word, 10) <= room for word in words)


def test_a_long_word_breaks_after_a_joint() -> None:
    assert set_in("isolcpus=managed_irq", 52, 10, EVEN) == ["isolcpus=", "managed_", "irq"]
    assert set_in("0123456789", 31, 10, EVEN) == ["012345", "6789"]
    assert set_in("two words", 31, 10, EVEN) == "two words"  # it breaks where the space is


def test_what_does_not_fit_in_one_line_ends_in_dots() -> None:
    metrics = measured([])
    assert cut_short("abc", 100, 10, metrics) == "abc"
    short = cut_short("a long title of a report", 60, 10, metrics)
    assert short.endswith("…")
    assert metrics.width(short, 10) <= 60


def test_nothing_unseen_reaches_the_page() -> None:
    assert clean("a\x00b\u202ec\u2028d\ne") == "a\ufffdb\ufffdc d e"

    def texts(tree: Any) -> list[str]:
        if isinstance(tree, dict):
            return [text for key, value in tree.items() if key != "svg" for text in texts(value)]
        if isinstance(tree, list):
            return [text for value in tree for text in texts(value)]
        return [tree] if isinstance(tree, str) else []

    from rtgauge.report.sections import sections

    found = texts(document(sections(evil_run()), "Report", "\x1b[31m\u202e"))
    assert len(found) > 200
    assert all(clean(text) == text for text in found)


# ---- columns ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(1, 300), st.floats(0.05, 1)), min_size=1, max_size=12), st.floats(50, 600))
def test_columns_never_exceed_their_room(columns: list[tuple[float, float]], room: float) -> None:
    needs = [Need(natural, natural * part, natural / 2) for natural, part in columns]
    widths = shares(needs, room)
    assert sum(widths) <= room + 1e-6
    if sum(need.least for need in needs) <= room:
        assert all(width >= need.least - 1e-6 for width, need in zip(widths, needs, strict=True))


def test_a_column_with_one_long_text_leaves_room_to_the_others() -> None:
    rare, full, short = shares([Need(400, 50, 60), Need(400, 50, 350), Need(40, 40, 40)], 500)
    assert rare + full + short == pytest.approx(500)
    assert 50 <= rare < 150 < 300 < full
    assert short == 40


def test_a_table_shrinks_then_turns_then_splits() -> None:
    def of(number: int) -> Any:
        return lambda size: [Need(size * 8, size * 8, 0.0)] * number

    assert fit(of(7), 505, 8.5, 1, turns=True).size == 8.5
    smaller = fit(of(8), 505, 8.5, 1, turns=True)
    assert SMALLEST <= smaller.size < 8.5
    assert not smaller.turned
    assert fit(of(11), 505, 8.5, 1, turns=True).turned
    assert len(fit(of(11), 505, 8.5, 1, turns=False).groups) == 2
    split = fit(of(30), 505, 8.5, 2, turns=True)
    assert all(group[:2] == (0, 1) for group in split.groups)
    assert sorted(column for group in split.groups for column in group[2:]) == list(range(2, 30))


# ---- axes ------------------------------------------------------------------------------------------------------------


@given(st.floats(-1e12, 1e12), st.floats(0, 1e12), st.booleans(), st.booleans())
def test_marks_lie_on_their_axis_and_apart(low: float, more: float, log: bool, upright: bool) -> None:
    made = axes.axis(low, low + more, 120, log)
    if made is None:
        return
    found = axes.marks(made, lambda text: len(text) * 3.5, upright)
    places = [place for place, _ in found]
    assert all(-1e-6 <= place <= 120 + 1e-6 for place in places)
    assert places == sorted(places)
    texts = [text for _, text in found]
    assert len(set(texts)) == len(texts)


def test_a_logarithmic_axis_prefers_powers_of_ten() -> None:
    made = axes.axis(1, 1e4, 200, True)
    assert made is not None
    assert {"1", "10", "100", "1\u202f000", "10\u202f000"} <= {
        text for _, text in axes.marks(made, lambda text: 4 * len(text), False)
    }
    places = made.places(np.array([1.0, 10.0, 100.0]))
    assert places[1] - places[0] == pytest.approx(places[2] - places[1])


def test_an_axis_without_room_is_none() -> None:
    assert axes.axis(-1.7e308, 1.7e308, 100, False) is None
    assert axes.axis(math.nan, 1, 100, False) is None
    assert axes.axis(5.0, 5.0, 100, False) is not None
    assert axes.axis(5.0, 5.0, 100, True) is not None


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1500, "1\u202f500"), (-0.25, "−0.25"), (1e-5, "10⁻⁵"), (2e7, "2·10⁷"), (12345.5, "12\u202f345.5")],
)
def test_labels(value: float, text: str) -> None:
    assert axes.label(value) == text


def test_labels_far_from_zero_tell_neighbours_apart() -> None:
    made = axes.axis(100000.000001, 100000.000009, 400, False)
    assert made is not None
    texts = [text for _, text in axes.marks(made, lambda text: 2.0 * len(text), False)]
    assert len(texts) > 2
    assert len(set(texts)) == len(texts)


# ---- diagrams --------------------------------------------------------------------------------------------------------


def drawn(plot: Any, x: Any, y: Any, z: Any = (), log: bool = False) -> dict[str, Any]:
    values = (np.array(one, dtype=np.float64) for one in (x, y, z))
    return figure(Figure(plot, "Title", "Caption", "x, s", "y, ns", *values, log=log), Room.page(), measured([]))


def test_no_sample_that_is_seen_is_lost() -> None:
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.uniform(0, 10, 1000)), rng.uniform(1, 2, 1000)
    y[500] = 100.0
    node = drawn("samples", x, y)
    marks = [tuple(map(float, one)) for one in re.findall(r"M([-\d.]+) ([-\d.]+)h1\.0", node["svg"])]
    assert len(marks) > 500
    top = min(marks, key=lambda one: one[1])
    assert top[0] == pytest.approx(x[500] / 10 * node["wide"], abs=node["wide"] * 0.04)
    assert top[1] < node["tall"] * 0.1
    assert all(0 <= place <= node["tall"] for _, place in marks)


def test_each_bin_has_its_bar_and_each_axis_its_unit() -> None:
    node = drawn("histogram", [1, 10, 100], [5, 1, 1000], [2, 20, 200], log=True)
    bars = re.search(r'<path d="([^"]*z)" fill', node["svg"])
    assert bars
    assert bars[1].count("z") == 3
    assert (node["x_label"], node["y_label"]) == ("x, s", "y, ns")
    heights = [node["tall"] - float(one) for one in re.findall(r"V([\d.]+)h", bars[1])]
    assert heights[2] > heights[0] > heights[1] > 0


@pytest.mark.parametrize("plot", ["samples", "histogram", "tail", "against"])
@pytest.mark.parametrize("values", [[], [math.nan], [0.0], [1e308, 1e-308], [-1e308, 1e308], [0.0, math.inf, 3.0]])
def test_any_values_are_drawn_or_not(plot: str, values: list[float]) -> None:
    for log in (False, True):
        node = drawn(plot, values, values, values, log)
        json.dumps(node, allow_nan=False)
        assert ("svg" in node) != ("cannot be drawn" in str(node["caption"]))
        assert "nan" not in node.get("svg", "")


# ---- the whole -------------------------------------------------------------------------------------------------------

ONE_OF_EACH: tuple[Block, ...] = (
    Table((Column("a"),), ((Cell("b"),),)),
    Facts((("a", Cell("b")),)),
    Text("a"),
    Code(("rtgauge run", "x" * 300), title="Commands"),
    Headline("a", "b"),
    Bullets((Item("a"),)),
    Notice("a", "b"),
    Figure("tail", "a", "b", "c", "d", np.array([1.0, 2.0]), np.array([1.0, 0.5])),
    Key((("thread", "a"), ("unknown", "b"))),
    Panel("a", (Text("b"),)),
    Row((Text("a"), Text("b"))),
    Part("a", "b", (Text("c"),)),
)


def test_every_kind_of_block_is_printed() -> None:
    assert {type(one) for one in ONE_OF_EACH} == set(get_args(Block))
    metrics = measured([])
    for one in ONE_OF_EACH:
        assert layout.blocks([one], Room.page(), metrics)
    part = Part("top", "Top", ONE_OF_EACH, level=1)
    assert printer.printed(document((Section(1, part, "All"),), "Title", "run"), "").startswith(b"%PDF")


def test_ticks_of_a_timeline_stay_within_it() -> None:
    line = Timeline((), "x", ticks=((0.0, "0 µs"), (1.0, "100 µs")))
    (node,) = layout.blocks([Table((Column("a"),), ((line,),))], Room.page(), measured(["µ"]))
    (cell,) = node["rows"][0]
    assert cell["ticks"][0][0] == 0
    assert cell["ticks"][1][0] < cell["wide"]


def test_labels_of_an_axis_do_not_touch() -> None:
    ticks = tuple((i / 4, f"{i * 50} us" if i else "0") for i in range(5))
    metrics = measured([])
    node = layout.blocks([Table((Column("a"),) * 9, ((Timeline((), "x", ticks),) * 9,))], Room.page(), metrics)[0]
    cell = node["rows"][0][0]
    ends = [left + metrics.width(text, node["size"] * 0.86) for left, text in cell["ticks"]]
    assert [text for _, text in cell["ticks"]][-1] == "200 us"
    assert 1 < len(ends) < 5
    assert all(end < left for end, (left, _) in zip(ends[:-1], cell["ticks"][1:], strict=True))


def test_ways_lead_to_the_first_place_of_a_name_or_nowhere() -> None:
    tree = {"a": [{"id": "x"}, {"id": "x"}, {"to": "x"}, {"page": "gone"}], "b": {"id": "", "to": "x y)<p0>"}}
    assert joined(tree) == {"a": [{"id": "p0"}, {}, {"to": "p0"}, {}], "b": {}}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-01T10:15:00.25Z", "2026-03-01T10:15:00+00:00"),
        ("2026-03-01T10:15:00+02:00", "2026-03-01T08:15:00+00:00"),
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        ("yesterday", None),
        ("", None),
        ("0001-01-01T00:00:00+23:00", None),
    ],
)
def test_moments(text: str, moment: str | None) -> None:
    found = printer.moment_of(text)
    assert (found and found.isoformat()) == moment


def test_the_template_reads_no_file() -> None:
    with pytest.raises(RuntimeError, match="not found"):
        printer.queried('#metadata(read("/etc/passwd"))', None)
    with pytest.raises(RuntimeError):
        printer.queried('#metadata(read("../../etc/passwd"))', None)
