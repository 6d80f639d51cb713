"""docs/adding-a-board.md, followed word by word from the template to an image that answers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.freertos.elf import sizes
from rtgauge.lab.freertos.kernel import kernel_of
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_list_request

ROOT = Path(__file__).parents[3]
BOARDS = ROOT / "engine" / "boards"
TEXT = (ROOT / "docs" / "adding-a-board.md").read_text()
EMULATOR = (
    *("qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-serial", "none", "-monitor", "none", "-nodefaults"),
    *("-no-user-config", "-semihosting-config", "enable=on,target=native", "-icount", "shift=7,sleep=off", "-kernel"),
)


def commands() -> list[str]:
    return [line.strip() for line in TEXT.splitlines() if line.startswith("    ")]


@pytest.fixture
def kernel() -> Path:
    for program in ("arm-none-eabi-gcc", "cmake", "ninja"):
        if not shutil.which(program):
            pytest.skip(f"{program} is missing, which builds for the template's processor")
    try:
        return kernel_of(Storage(cache_root()), None, lambda _text: None).root
    except TargetError as error:
        pytest.skip(f"no sources of FreeRTOS: {error}")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the engine is built from."""
    shutil.copytree(ROOT / "engine", tmp_path / "engine")
    shutil.copytree(ROOT / "cmake", tmp_path / "cmake")
    shutil.copytree(ROOT / "src" / "rtgauge" / "reference", tmp_path / "src" / "rtgauge" / "reference")
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    return tmp_path


def test_the_template_becomes_a_board_whose_image_answers(checkout: Path, kernel: Path) -> None:
    steps = commands()
    assert len(steps) == 9
    for step in steps[:-1]:  # the last one compares two runs
        done = subprocess.run(
            ("sh", "-ec", step),
            cwd=checkout,
            env={**os.environ, "FREERTOS": str(kernel)},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, f"{step}: {done.stdout.decode()[-2000:]}{done.stderr.decode()[-2000:]}"
    engine = checkout / "build/myboard/engine"
    assert (engine / "selftest/selftest-conformance-freertos").exists()
    image = engine / "rtgauge-engine-freertos"
    told = sizes(image.read_bytes())
    assert {"ram", "code", "data", "heap", "stack", "samples"} <= told.keys()
    assert told["ram"] == told["data"] + told["heap"] + told["stack"] + told["samples"]
    assert told["code"] == told["text"]  # initial values of data are counted once, as data
    assert 0 < told["bss"] < told["data"]
    answers(image, checkout)


def answers(image: Path, folder: Path) -> None:
    """The template's memory lies where a machine of the emulator has some too: it can say what it holds."""
    if not shutil.which(EMULATOR[0]):
        return
    (folder / "request").write_bytes(encode_list_request())
    done = subprocess.run((*EMULATOR, image), cwd=folder, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0
    trace = read_trace((folder / "trace").read_bytes())
    assert trace.facts["board"] == "myboard"
    assert "SEM-P-ARN" in {one.id for one in trace.descriptors}


@pytest.mark.parametrize(
    ("options", "ns"),
    [
        ({}, {"mps2-an385": "128", "virt-a53": "16", "virt-rv64": "16", "template": "0"}),
        ({"RTG_BOARD_CHANNEL": "serial"}, dict.fromkeys(("mps2-an385", "virt-a53", "virt-rv64", "template"), "0")),
        ({"RTG_BOARD_CHANNEL": "serial", "RTG_BOARD_NS_PER_INSTRUCTION": "2"}, {"mps2-an385": "2"}),
        ({"RTG_BOARD_NS_PER_INSTRUCTION": "0"}, {"mps2-an385": "0"}),
    ],
)
def test_time_is_virtual_only_where_the_emulator_is_known(
    options: dict[str, str], ns: dict[str, str], tmp_path: Path
) -> None:
    if not shutil.which("cmake"):
        pytest.skip("cmake is missing")
    for board, expected in ns.items():
        lines = "cmake_minimum_required(VERSION 3.18)", f'include("{BOARDS / board}/board.cmake")'
        (tmp_path / "x.cmake").write_text("\n".join((*lines, 'message("${RTG_BOARD_OPTIONS}")\n')))
        command = ["cmake", *(f"-D{name}={value}" for name, value in options.items()), "-P", tmp_path / "x.cmake"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert f"-DRTG_BOARD_NS_PER_INSTRUCTION={expected};" in done.stderr, board


def test_the_document_names_every_board_and_every_option() -> None:
    boards = {path.parent.name for path in BOARDS.glob("*/toolchain.cmake")} - {"template"}
    assert set(re.findall(r"^\| `([\w-]+)` \| [^|]+ \| [^|]+ \| [^|]+ \|$", TEXT, re.MULTILINE)) == boards
    texts = [path.read_text() for path in BOARDS.glob("*/board.cmake")]
    options = {name for text in texts for name in re.findall(r"if\((?:NOT DEFINED )?(RTG_BOARD_\w+)", text)}
    assert options == {name for name in options if name in TEXT}
    functions = re.findall(
        r"^[\w *]*\b(rtg_board_\w+)\(", (ROOT / "engine/include/rtgauge/board.h").read_text(), re.MULTILINE
    )
    assert set(re.findall(r"`(rtg_board_\w+)`", TEXT)) <= set(functions)
