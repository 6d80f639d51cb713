"""The configuration: after the figures, what all have first, what only one kind of system has folded."""

from __future__ import annotations

from dataclasses import replace

from rtgauge.compare import align
from rtgauge.compare.configuration import configuration
from rtgauge.compare.page import sections
from rtgauge.compare.settings import ONE_KIND, differing, of_one_kind, same
from rtgauge.compare.terminal import lines
from rtgauge.compare.values import Column, Comparison
from rtgauge.report.blocks import Table
from rtgauge.report.formats import html, md, pdf
from tests.compare.columns import measured_column, references
from tests.compare.test_align import switch

DIGEST, OTHER = "0123456789ab", "ba9876543210"
OPTIONS = {f"configUSE_{place}": "1" for place in range(30)}


def system(name: str, os: str, **settings: str) -> Column:
    column = measured_column(name, [switch(1000.0)])
    told = {name.replace("_", " "): text for name, text in settings.items()}
    return replace(column, configuration={"run": name, "OS": os, "cpus": "one", **told})


def boards() -> Comparison:
    """Two kernels of one kind, and one of another."""
    linux = {"kernel_command_line": "quiet", "memory_MB": "969", "preemption_model": "PREEMPT_RT"}
    return align(
        [
            system("a", "Linux", virtual_kernel=DIGEST, version="6.12", **linux),
            system("b", "Linux", virtual_kernel=OTHER, version="6.1", **linux),
            replace(
                (one := system("c", "FreeRTOS", virtual_kernel=DIGEST, version="11", assertions="none")),
                configuration={**one.configuration, **OPTIONS},
            ),
        ]
    )


def test_what_all_have_comes_first_and_digests_last() -> None:
    names = [line[0] for line in differing(boards()).rows]
    assert names == ["run", "OS", "version", "preemption model", "assertions", "virtual kernel"]
    assert [line[0] for line in same(boards()).rows] == ["cpus"]


def test_what_only_one_kind_of_system_has_is_apart() -> None:
    grid = of_one_kind(boards())
    assert [line[0] for line in grid.rows] == ["kernel command line", "memory MB", *OPTIONS]
    assert grid.rows[0] == ("kernel command line", "quiet", "quiet", "–")
    kernels = [system("a", "Linux", memory_MB="1"), system("b", "Linux")]
    assert of_one_kind(align(kernels)).rows == ()  # all of one kind
    made = align([system("a", "Linux"), system("b", "FreeRTOS"), *references("qnx-6.5")])
    assert "source" in [line[0] for line in differing(made).rows]  # where a figure was published is never folded


def test_the_figures_come_before_the_configuration() -> None:
    built = sections(boards(), charts=False)
    anchors = [one.part.anchor for one in built]
    assert anchors[:2] == ["summary", "contents"]
    assert anchors.index("configuration") == anchors.index("tests") - 1
    assert [one.order for one in built] == sorted(one.order for one in built)
    text = "\n".join(lines(boards()))
    assert text.index("== Key tests") < text.index("== Configuration: what differs") < text.index(f"== {ONE_KIND}")
    assert "configUSE_17" in text
    assert "configUSE_18" not in text
    assert "and 12 more: in the other formats" in text


def test_html_folds_it_and_the_other_formats_have_it_whole() -> None:
    built = sections(boards(), charts=False)
    tables = [one for section in built for one in section.part.blocks if isinstance(one, Table)]
    assert [one.title for one in tables if one.folded] == [ONE_KIND]
    page = html.page(built)
    assert page.count("<details") == page.count("</details>") == 1
    folded = page.partition("<details")[2].partition("</details>")[0]
    assert f"<summary>{ONE_KIND} (32)</summary>" in folded
    assert "configUSE_29" in folded
    assert "preemption model" not in folded
    assert "<caption" not in folded
    assert page.index('href="#contents"') < page.index('href="#configuration"') < page.index('href="#tests"')
    assert f"{ONE_KIND}:" in md.page(built)
    assert "configUSE\\_29" in md.page(built)
    assert pdf.page(built, title="Comparison", created="").startswith(b"%PDF")


def test_a_part_that_a_guest_does_without_is_none() -> None:
    assert configuration({}, {"virtual": {"programs": None, "kernel": 32 * "ab"}}, 1)["virtual programs"] == "none"
