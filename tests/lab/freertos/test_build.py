"""Images: built once by what they are made of, and what is said where that cannot be."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.lab.freertos.build import (
    IMAGES,
    SLICING,
    TAIL_LINES,
    Recipe,
    check_config,
    commands,
    image_of,
    known,
    legal_options,
    reason,
    telling,
)
from rtgauge.lab.freertos.kernel import kernel_of
from rtgauge.lab.freertos.sources import catalogue, digest_for
from rtgauge.lab.freertos.tools import Compiler, compiler_of
from rtgauge.lab.storage import Storage
from tests.lab.freertos.test_elf import image
from tests.lab.freertos.trees import engine_tree, kernel_tree, written
from tests.lab.tools import at_once, no_writing


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    kernel = kernel_of(Storage(tmp_path / "cache"), kernel_tree(tmp_path / "kernel"), lambda _text: None)
    return Recipe(engine_tree(tmp_path / "sources", "one", "two"), "one", kernel, Compiler("gcc", "gcc 12.2"), 2)


def cmake(folder: Path, monkeypatch: pytest.MonkeyPatch, build: str = "") -> Path:
    """A cmake that makes the same image each time, after the words `build`; and notes how it was called."""
    folder.mkdir()
    (folder / "image").write_bytes(image(32))
    calls, program = folder / "calls", folder / "cmake"
    program.write_text(
        f'#!/bin/sh\necho "$*" >> {calls}\n[ "$1" = --build ] || exit 0\n{build}\n'
        f'mkdir -p "$2/engine" && cp {folder / "image"} "$2/engine/rtgauge-engine-freertos"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return calls


def test_an_image_is_built_once(tmp_path: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, storage, said = cmake(tmp_path / "bin", monkeypatch), Storage(tmp_path / "cache"), []
    made = [image_of(storage, recipe, "fifo", said.append) for _ in range(2)]
    assert made[0] == made[1]
    assert (made[0].name, made[0].sizes["heap"]) == ("fifo", 65536)
    assert len(said) == 1
    assert len(calls.read_text().splitlines()) == 2
    image_of(storage, recipe, "rr", said.append)
    assert len(said) == 2
    assert [path.name for path in (tmp_path / "cache" / "images").iterdir() if path.is_dir()] == []


def test_who_waited_for_an_image_does_not_build_it(
    tmp_path: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, storage = cmake(tmp_path / "bin", monkeypatch, "sleep 0.2"), Storage(tmp_path / "cache")
    found = at_once(*[lambda: image_of(storage, recipe, "fifo", lambda _text: None)] * 3)
    assert found == [found[0]] * 3
    assert len(calls.read_text().splitlines()) == 2
    no_writing(monkeypatch)
    assert image_of(storage, recipe, "fifo", lambda _text: None) == found[0]


@pytest.mark.parametrize("path", ["kernel/tasks.c", "sources/engine/boards/one/board.cmake"])
@pytest.mark.parametrize("edit", ["echo edited >>", "rm"])
def test_sources_that_change_during_the_build_are_said_and_nothing_is_kept(
    tmp_path: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch, path: str, edit: str
) -> None:
    cmake(tmp_path / "bin", monkeypatch, f"{edit} {tmp_path}/{path}")
    storage, before = Storage(tmp_path / "cache"), (tmp_path / path).read_bytes()
    with pytest.raises(TargetError, match=rf"^{tmp_path}/\S+ changed while the image for one was built: start again$"):
        image_of(storage, recipe, "fifo", lambda _text: None)
    (tmp_path / path).write_bytes(before)
    assert known(storage, recipe.key("fifo")) is None


def test_the_build_is_not_changed_from_outside(tmp_path: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    cmake(tmp_path / "bin", monkeypatch, f"env > {tmp_path}/env")
    for name in (
        "CPATH",
        "C_INCLUDE_PATH",
        "COMPILER_PATH",
        "GCC_EXEC_PREFIX",
        "CFLAGS",
        "ASMFLAGS",
        "CMAKE_GENERATOR",
    ):
        monkeypatch.setenv(name, "--changed")
    image_of(Storage(tmp_path / "cache"), recipe, "fifo", lambda _text: None)
    assert "--changed" not in (tmp_path / "env").read_text()


def test_what_it_is_made_of_makes_another_image_and_nothing_else_does(tmp_path: Path, recipe: Recipe) -> None:
    def changed(**fields: object) -> Recipe:
        return replace(recipe, **fields)  # type: ignore[arg-type]

    key = recipe.key("fifo")
    others = [
        recipe.key("rr"),
        changed(ns=16).key("fifo"),
        changed(board="two").key("fifo"),
        changed(compiler=Compiler("gcc", "gcc 13.1")).key("fifo"),
        changed(config=(("configTICK_RATE_HZ", "100"),)).key("fifo"),
        changed(kernel=replace(recipe.kernel, sha256="0" * 64)).key("fifo"),
    ]
    assert len({key, *others}) == len(others) + 1
    shutil.copytree(recipe.sources, tmp_path / "elsewhere")
    written(tmp_path / "elsewhere", {"engine/boards/two/board.c": "of another board\n"})
    assert changed(sources=tmp_path / "elsewhere").key("fifo") == key
    written(tmp_path / "elsewhere", {"engine/boards/one/board.c": "of this one\n"})
    assert changed(sources=tmp_path / "elsewhere").key("fifo") != key
    assert digest_for(tmp_path / "elsewhere", "two") != digest_for(recipe.sources, "two")


def test_the_words_for_cmake_say_all_that_differs(tmp_path: Path, recipe: Recipe) -> None:
    own = replace(recipe, config=(("configTICK_RATE_HZ", "100"),))
    configure, build = commands(own, "rr", tmp_path / "b")
    assert f"-DRTG_FREERTOS_CONFIG=configTICK_RATE_HZ=100;{SLICING}=1" in configure
    assert {"-DRTG_BOARD=one", "-DRTG_BOARD_NS_PER_INSTRUCTION=2", "-DRTG_PORTS=freertos"} <= set(configure)
    assert str(recipe.sources / "engine/boards/one/toolchain.cmake") in configure
    assert build[:3] == ["cmake", "--build", str(tmp_path / "b")]


def test_a_failed_build_is_told_in_a_line_and_shown_from_its_first_error_on(
    tmp_path: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "for i in 1 2 3 4 5 6 7 8 9; do echo line $i; done"
    fails = f'{lines}; echo "$2/engine/x.c:7:3: error: oh no"; echo stopped; exit 1'
    cmake(tmp_path / "bin", monkeypatch, fails)
    said: list[str] = []
    with pytest.raises(TargetError, match=r"^the image for one cannot be built: engine/x.c:7:3: error: oh no$"):
        image_of(Storage(tmp_path / "cache"), recipe, "fifo", said.append)
    told = [line for line in said if line.startswith("build: ")]
    assert (len(told), told[0].endswith("engine/x.c:7:3: error: oh no"), told[1]) == (2, True, "build: stopped")
    assert [path.name for path in (tmp_path / "cache" / "images").iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("log", "what"),
    [
        (["a", "x.c:1: error: one", "y.c:1: error: two"], "x.c:1: error: one"),
        (["CMake Error at x:1 (message):", "  RTG_BOARD must"], "CMake Error at x:1 (message):"),
        (["ld: region `DATA' overflowed", "ld: will not fit in region"], "ld: will not fit in region"),
        (["nothing known"], "nothing known"),
        ([], "no reason given"),
    ],
)
def test_the_reason_is_the_first_error(log: list[str], what: str) -> None:
    assert reason(log, Path("/b")) == what


def test_a_build_without_a_known_error_is_shown_by_its_end() -> None:
    log = [f"line {number}" for number in range(20)]
    assert telling(log) == log[-TAIL_LINES:]
    assert reason(log, Path("/b")) == "line 19"


def test_options_are_those_of_port_board_and_kernel(recipe: Recipe) -> None:
    found = legal_options(recipe.sources, "one", recipe.kernel.root)
    assert found == ("INCLUDE_vTaskDelete", "configCHECK_FOR_STACK_OVERFLOW", "configTICK_RATE_HZ", "configUSE_MUTEXES")
    check_config(replace(recipe, config=(("configTICK_RATE_HZ", "100"),)))


def test_an_option_that_nothing_reads_is_refused_with_the_nearest(recipe: Recipe) -> None:
    with pytest.raises(UsageError, match=r"did you mean configTICK_RATE_HZ\? legal are the 4 that "):
        check_config(replace(recipe, config=(("configTICK_RATE", "100"),)))
    with pytest.raises(UsageError, match=f"{SLICING} cannot be chosen"):
        check_config(replace(recipe, config=((SLICING, "1"),)))


def test_a_board_that_the_engine_does_not_have_is_named(tmp_path: Path, recipe: Recipe) -> None:
    with pytest.raises(TargetError, match="the engine has no board three"):
        list(commands(replace(recipe, board="three"), "fifo", tmp_path))


def test_every_missing_program_is_named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError, match=r"x-gcc, cmake, ninja missing; install gcc-x cmake ninja-build$"):
        compiler_of("x-gcc", "gcc-x")


def test_the_compiler_says_its_version() -> None:
    if not all(map(shutil.which, ("cc", "cmake", "ninja"))):
        pytest.skip("no compiler here")
    assert compiler_of("cc", "gcc").version


def test_the_installed_sources_have_all_tests_and_both_images_have_a_name() -> None:
    from rtgauge.lab.freertos.sources import board_folder, sources
    from rtgauge.lab.systems import FREERTOS, lab

    assert {"THR-P-SLS", "IRQ-P-LAT"} <= set(catalogue(sources()))
    for board in lab().systems[FREERTOS].boards:
        assert (board_folder(sources(), board) / "toolchain.cmake").is_file()
    assert list(IMAGES) == ["fifo", "rr"]
