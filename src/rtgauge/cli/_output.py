"""What reaches the terminal: plain text without control characters, and JSON for machines."""

from __future__ import annotations

import sys

from rtgauge.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:  # `rtgauge --help` loads this module: what only some commands need is loaded by them
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Any, BinaryIO

_HIDDEN = {
    *range(0x00, 0x20),  # C0
    *range(0x7F, 0xA0),  # delete, C1
    0xAD,
    0x061C,
    *range(0x200B, 0x2010),  # zero width and direction marks
    *range(0x2028, 0x202F),  # line ends, embeddings, overrides
    *range(0x2060, 0x2070),
    *range(0xD800, 0xE000),  # lone surrogates
    0xFEFF,
}
_TABLE = dict.fromkeys(_HIDDEN, "\N{REPLACEMENT CHARACTER}")


def clean(text: object) -> str:
    """`text` in one line, with everything that could move a cursor or reverse a line replaced."""
    return str(text).translate(_TABLE)


def line(text: object = "") -> None:
    """One line on standard output."""
    sys.stdout.write(_encodable(clean(text), sys.stdout) + "\n")


def say(text: object) -> None:
    """One line on standard error, as ours."""
    tell(f"rtgauge: {clean(text)}")


def tell(text: object) -> None:
    """One line on standard error as it is."""
    try:
        sys.stderr.write(_encodable(clean(text), sys.stderr) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # nobody is there to read it


def json_out(content: Any) -> None:
    """`content` as JSON on standard output, in ASCII."""
    import json

    text = json.dumps(content, indent=1, allow_nan=False).replace("\x7f", "\\u007f")
    sys.stdout.write(text + "\n")


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Columns of text; those whose index is in `right` are flush right. Nothing is cut."""
    cells = [[clean(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        shown = [c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        line("  ".join(shown).rstrip())


def rich_console() -> Any:
    """A rich console that writes plain words as they are, and leaves the end of its reader to us."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Plain(highlight=False, markup=False, emoji=False)


def _encodable(text: str, stream: Any) -> str:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def check_output(file: str | None) -> None:
    """Whether a file can be written there, as far as can be told before the work. UsageError says what is wrong."""
    from pathlib import Path

    if not file or file == "-":
        return
    path = Path(file)
    try:
        if path.is_dir():
            raise UsageError(f"-o {file} is a directory: name a file")
        if not path.parent.is_dir():
            raise UsageError(f"-o {file}: there is no directory {path.parent}")
    except OSError as error:
        raise UsageError(f"-o {file}: {error.strerror}") from error


def write_output(file: str, content: Any) -> None:
    """`content` as JSON to a file that the user named."""
    import json

    write_file(file, json.dumps(content, indent=1, allow_nan=False) + "\n")


def write_file(file: str | Path, content: str | bytes) -> None:
    """Writes a file whole or not at all; "-" is standard output. Never one of a run's own files."""
    data = content.encode() if isinstance(content, str) else content
    fill_file(file, lambda stream: stream.write(data))


def fill_file(file: str | Path, fill: Callable[[BinaryIO], object]) -> None:
    """As write_file, of what `fill` writes: piece by piece, so that it may be large."""
    from pathlib import Path

    from rtgauge.store.files import write_whole, writing
    from rtgauge.store.folder import HASHED, IMPORTED, KERNEL_CONFIG, MANIFEST

    if file == "-":
        sys.stdout.flush()
        fill(sys.stdout.buffer)
        return
    path = Path(file)
    in_run = (path.parent / MANIFEST).exists()
    if in_run and path.name in (*HASHED, IMPORTED, KERNEL_CONFIG, MANIFEST):
        raise UsageError(f"{path} belongs to a stored run, which is never changed: name another file")
    if not in_run and path.exists() and not path.is_file():  # a device or a pipe: nothing to put in its place
        with writing(path), path.open("wb") as stream:
            fill(stream)
        return
    write_whole(path, fill)
