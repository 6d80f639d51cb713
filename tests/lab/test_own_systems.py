"""Systems of the user's own: a file beside the shipped one."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import TargetError, UsageError
from rtgauge.lab.address import parse, with_options
from rtgauge.lab.kernels import kernel_of, options_in
from rtgauge.lab.machine import kernel_line
from rtgauge.lab.own_systems import VARIABLE, own_file, own_systems
from rtgauge.lab.storage import Storage
from rtgauge.lab.systems import lab, shipped
from tests.lab import kernels

CONFIG = "# made by hand\nCONFIG_HZ=1000\n# CONFIG_PREEMPT_RT is not set\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a kernel of the user's, and the distribution's with other words."""
    (tmp_path / "built").mkdir()
    (tmp_path / "built/bzImage").write_bytes(kernels.elf(kernels.STOPS))
    (tmp_path / "built/.config").write_text(CONFIG)
    path = tmp_path / "lab.toml"
    path.write_text(
        """
        [systems.mine]
        what = "with a tick of 1 ms"
        kernel = "built/bzImage"
        config = "built/.config"
        boards = ["q35"]
        append = "nohz=off   skew_tick=1"

        [systems.lazy]
        kernel = "generic"
        boards = ["q35"]
        append = "preempt=lazy"
        """
    )
    monkeypatch.setenv(VARIABLE, str(path))
    return path


def test_they_stand_beside_those_that_are_shipped(file: Path) -> None:
    assert [*lab().systems] == [*shipped().systems, "mine", "lazy"]
    mine = parse("mine")
    assert (mine.kernel, mine.name, mine.system.what) == (
        file.parent / "built/bzImage",
        "lab:mine@q35",
        "with a tick of 1 ms",
    )
    assert kernel_line(mine).endswith("nohz=off skew_tick=1")
    lazy = parse("lazy")
    assert (lazy.kernel, lazy.system.kernel) == (None, "generic")
    other = parse(with_options("lab:mine", kernel="/other/Image").partition(":")[2])
    assert (other.kernel, other.name) == (Path("/other/Image"), "lab:mine@q35?kernel=/other/Image")


def test_the_options_of_the_kernel_come_from_the_file_that_is_named(file: Path, tmp_path: Path) -> None:
    storage = Storage(tmp_path / "cache")
    ready = kernel_of(storage, parse("mine"), print)
    assert (ready.config, ready.origin) == (CONFIG, "bzImage")
    other = with_options("lab:mine", kernel=str(file.parent / "other"))
    (file.parent / "other").write_bytes(kernels.elf(kernels.STOPS))
    assert kernel_of(storage, parse(other.partition(":")[2]), print).config is None  # they are of another kernel
    (file.parent / "built/.config").unlink()
    os.mkfifo(file.parent / "built/.config")
    with pytest.raises(TargetError, match=r"the file of options .*/\.config is no regular file"):
        kernel_of(storage, parse("mine"), print)
    (file.parent / "built/.config").unlink()
    (file.parent / "built/.config").write_text("nothing of the kind")
    with pytest.raises(TargetError, match=r"\.config is no configuration of a kernel: it names no CONFIG_ option"):
        kernel_of(storage, parse("mine"), print)


def test_a_kernel_may_carry_its_options() -> None:
    packed = gzip.compress(CONFIG.encode())
    assert options_in(b"\0" * 100 + b"IKCFG_ST" + packed + b"IKCFG_ED" + b"\1" * 100) == CONFIG
    assert options_in(b"IKCFG_S") is None
    assert options_in(b"IKCFG_ST" + b"broken") is None


def test_what_is_listed(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert main(["list", "systems", "--lab", str(file)]) == 0
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    assert ["lab:mine", "with a tick of 1 ms"] in [[line[0], line[-1].strip()] for line in lines]
    assert main(["list", "systems", "--lab", str(file), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["address"] for one in listed if one["system"] in ("mine", "lazy")] == ["lab:mine", "lab:lazy"]


def test_the_usual_place(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert own_file(environ) is None
    (tmp_path / "rtgauge").mkdir()
    (tmp_path / "rtgauge/lab.toml").touch()
    assert own_file(environ) == tmp_path / "rtgauge/lab.toml"
    assert own_file({**environ, VARIABLE: "/named"}) == Path("/named")
    assert own_systems(None) == {}


def test_what_is_not_there_is_told_of_the_system_that_is_picked(file: Path) -> None:
    config, kernel = file.parent / "built/.config", file.parent / "built/bzImage"
    config.unlink()
    with pytest.raises(UsageError, match=r"lab.toml: system 'mine': config '.config' is no file: there is no /"):
        parse("mine")
    kernel.unlink()
    with pytest.raises(UsageError, match=r"lab.toml: system 'mine': kernel 'bzImage' is no file, nor one of generic"):
        parse("mine")
    for other in ("linux-rt", "lazy", "freertos", "mine?kernel=/other/Image"):
        assert parse(other).system.name == other.partition("?")[0]
    assert "mine" in lab().systems


@pytest.mark.parametrize("name", ["~no-such-user/x", "x" * 5000])
def test_a_path_that_cannot_be_is_told_as_one_that_is_not_there(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.toml").write_text(WHOLE.replace("generic", name))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "own.toml"))
    assert parse("linux-rt").kernel is None
    with pytest.raises(UsageError, match="is no file, nor one of generic, rt: there is no "):
        parse("x")


WHOLE = '[systems.x]\nkernel = "generic"\nboards = ["q35"]\n'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "names no system: write [systems.mine] with kernel and boards"),
        ("[systems", "is not TOML"),
        ("[kernels.x]\n", "unknown key 'kernels': legal is systems"),
        ("systems = 3", "names no system"),
        ("[systems]\nx = 3", "system 'x' must be a table: [systems.x]"),
        (WHOLE.replace(".x", ".linux-rt"), "system 'linux-rt': rtgauge has a system of that name"),
        (WHOLE.replace(".x", '."X y"'), "system 'X y': a name has small letters"),
        (WHOLE + "shift = 3", "unknown key 'shift': legal are what, kernel, boards, append, config"),
        ('[systems.x]\nkernel = "generic"', "boards is missing"),
        ('[systems.x]\nboards = ["q35"]', "kernel is missing"),
        (WHOLE.replace("generic", "genric"), "kernel 'genric' is no file, nor one of generic, rt: there is no "),
        (WHOLE.replace('["q35"]', '"q35"'), 'boards must be a list of names, e.g. boards = ["q35"]'),
        (WHOLE.replace("q35", "q36"), "unknown board 'q36': did you mean q35? legal are q35, virt-a53"),
        (WHOLE.replace("q35", "mps2-an385"), "unknown board 'mps2-an385'"),
        (WHOLE + "append = 3", "append must be one line of text"),
        (WHOLE + 'append = "a\\nb"', "append must be one line of text"),
        (WHOLE + 'append = "\N{GREEK SMALL LETTER ALPHA}"', "append must be plain text"),
        (WHOLE + 'config = "x"', "config is for a kernel that is a file, generic has its own"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    text: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    monkeypatch.setenv(VARIABLE, str(path))
    assert main(["run", "lab:x", "--store", str(tmp_path / "store")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"rtgauge: error: {path}")
    assert what in err


def test_a_file_that_is_named_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with pytest.raises(UsageError, match=r"cannot read .*none: No such file"):
        lab()
