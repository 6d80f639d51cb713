"""What a study of kernels shows beside its tables: words and options that differ, and the samples on shared axes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rtgauge.compare import align, tables, to_json
from rtgauge.compare.distributions import MOST, distributions, drawn, lines, pooled, undrawn
from rtgauge.compare.kernels import kernels
from rtgauge.compare.page import sections
from rtgauge.compare.things import of_run
from rtgauge.compare.values import Column, Comparison, Histogram
from rtgauge.report.blocks import Figure, Row
from rtgauge.report.formats import html, md, pdf
from rtgauge.store.folder import KERNEL_CONFIG, RunFolder
from rtgauge.store.kernel_config import NOT_SET, options, read_config, write_config
from rtgauge.store.verify import verify
from tests.compare.columns import measured_column, references
from tests.findings.results import timed

COMPLETE = Path(__file__).resolve().parents[1] / "golden" / "runs" / "schema-1-complete"
LINE = "virtual command line"


def system(name: str, line: str = "", options: dict[str, str] | None = None, **more: Any) -> Column:
    """One of the lab, with a latency that spreads up to `top` ns."""
    top = more.pop("top", 10_000.0)
    bins = [[4_000.0, 5_000.0, 900], [5_000.0, 6_000.0, 99], [0.9 * top, top, 1]]
    values = {"n": 1000, "min": 4_000.0, "median": 4_500.0, "avg": 4_600.0, "max": 0.95 * top, "histogram": bins}
    result = timed("TMR-P-CYC", params={"interval": "1ms"}, **{**values, **more})
    column = measured_column(f"20260301-101500-lab-{name[:6].ljust(6, '0')}", [result])
    same = {"time": "virtual", "virtual qemu": "7.2", "virtual system": name}
    return replace(column, configuration={**column.configuration, **same, LINE: line}, options=options)


def study(**tops: float) -> Comparison:
    """Systems whose largest samples are these."""
    return align([system(f"linux-{name}", f"quiet preempt={name}", top=top) for name, top in tops.items()])


def told(*columns: Column) -> dict[str, tuple[str | None, ...]]:
    return {one.name: one.values for one in kernels(columns)}


def test_words_of_command_lines_are_told_one_by_one() -> None:
    one = system("a", "console=ttyS0 quiet rtgauge.virtual=2 preempt=none preempt=full")
    other = system("b", "console=ttyS0 rtgauge.virtual=2 rtgauge.replica=3 preempt=none")
    assert told(one, other) == {"preempt=": ("full", "none"), "quiet": ("given", "not set")}  # the last one counts
    assert told(one, replace(one, name="c")) == {}
    assert told(one) == {}
    assert told(system("a", "x='1"), system("b", "x=2")) == {"x=": ("'1", "2")}


def test_options_are_told_one_by_one_those_of_preemption_first() -> None:
    one = system("a", options={"CONFIG_ACPI": "y", "CONFIG_HZ": "250", "CONFIG_PREEMPT_RT": "n", "CONFIG_SMP": "y"})
    other = system("b", options={"CONFIG_HZ": "1000", "CONFIG_PREEMPT_RT": "y", "CONFIG_SMP": "y", "CONFIG_NET": "n"})
    found = told(one, other)
    assert [*found] == ["CONFIG_PREEMPT_RT", "CONFIG_HZ", "CONFIG_ACPI"]  # an option that is not there is not set
    assert found["CONFIG_PREEMPT_RT"] == ("not set", "y")
    assert found["CONFIG_HZ"] == ("250", "1000")


def test_what_is_not_known_of_a_kernel_is_said_and_no_difference() -> None:
    columns = [
        system("a", options={"CONFIG_HZ": "250", "CONFIG_SMP": "y"}),
        system("b"),
        system("c", options={"CONFIG_HZ": "100", "CONFIG_SMP": "y"}),
        *references("qnx-6.5"),
    ]
    grid = tables.kernels(align(columns))
    assert grid.rows == (("CONFIG_HZ", "250", "–", "100", "–"),)
    assert grid.notes == ("Not known: the options of the kernel of b.",)
    assert tables.kernels(align(columns[:2])).rows == ()


def test_options_are_read_as_kernels_write_them() -> None:
    text = 'CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C="a=b \\"c"\n#\n# CONFIG_D=y\nBAD=y\nCONFIG_E=0x1f\r\n'
    assert options(text) == {"CONFIG_A": "y", "CONFIG_B": NOT_SET, "CONFIG_C": '"a=b \\"c"', "CONFIG_E": "0x1f"}


def test_options_are_kept_with_the_run(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "lab", {})
    write_config(folder, "CONFIG_HZ=250\n")
    folder.finish("complete")
    assert KERNEL_CONFIG in folder.manifest["files"]
    assert read_config(folder.path) == {"CONFIG_HZ": "250"}
    path = folder.path / KERNEL_CONFIG
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-3])
    assert read_config(folder.path) == {"CONFIG_HZ": "250"}  # what there is
    path.write_bytes(b"nothing of the kind")
    assert read_config(folder.path) is None
    path.unlink()
    assert read_config(folder.path) is None


def test_a_configuration_that_was_changed_is_found(tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / COMPLETE.name
    shutil.copytree(COMPLETE, copy)
    (copy / KERNEL_CONFIG).write_bytes(b"slipped in")
    assert [line for line in verify(copy).mismatches if KERNEL_CONFIG in line] == [
        f"{KERNEL_CONFIG}: the manifest has no hash of it"
    ]
    assert of_run(copy).options is None


def test_systems_of_the_lab_are_called_by_their_names() -> None:
    one, other = system("linux-rt"), system("linux-full")
    assert [column.short for column in align([one, other]).columns] == ["linux-rt", "linux-full"]
    again = replace(one, name="20260301-101500-lab-abcdef")
    assert [column.short for column in align([one, again]).columns] == [one.name, "lab-abcdef"]


def test_all_systems_share_the_axes_of_a_test() -> None:
    made = study(none=1_000_000.0, rt=12_000.0)
    (shared,) = distributions(made)
    assert (shared.low, shared.high, shared.most, shared.log) == (4_000.0, 1_000_000.0, 900, True)
    (part,) = next(one for one in sections(made, charts=True) if one.part.anchor == "distributions").part.blocks[1:]
    (row,) = part.blocks  # type: ignore[union-attr]
    assert isinstance(row, Row)
    figures = [one for one in row.blocks if isinstance(one, Figure)]
    assert [one.title for one in figures] == ["linux-none", "linux-rt"]
    assert {(one.span, one.most, one.log, one.x_label) for one in figures} == {((0.004, 1.0), 900.0, True, "time, ms")}
    assert "largest 950" in figures[0].caption
    page = html.page(sections(made, charts=True))
    assert page.count('data-most="900.0"') == 2
    assert page.count('class="row beside"') == 1


def test_as_text_a_column_is_the_same_time_for_all() -> None:
    first, none, rt, axis = lines(study(none=1_000_000.0, rt=12_000.0), width=40)
    assert first.startswith("TMR-P-CYC")
    bars = [line.partition("|")[2].rpartition("|")[0] for line in (none, rt)]
    assert [len(bar) for bar in bars] == [40, 40]
    assert bars[0][0] == bars[1][0] == "█"  # 900 samples from 4 to 5 us
    assert bars[0][-1] == "▁"
    assert bars[1][10:].strip() == ""  # 12 us lie before the eleventh of forty logarithmic steps
    assert axis.split() == ["4", "us", "logarithmic", "axis", "1", "ms"]


def test_in_markdown_and_on_paper_too(tmp_path: Path) -> None:
    made = study(none=1_000_000.0, rt=12_000.0)
    page = md.page(sections(made, charts=False))
    bars = [line.split("|")[1] for line in page.splitlines() if line.startswith("0.004")]
    assert len(bars) == 2
    assert bars[1].rstrip() != bars[1]
    path = tmp_path / "c.pdf"
    path.write_bytes(pdf.page(sections(made, charts=True), title="Comparison", created=""))
    assert path.stat().st_size > 10_000


def test_a_comparison_writes_microseconds_in_one_way() -> None:
    text = html.page(sections(study(none=90_000.0, rt=12_000.0), charts=True))
    assert "time, us" in text
    assert "µs" not in text.split("<body>")[1].split("<script>")[0]


def test_what_is_alike_has_few_samples_or_nobody_beside_it_is_not_drawn() -> None:
    assert distributions(study(rt=1_000_000.0)) == ()
    assert distributions(study(full=7_000.0, rt=7_000.0)) == ()
    few = [[4_000.0, 5_000.0, 98], [90_000.0, 95_000.0, 1]]
    assert distributions(align([system("a", histogram=few), system("b", top=90_000.0)])) == ()


def test_a_bar_with_specks_is_not_drawn_and_why_is_told() -> None:
    lone = [[4_000.0, 5_000.0, 990], [90_000.0, 95_000.0, 1]]
    wide = [[4_000.0, 5_000.0, 500], [50_000.0, 95_000.0, 491]]
    made = align([system("a", histogram=lone), system("b", "preempt=none", top=90_000.0, histogram=lone)])
    assert len(distributions(made)) == 1  # all of them for other programs
    assert drawn(made) == ()
    assert undrawn(made) == "Not drawn: values that lie close together, or nearly all are one: TMR-P-CYC."
    assert not [one for one in sections(made, charts=True) if one.part.anchor == "distributions"]
    assert len(drawn(align([system("a", histogram=lone), system("b", "preempt=none", histogram=wide)]))) == 1
    few = align([system(name, histogram=[[4_000.0, 5_000.0, 9]]) for name in "ab"])
    assert undrawn(few) == "Not drawn: fewer than 100 samples: TMR-P-CYC."


def test_what_differs_most_comes_first_and_not_too_much() -> None:
    def column(name: str, step: float) -> Column:
        one = system(name, f"preempt={name}")
        ((key, histogram),) = one.histograms.items()
        keys = {i: replace(key, params=(("interval", f"{i}ms"),)) for i in range(1, MOST + 4)}
        bins = {i: (*histogram.bins[:2], (9e3, 9e3 + i * step, 1)) for i in keys}
        histograms = {keys[i]: Histogram("ns", bins[i]) for i in keys}
        return replace(one, histograms=histograms, cells=dict.fromkeys(histograms, one.cells[key]))

    found = distributions(align([column("a", 100.0), column("b", 10_000.0)]))
    assert [one.key.params[0][1] for one in found] == [f"{i}ms" for i in range(MOST + 3, 3, -1)]


def test_samples_of_repeats_are_put_together() -> None:
    one = Histogram("ns", ((1.0, 2.0, 5), (4.0, 5.0, 1)))
    other = Histogram("ns", ((1.0, 2.0, 3), (2.0, 3.0, 2)))
    assert pooled([one, other]) == Histogram("ns", ((1.0, 2.0, 8), (2.0, 3.0, 2), (4.0, 5.0, 1)))
    assert pooled([]) is None


def test_the_conclusion_tells_the_largest_of_each_kernel() -> None:
    made = study(none=1_000_000.0, full=200_000.0, rt=12_000.0)
    (sentence,) = [one for one in made.conclusion if one.rule == "kernels"]
    assert sentence.text.endswith(": linux-rt 11.4 us, linux-full 190 us, linux-none 950 us.")
    assert made.rows[sentence.rows[0]].key.id == "TMR-P-CYC"
    assert [one for one in study(none=12_000.0, rt=11_000.0).conclusion if one.rule == "kernels"] == []
    few = [[4_000.0, 5_000.0, 98], [90_000.0, 95_000.0, 1]]
    made = align([system("a", "x=1", histogram=few, top=1e6), system("b")])
    assert [one for one in made.conclusion if one.rule == "kernels"] == []


@pytest.mark.parametrize(
    ("version", "line", "model"),
    [
        ("#1 SMP PREEMPT_DYNAMIC", "quiet preempt=none preempt=full x", "full (PREEMPT_DYNAMIC, preempt=full)"),
        ("#1 SMP PREEMPT_DYNAMIC", "quiet xpreempt=full", "PREEMPT_DYNAMIC"),
        ("#1 SMP PREEMPT_RT", "preempt=full", "PREEMPT_RT"),
        ("#1 SMP", "preempt=full", None),
    ],
)
def test_a_preemption_model_that_was_chosen_counts(version: str, line: str, model: str | None) -> None:
    one = measured_column("a", [], version=version, kernel_command_line=line)
    assert one.configuration.get("preemption model") == model


def test_models_that_were_chosen_are_not_ranked_against_each_other() -> None:
    facts = [
        {"version": "PREEMPT_DYNAMIC", "kernel_command_line": f"preempt={one}"} for one in ("none", "full", "none")
    ]
    made = align([measured_column(f"r{place}", [], **one) for place, one in enumerate(facts)])
    assert made.parity.groups == ((0, 2), (1,))


@pytest.mark.parametrize("other", [{"virtual qemu": "8.0"}, {"load": "heavy"}, {"engine": "5"}, {"time": "real"}])
def test_but_of_one_machine_engine_and_load_only(other: dict[str, str]) -> None:
    one, two = system("linux-none", "preempt=none", top=1e6), system("linux-rt")
    made = align([one, replace(two, configuration={**two.configuration, **other})])
    assert [told for told in made.conclusion if told.rule == "kernels"] == []


def test_for_other_programs() -> None:
    one = system("a", "x=1", options={"CONFIG_HZ": "1"}, top=1e6)
    made = align([one, system("b", "x=1", options={"CONFIG_HZ": "2"})])
    found = to_json(made)
    names = [column.name for column in made.columns]
    assert found["kernels"] == [{"name": "CONFIG_HZ", "values": dict(zip(names, ("1", "2"), strict=True))}]
    (drawn,) = found["distributions"]
    assert (drawn["unit"], drawn["from"], drawn["to"]) == ("ns", 4_000.0, 1e6)
    assert found["rows"][drawn["row"]]["test"] == "TMR-P-CYC"
    assert drawn["systems"][names[0]][0] == [4_000.0, 5_000.0, 900]
