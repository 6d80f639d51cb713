"""What can go wrong, as the user meets it: one line that names the cause and the way out, and an exit code."""

from __future__ import annotations

EXIT_OK = 0  # done, or judged and passed
EXIT_FAILED = 1  # judged and failed
EXIT_USAGE = 2  # wrong usage
EXIT_UNDECIDED = 3  # judged inconclusive or invalid
EXIT_TARGET = 4  # the target could not be reached, or broke; results could not be kept
EXIT_SIGNAL = 128  # and the number of the signal, as shells expect it: 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP


class RtgaugeError(Exception):
    """Base of all errors shown to the user as one line, without a traceback."""

    exit_code = EXIT_TARGET


class UsageError(RtgaugeError):
    """The user asked for something that does not exist or makes no sense."""

    exit_code = EXIT_USAGE


class TargetError(RtgaugeError):
    """The target could not be reached, is busy, or broke."""


class StoreError(RtgaugeError):
    """A run folder or the catalogue cannot be written, or is damaged."""
