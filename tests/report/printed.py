"""A PDF as independent programs read it."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cached_property
from pathlib import Path

import pytest

PIXELS = 893  # of the width of A4, as pdftohtml counts
TOOLS = ("pdfinfo", "pdftotext", "pdffonts", "pdftohtml")


class Printed:
    def __init__(self, content: bytes, folder: Path) -> None:
        for tool in TOOLS:
            if shutil.which(tool) is None:
                pytest.skip(f"{tool} is missing: install poppler-utils")
        assert content.startswith(b"%PDF-")
        self.path = folder / "report.pdf"
        self.path.write_bytes(content)

    def _run(self, tool: str, *options: str, last: str = "-") -> str:
        command = [tool, *options, str(self.path), *([last] if last else [])]
        done = subprocess.run(command, capture_output=True, check=True)
        assert done.stderr == b""
        return done.stdout.decode(errors="replace")  # boxes of rare letters come in no encoding

    @cached_property
    def info(self) -> dict[str, str]:
        lines = self._run("pdfinfo", "-l", "-1", "-isodates", last="").splitlines()
        return {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}

    @property
    def pages(self) -> int:
        return int(self.info["Pages"])

    @cached_property
    def texts(self) -> list[str]:
        """Page by page, in the order in which it was written: each cell by itself."""
        return self._run("pdftotext", "-raw").split("\f")[:-1]

    @cached_property
    def text(self) -> str:
        return "\n".join(self.texts)

    @cached_property
    def dense(self) -> str:
        """Without any space: lines break anywhere."""
        return dense(self.text)

    def layout(self, page: int) -> str:
        return self._run("pdftotext", "-layout", "-f", str(page), "-l", str(page))

    @cached_property
    def fonts(self) -> list[str]:
        return self._run("pdffonts", last="").splitlines()[2:]

    @cached_property
    def boxes(self) -> list[tuple[float, float, list[tuple[float, float, float, float]]]]:
        """(width, height, boxes of the words) of each page."""
        found = []
        for page in self._run("pdftotext", "-bbox").split("<page ")[1:]:
            size = re.match(r'width="([\d.]+)" height="([\d.]+)"', page)
            assert size
            words = re.findall(r'xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)"', page)
            boxes = [tuple(map(float, word)) for word in words]
            found.append((float(size[1]), float(size[2]), boxes))
        return found  # type: ignore[return-value]

    @cached_property
    def links(self) -> list[tuple[str, int, bool]]:
        """(words, page to which it leads, whether it stands at the right margin) of each link within the document."""
        pages = self._run("pdftohtml", "-xml", "-i", "-stdout", last="").split("<page ")[1:]
        return [
            (re.sub("<.*?>", "", words), int(to), int(left) + int(width) > 0.9 * PIXELS)
            for text in pages
            for left, width, to, words in re.findall(
                r'left="(\d+)" width="(\d+)"[^>]*><a href="[^"#]*#(\d+)">(.*?)</a></text>', text
            )
        ]

    @cached_property
    def outline(self) -> list[tuple[str, int]]:
        """(words, page) of each bookmark."""
        text = self._run("pdftohtml", "-xml", "-i", "-stdout", last="")
        return [(words, int(page)) for page, words in re.findall(r'<item page="(\d+)">(.*?)</item>', text)]

    def assert_within_margins(self, margin: float = 45.0) -> None:
        for number, (width, height, boxes) in enumerate(self.boxes, 1):
            for left, top, right, bottom in boxes:
                assert left >= margin - 1, (number, left)
                assert right <= width - margin + 2, (number, right)
                assert top >= 0, (number, top)
                assert bottom <= height, (number, bottom)


def dense(text: str) -> str:
    return re.sub(r"\s", "", text)
