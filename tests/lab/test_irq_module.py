"""The kernel module's sources of interrupts as a program, beside as much of a kernel as they need."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rtgauge.lab.modules import sources

HEADERS = (
    "asm/msr.h",
    *(f"linux/{name}.h" for name in ("fs", "ktime", "miscdevice", "module", "mutex")),
    *(f"linux/{name}.h" for name in ("slab", "spinlock", "swait", "uaccess")),
)
HERE = Path(__file__).parent / "modules"


def test_interrupts_of_what_was_asked_for_before_serve_nobody(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    for name in HEADERS:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('#include "kernel.h"\n')
    for name, content in sources().items():
        (tmp_path / name).write_bytes(content)
    words = [compiler, "-std=gnu11", "-w", f"-I{tmp_path}", f"-I{HERE}", "-o", str(tmp_path / "quiet")]
    built = subprocess.run([*words, str(HERE / "quiet.c")], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([str(tmp_path / "quiet")], capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
