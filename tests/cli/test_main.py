from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import rtgauge.cli
from rtgauge.cli import Terminated, main
from rtgauge.cli._output import clean, write_file
from rtgauge.cli._parser import commands
from rtgauge.errors import RtgaugeError, StoreError, TargetError, UsageError
from tests.targets.engines import ROOT


def test_every_command_keeps_the_contract() -> None:
    for name in commands():
        module = __import__(f"rtgauge.cli.{name}", fromlist=["x"])
        assert module.SUMMARY
        assert module.EXAMPLE.startswith(f"rtgauge {name}")
        assert callable(module.add_arguments)
        assert callable(module.run)
    assert {"evaluate", "run", "list", "show", "report", "verify"} <= set(commands())


def test_help_names_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in commands())
    assert main([]) == 0


def test_each_command_has_help_with_its_example(capsys: pytest.CaptureFixture[str]) -> None:
    for name in commands():
        assert main([name, "--help"]) == 0
        assert f"rtgauge {name}" in capsys.readouterr().out.partition("example:")[2]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rtgauge {rtgauge.__version__}\n"


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["run"], ["run", "local", "--nonsense"], ["evaluat"], ["--nonsense"], ["show"], ["list", "moons"]],
)
def test_wrong_usage_is_one_line_and_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.startswith("rtgauge: error: ")
    assert caught.err.count("\n") == 1


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    main(["evalute"])
    assert "did you mean evaluate?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "shown"),
    [
        (UsageError("no\x1b[31m such\nthing"), 2, "rtgauge: error: no\ufffd[31m such\ufffdthing\n"),
        (TargetError("gone"), 4, "rtgauge: error: gone\n"),
        (StoreError("full"), 4, "rtgauge: error: full\n"),
        (RtgaugeError("x"), 4, "rtgauge: error: x\n"),
        (KeyboardInterrupt(), 130, "rtgauge: interrupted\n"),
        (Terminated(), 143, "rtgauge: terminated\n"),
        (OverflowError("oh"), 4, "rtgauge: error: OverflowError: oh (a defect of rtgauge; --debug shows where)\n"),
    ],
)
def test_errors_are_one_line_with_their_code(
    error: BaseException, code: int, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_args: object) -> int:
        raise error

    monkeypatch.setattr(rtgauge.cli, "parse", lambda _words: SimpleNamespace(run=fail))
    assert main(["list"]) == code
    assert capsys.readouterr().err == shown


@pytest.mark.parametrize(
    "words",
    [
        ["gate", "last", "--bisect", "--agianst", "x"],
        ["gate", "--bisect"],
        ["gate", "last", "--bisect", "--limit"],
        ["gate", "last", "--bisect"],
        ["gaet", "last", "--bisect"],
        ["--against", "x", "gate", "last", "--bisect"],
    ],
)
def test_wrong_usage_is_no_judgement_for_bisect(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 125
    caught = capsys.readouterr()
    assert (caught.out, caught.err.count("\n")) == ("", 1)
    assert main([word for word in words if word != "--bisect"]) == 2


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (0, 0), (1, 1), (2, 125), (3, 125), (4, 125), (130, 130),
        (UsageError("x"), 125), (TargetError("x"), 125), (StoreError("x"), 125), (OverflowError("x"), 125),
        (MemoryError(), 125), (SystemExit(3), 125), (KeyboardInterrupt(), 130), (Terminated(), 143),
    ],
)  # fmt: skip
def test_only_a_judgement_is_good_or_bad_for_bisect(
    outcome: int | BaseException, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_args: object) -> int:
        if isinstance(outcome, int):
            return outcome
        raise outcome

    monkeypatch.setattr(rtgauge.cli, "parse", lambda _words: SimpleNamespace(run=run))
    assert main(["gate", "last", "--against", "x", "--bisect"]) == code


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(rtgauge.cli, "parse", lambda _words: SimpleNamespace(run=lambda _args: 1 // 0))
    assert main(["list", "--debug"]) == 4
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error() -> None:
    code = "import sys, rtgauge.cli as c\nfrom types import SimpleNamespace\n"
    code += "def run(_): \n for i in range(100000): print('x' * 80)\n return 0\n"
    code += "c.parse = lambda _: SimpleNamespace(run=run)\nsys.exit(c.main(['list']))\n"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_env())
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_control_characters_never_reach_the_terminal() -> None:
    assert clean("a\x1b[2Jb\r\nc\u202ed\u200be\x9bf\x7fg") == "a\ufffd[2Jb\ufffd\ufffdc\ufffdd\ufffde\ufffdf\ufffdg"
    assert clean("plain äöü µs") == "plain äöü µs"


def test_output_never_replaces_a_file_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    for name in ("manifest.json", "trace.cbor", "results.json", "samples.parquet", "log.txt"):
        with pytest.raises(UsageError, match="never changed"):
            write_file(tmp_path / name, "x")
    write_file(tmp_path / "report.html", "x")
    assert (tmp_path / "manifest.json").read_text() == "{}"


def test_output_to_a_full_device_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with pytest.raises(StoreError, match="cannot write /dev/full: the disk is full"):
        write_file("/dev/full", "x" * 100_000)


HEAVY = {"numpy", "scipy", "pyarrow", "rich", "sqlalchemy", "jinja2", "cbor2", "jsonschema", "asyncio", "subprocess"}


SLOW = {"json", "pathlib", "inspect", "pkgutil"}  # of the standard library: a third of the time that help takes


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from rtgauge.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    shown = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env=_env(), check=True)
    assert not (HEAVY | SLOW) & set(shown.stderr.split())


def test_command_modules_import_only_light_things() -> None:
    for path in (ROOT / "src/rtgauge/cli").glob("[a-z]*.py"):
        for node in ast.parse(path.read_text()).body:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not HEAVY & {name.partition(".")[0] for name in names}, path


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src")}
