"""Finds the commands and builds the parser of the one that is asked for."""

from __future__ import annotations

import argparse
import importlib
import os

from rtgauge import __version__
from rtgauge.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not imported otherwise: nobody waits for the type checker to see a help text
    from collections.abc import Sequence
    from types import ModuleType
    from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of the command, with `run` set to its function. Raises UsageError; SystemExit after --help."""
    names = commands()
    name = next((word for word in words if not word.startswith("-")), None)
    if name is None:
        return _overview(names).parse_args(words)
    if name not in names:
        from rtgauge.registry import pick

        if words[0].startswith("-"):
            raise UsageError(f"the command comes before its options: rtgauge COMMAND ...; {name!r} is none")
        pick("command", name, dict.fromkeys(names))
    rest = list(words)
    rest.remove(name)
    args = _command(name).parse_args(rest)
    args.command_line = ("rtgauge", *words)
    return args


def commands() -> list[str]:
    """The names of all commands, without loading them."""
    files = os.listdir(os.path.dirname(__file__))  # noqa: PTH120, PTH208 - pathlib and pkgutil load slowly
    return sorted(name[:-3].replace("_", "-") for name in files if name.endswith(".py") and name[0] != "_")


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"rtgauge.cli.{name.replace('-', '_')}")


def _overview(names: Sequence[str]) -> Parser:
    lines = ["commands:", *(f"  {name:<10} {_load(name).SUMMARY}" for name in names)]
    lines += ["", "`rtgauge COMMAND --help` explains one.  Example: rtgauge evaluate"]
    parser = Parser(
        prog="rtgauge",
        usage="rtgauge COMMAND ...",
        description="Measures whether an operating system keeps its deadlines, and shows the proof.",
        epilog="\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"rtgauge {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")

    def show(_args: argparse.Namespace) -> int:
        parser.print_help()
        return 0

    parser.set_defaults(run=show)
    return parser


def _command(name: str) -> Parser:
    module = _load(name)
    parser = Parser(
        prog=f"rtgauge {name}",
        description=module.SUMMARY,
        epilog=f"example:\n  {module.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser.set_defaults(run=module.run)
    return parser
