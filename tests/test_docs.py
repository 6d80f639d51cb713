"""The documentation, tested: its examples build and run, its commands exist, its tables say what the engine sends."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cbor2
import pytest

from rtgauge import registry, targets
from rtgauge.cli import main
from rtgauge.model import Job, RunSpec
from rtgauge.trace.frames import Frame, FrameSplitter
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def run(*command: str | Path, cwd: Path, stdin: bytes = b"") -> bytes:
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout.decode()[-2000:]}{done.stderr.decode()[-2000:]}"
    return done.stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the engine is built from."""
    shutil.copytree(ROOT / "engine", tmp_path / "engine")
    shutil.copytree(ROOT / "cmake", tmp_path / "cmake")
    shutil.copytree(ROOT / "src" / "rtgauge" / "reference", tmp_path / "src" / "rtgauge" / "reference")
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    return tmp_path


def test_the_example_of_adding_a_test_builds_and_measures(checkout: Path) -> None:
    text = (DOCS / "adding-a-test.md").read_text()
    code = re.search(r"```c\n(.*?)```", text, re.S)
    name = re.search(r"`(engine/tests/\w+\.c)`", text)
    assert code is not None
    assert name is not None
    (checkout / name[1]).write_text(code[1])
    run(
        "cmake",
        "-S",
        ".",
        "-B",
        "b",
        "-G",
        "Ninja",
        "-DRTG_PORTS=fake",
        f"-DRTG_TESTS={Path(name[1]).stem}",
        cwd=checkout,
    )
    run("cmake", "--build", "b", cwd=checkout)
    request = encode_request(RunSpec(jobs=(Job("CLK-P-NOW", 100),)))
    trace = read_trace(run("b/engine/rtgauge-engine-fake", cwd=checkout, stdin=request))
    assert [(t.descriptor.id, t.outcome, len(t.series[0].ticks)) for t in trace.tests] == [("CLK-P-NOW", "done", 100)]


def test_the_commands_of_adding_a_port_build_a_port(checkout: Path) -> None:
    text = (DOCS / "adding-a-port.md").read_text()
    commands = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    assert len(commands) == 7
    for command in commands[:-1]:
        run("sh", "-ec", command, cwd=checkout)
    run("cmake", "--build", "build/myos", cwd=checkout)
    assert (checkout / "build/myos/engine/selftest/selftest-conformance-myos").exists()


@pytest.mark.parametrize("page", ["README.md", *sorted(f"docs/{p.name}" for p in DOCS.glob("*.md"))])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text()
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert ((ROOT / page).parent / target).exists(), f"{page}: {target}"


def test_the_readme_names_commands_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    commands = set(re.findall(r"^    rtgauge (\w+)", (ROOT / "README.md").read_text(), re.M))
    assert len(commands) >= 8
    for command in commands:
        assert main([command, "--help"]) == 0
    capsys.readouterr()


def documented_records() -> dict[str, set[str]]:
    """Kind of record -> its keys, out of the table of docs/trace.md."""
    section = (DOCS / "trace.md").read_text().split("## The trace (engine to host)")[1].split("## Limits")[0]
    records = {}
    for kind, keys in re.findall(r"^\| `([\w-]+)` \| (.*) \|$", section, re.M):
        outside = re.sub(r"\([^()]*(\([^()]*\)[^()]*)*\)", "", keys)  # explanations and inner keys are in brackets
        records[kind] = set(re.findall(r"`([a-z_]+)`", outside))
    return records


def test_the_trace_is_documented(engine_fake: Path) -> None:
    jobs = (
        Job("CAL-P-TRC", 10),
        Job("SEM-B-LCK", 1, {"kind": "counting", "name": "unnamed"}),
        Job("THR-P-NEW", 5, {"scenario": "never-run"}),
    )
    data = run(engine_fake, cwd=ROOT, stdin=encode_request(RunSpec(jobs=jobs)))
    documented = documented_records()
    seen: dict[str, set[str]] = {}
    for frame in FrameSplitter().feed(data):
        assert isinstance(frame, Frame), frame
        record = cbor2.loads(frame.payload)
        seen.setdefault(record["r"], set()).update(set(record) - {"r"})
    assert {"run-begin", "system", "clock", "test-begin", "block", "check", "evidence", "test-end"} <= set(seen)
    for kind, keys in seen.items():
        assert keys <= documented[kind], kind
        if kind not in ("block", "evidence"):  # these have keys that are left out when they say nothing
            assert keys >= documented[kind], kind


def test_the_example_of_adding_a_target_measures(
    tmp_path: Path, engine_fake: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = re.search(r"```python\n(.*?)```", (DOCS / "adding-a-target.md").read_text(), re.S)
    assert code is not None
    folder = tmp_path / "targets"
    folder.mkdir()
    (folder / "program.py").write_text(code[1])
    monkeypatch.setattr(targets, "__path__", [*targets.__path__, str(folder)])
    registry.plugins.cache_clear()
    try:
        command = ["run", f"program:{engine_fake}", "--tests", "CAL-P-TRC", "--samples", "100"]
        assert main([*command, "--store", str(tmp_path / "store"), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["target"] == f"program:{engine_fake.name}"
        assert main(["list", "targets"]) == 0
        assert "an engine program on this machine" in capsys.readouterr().out
    finally:
        registry.plugins.cache_clear()
        sys.modules.pop("rtgauge.targets.program", None)
