"""The whole way of a run on a board, with a program of this machine in place of emulator and image."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.lab.freertos.build import Image
from rtgauge.lab.freertos.kernel import kernel_of
from rtgauge.lab.freertos.tools import Compiler
from rtgauge.lab.storage import Storage
from rtgauge.model import Job, RunSpec
from rtgauge.plan import Wish
from rtgauge.session import Request, run
from rtgauge.targets import _emulator, _images, _lab_board, lab
from rtgauge.targets._lab_board import BoardTarget
from rtgauge.targets._parts import Room
from rtgauge.targets.base import Stop
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request
from tests.lab.freertos.emulators import FAILS, emulator
from tests.lab.freertos.trees import engine_tree, kernel_tree
from tests.lab.tools import no_writing

CYCLIC: dict[str, str | int] = {"threads": 1, "priospread": "off", "interval": 1_000_000}
JOBS = (
    Job("CAL-P-TRC", 20),
    Job("TMR-P-CYC", 20, {**CYCLIC, "policy": "rr"}),
    Job("THR-P-SLS", 20, {"threads": 2}),
    Job("TMR-P-CYC", 20, {**CYCLIC, "policy": "fifo"}),
)
SPEC = RunSpec(jobs=JOBS, memory=1 << 20, time_ms=100_000)
LIMITS = (10.0,) * len(JOBS)


@pytest.fixture
def board(tmp_path: Path, engine_fake: Path, monkeypatch: pytest.MonkeyPatch) -> BoardTarget:
    """The fake engine as the image, and no build."""
    fakes(tmp_path, monkeypatch, f"{engine_fake} < request > trace")
    return BoardTarget(lab.parse("freertos@mps2-an385"), Storage(tmp_path / "cache"))


def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    version = 'case "$1" in --version) echo "an emulator 1.0"; exit;; esac'
    program = emulator(tmp_path, f'{version}; echo "$*" >> {tmp_path}/starts; {does}')
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    sources = engine_tree(tmp_path / "sources", "mps2-an385", "virt-a53")
    monkeypatch.setattr(_lab_board, "emulator", lambda _board: program)
    monkeypatch.setattr(_images, "sources", lambda: sources)
    monkeypatch.setattr(_images, "compiler_of", lambda _name, _package: Compiler("cc", "cc 1.0"))
    kernel_tree(tmp_path / "kernel")
    monkeypatch.setattr(
        _images, "kernel_of", lambda storage, own, say: kernel_of(storage, own or tmp_path / "kernel", say)
    )
    monkeypatch.setattr(_images, "image_of", lambda _storage, recipe, name, _say: _image(name, recipe.key(name)))


def _image(name: str, key: str) -> Image:
    content = f"{name} {key}".encode()
    return Image(name, content, key, {"samples": 1 << 20})


def test_one_run_of_two_images(board: BoardTarget, tmp_path: Path) -> None:
    assert {one.id for one in board.describe().descriptors} >= {job.id for job in JOBS}
    got = bytearray()
    ending = board.run(SPEC, LIMITS, lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths, ending.signal) == (None, (), None)
    trace = read_trace(bytes(got))
    assert (trace.problems, trace.complete) == ((), True)
    assert [(one.descriptor.id, one.params.get("policy")) for one in trace.tests] == [
        ("CAL-P-TRC", None),
        ("THR-P-SLS", None),
        ("TMR-P-CYC", "fifo"),
        ("TMR-P-CYC", "rr"),
    ]
    starts = (tmp_path / "starts").read_text().splitlines()
    assert len(starts) == 3  # to be asked for its tests, and one for each image
    assert all("-semihosting-config enable=on,target=native -kernel " in line for line in starts)


def test_what_an_image_says_of_itself_is_asked_once(board: BoardTarget, tmp_path: Path) -> None:
    first, again = board.describe(), BoardTarget(board.address, board.storage).describe()
    assert first == again
    assert first.virtual is not None
    assert first.virtual["emulator"] == "an emulator 1.0"
    assert len((tmp_path / "starts").read_text().splitlines()) == 1


def test_a_cache_that_can_only_be_read_will_do(
    board: BoardTarget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.describe()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    before, parents = sorted((tmp_path / "cache").rglob("*")), set[Path]()
    no_writing(monkeypatch)
    start = _emulator.start

    def noted(words: Sequence[str], files: Sequence[int] = (), folder: Path | None = None) -> _emulator.Process:
        assert folder is not None
        parents.add(folder.parent)
        return start(words, files, folder)

    monkeypatch.setattr(_emulator, "start", noted)
    ending = BoardTarget(board.address, board.storage).run(SPEC, LIMITS, lambda _chunk, _events: None, Stop())
    assert (ending.why, ending.deaths) == (None, ())
    assert parents == {tmp_path / "temporary"}
    assert list((tmp_path / "temporary").iterdir()) == []
    assert sorted((tmp_path / "cache").rglob("*")) == before


def test_a_run_that_does_not_fit_into_a_request_has_several_starts(
    board: BoardTarget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.describe()
    monkeypatch.setattr(_images, "LEAST_ROOM", Room(2, 8000))
    board.run(SPEC, LIMITS, lambda _chunk, _events: None, Stop())
    assert len((tmp_path / "starts").read_text().splitlines()) == 4


def test_the_manifest_names_all_that_the_figures_depend_on(board: BoardTarget, tmp_path: Path) -> None:
    def identity(words: str) -> dict[str, object]:
        found = BoardTarget(lab.parse(words), board.storage).describe().virtual
        assert found is not None
        return dict(found)

    def differing(words: str) -> set[str]:
        other = identity(words)
        return {name for name in {*plain, *other} if plain.get(name) != other.get(name)}

    plain = identity("freertos@mps2-an385")
    images = {"image_fifo", "image_rr", "configuration"}
    assert identity("freertos@mps2-an385") == plain
    assert (plain["ns_per_instruction"], plain["system"], plain["board"]) == (128, "freertos", "mps2-an385")
    assert plain["kernel_from"] == "FreeRTOS V11.2.0, kernel"
    assert "-icount shift=7,sleep=off" in str(plain["machine"])
    assert differing("freertos@mps2-an385?config=configTICK_RATE_HZ=100") == {"kernel_options", *images}
    assert differing("freertos@mps2-an385?replica=2") == {"replica", "attached", "configuration"}
    kernel_tree(tmp_path / "mine", "V10.0.0")
    own = differing(f"freertos@mps2-an385?kernel={tmp_path / 'mine'}")
    assert own == {"kernel", "kernel_from", *images}
    assert {"board", "machine", "attached", "engine", "ns_per_instruction"} <= differing("freertos@virt-a53")


def test_a_replica_asks_in_other_words_and_keeps_its_name(board: BoardTarget) -> None:
    replicas = [BoardTarget(lab.parse(f"freertos@mps2-an385?replica={n}"), board.storage) for n in range(3)]
    asked = [one._varied(SPEC) for one in replicas]
    assert asked[0] == SPEC
    assert len({len(encode_request(one)) for one in asked}) == 3
    assert {one.name for one in replicas} == {"lab:freertos@mps2-an385"}


def test_an_option_that_does_not_exist_is_refused_before_anything_is_built(board: BoardTarget) -> None:
    with pytest.raises(UsageError, match="unknown option of FreeRTOS 'configTICK'"):
        BoardTarget(lab.parse("freertos?config=configTICK=1"), board.storage).describe()


def test_an_image_that_crashes_ends_the_test_and_the_rest_is_run(
    tmp_path: Path, engine_fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first start stops in the middle of its trace, which is kept."""
    whole = f"{engine_fake} < request > whole"
    once = f"[ -e {tmp_path}/died ] || [ ! -e {tmp_path}/described ]"
    last = 'echo "rtgauge: assertion failed: x.c:1" >> console; exit 87'
    dies = f"head -c $(($(wc -c < whole) * 4 / 5)) whole > trace; touch {tmp_path}/died; {last}"
    fakes(
        tmp_path, monkeypatch, f"{whole}; if {once}; then cp whole trace; touch {tmp_path}/described; else {dies}; fi"
    )
    wish = Wish(("CAL-P-TRC", "THR-P-SLS", "SEM-B-LCK"), (("threads", "2"),), samples=5000)
    finished = run(Request("lab:freertos", wish, tmp_path / "store"))
    assert finished.exit_code == 4
    assert finished.why == "the engine could not go on (assertion failed: x.c:1) during THR-P-SLS"
    found = {str(result["id"]): result for result in finished.content["results"]}
    assert found["THR-P-SLS"]["status"] == "invalid"
    assert (found["CAL-P-TRC"]["status"], found["SEM-B-LCK"]["status"]) == ("ok", "pass")
    log = (finished.path / "log.txt").read_text()
    assert "the console of image fifo: rtgauge: assertion failed: x.c:1" in log


def test_an_image_that_never_works_is_told_with_its_last_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fakes(tmp_path, monkeypatch, FAILS)
    with pytest.raises(TargetError, match=r"the image for mps2-an385 could not go on \(hard fault: pc 0x1234\)"):
        BoardTarget(lab.parse("freertos"), Storage(tmp_path / "cache")).describe()
