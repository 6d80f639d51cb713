"""The comments of a vendor: read with care, shown as plain paragraphs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rtgauge.errors import UsageError
from rtgauge.report import read_vendor, render
from rtgauge.report.vendor import LARGEST, paragraphs
from tests.report.example import result, view
from tests.report.hostile import EVIL
from tests.report.test_html import Page, page_of

RUN = view([(result("MUT-B-ARC", status="pass"), None)])


def test_paragraphs_are_parted_by_empty_lines() -> None:
    assert paragraphs("one\ntwo\r\n \t\r\n# three\n\n\n- four\n") == ("one two", "# three", "- four")
    assert paragraphs(" \n\n") == ()


def test_comments_are_shown_as_they_were_written() -> None:
    page = page_of(replace(RUN, vendor="We **disagree**.\n\nSecond"))
    assert "Comments of the vendor" in page.text
    assert "We **disagree**." in page.text
    assert "Nothing of it was checked" in page.text


def test_hostile_comments_stay_text() -> None:
    html = str(render(replace(RUN, vendor=EVIL), "html"))
    tame = str(render(replace(RUN, vendor="x"), "html"))
    assert {tag for tag, _ in Page(html).seen} == {tag for tag, _ in Page(tame).seen}
    text = str(render(replace(RUN, vendor=EVIL), "md"))
    assert "<script" not in text


def test_without_comments_there_is_no_section() -> None:
    assert "Comments of the vendor" not in page_of(RUN).text
    assert "Comments of the vendor" not in page_of(replace(RUN, vendor=" \n \n")).text


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "vendor.md"
    file.write_bytes(b"\xef\xbb\xbfAs we see it")
    assert read_vendor(file) == "As we see it"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x" * (LARGEST + 1), "larger than 64 KiB"),
        (b"abc\xff", r"not text in UTF-8 \(byte 3\)"),
        (b" \n\n ", "say nothing"),
        (b"", "say nothing"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_line(tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "vendor.md"
    file.write_bytes(data)
    with pytest.raises(UsageError, match=words) as refused:
        read_vendor(file)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["", "absent", "a\0b"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot read the comments"):
        read_vendor(tmp_path / name if name else tmp_path)
