"""A comparison as a PDF."""

from __future__ import annotations

from pathlib import Path

from rtgauge.cli import main


def test_pdf(tmp_path: Path) -> None:
    file = tmp_path / "c.pdf"
    things = ("reference:lynxos-3.0.1", "reference:solaris-8-1rt", "reference:solaris-8-2proc")
    assert main(["compare", *things, "--format", "pdf", "-o", str(file)]) == 0
    assert file.read_bytes().startswith(b"%PDF-")
