"""Options that several commands share: the same words for the same things."""

from __future__ import annotations

import argparse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


def add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", metavar="DIR", help="where runs are kept (default: $RTGAUGE_STORE, else ~/.local/share/rtgauge)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for machines")


def add_require(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--require",
        metavar="FILE",
        action="append",
        default=[],
        help="requirements to judge by (TOML); may be repeated",
    )


def add_lab(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lab", metavar="FILE", help="lab: systems of your own (default: rtgauge/lab.toml in $XDG_CONFIG_HOME)"
    )


def use_lab(args: argparse.Namespace) -> None:
    """Makes the systems of `--lab` known, also to the processes that this one starts."""
    import os

    from rtgauge.lab.own_systems import VARIABLE

    if args.lab is not None:
        os.environ[VARIABLE] = os.path.abspath(args.lab)  # noqa: PTH100 - of text


def add_run(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    parser.add_argument(
        "run_name", metavar="RUN", nargs=nargs, help="a run's id, a unique beginning of it, its path, or last"
    )


def add_measuring(parser: argparse.ArgumentParser, profile: str) -> None:
    """What `run` and `evaluate` have in common."""
    parser.add_argument(
        "--tests", metavar="GLOB", action="append", default=[], help="only tests whose id matches, e.g. 'THR-*'"
    )
    parser.add_argument("--suite", metavar="NAME", help="the tests of a suite, e.g. posix-2000 (rtgauge list suites)")
    parser.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a value of a test's parameter instead of those run by default; may be given again",
    )
    parser.add_argument("--profile", default=profile, help=f"quick, standard or full (default: {profile})")
    parser.add_argument("--cache", default="hot", help="hot: as it comes; dirty: evicted before each sample")
    parser.add_argument(
        "--load", metavar="NAME", action="append", default=[], help="work that runs beside the tests, e.g. heavy"
    )
    parser.add_argument(
        "--cpus",
        action="append",
        default=[],
        help="where loads run: one: beside the test, on its CPU; all: anywhere; reserved: never on the test's CPU, "
        "which is kept free of other tasks and of interrupts as far as the kernel allows",
    )
    parser.add_argument(
        "--blame", action="store_true", help="record the kernel's events, and say what the worst samples waited for"
    )
    parser.add_argument(
        "--break-on", metavar="TIME", help="end a test at its first worse sample, and keep what surrounds it"
    )
    parser.add_argument("--directory", metavar="DIR", help="where the tests of files work (default: the store)")
    parser.add_argument("--duration", metavar="TIME", help="of the whole run, e.g. 10m: scales the samples")
    parser.add_argument("--samples", metavar="N", help="samples of each series of each performance test")
    parser.add_argument("--priority", metavar="N", default="80", help="the highest that a test may use, 1 to 98")
    parser.add_argument("--interval", metavar="TIME", help="of periodic tests (TMR-P-CYC), e.g. 1ms")
    parser.add_argument("--cpu", metavar="N", help="the CPU under test (default: the last one allowed)")
    parser.add_argument("--deadline", metavar="TIME", help="judge against it, e.g. 100us")
    parser.add_argument(
        "--tune", action="store_true", help="keep the processor out of deep idle states while the run lasts"
    )
    parser.add_argument(
        "--no-live",
        action="store_true",
        help="on a terminal: show how far the run is, but no figures of tests under way",
    )
    parser.add_argument("--kernel", metavar="FILE", help="lab: a kernel of yours (bzImage, vmlinux or Image)")
    parser.add_argument("--kernel-append", metavar="WORDS", help="lab: more words for the kernel's command line")
    parser.add_argument("--freertos-kernel", metavar="DIR", help="lab: the tree of a FreeRTOS kernel of yours")
    add_lab(parser)
    parser.add_argument("--tag", metavar="TEXT", default="", help="a note kept with the run")
    add_store(parser)
    add_json(parser)


def store_of(args: argparse.Namespace) -> Path:
    from rtgauge.store.places import store_root

    return store_root(args.store)
