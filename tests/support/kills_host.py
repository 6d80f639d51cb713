"""A program that runs `rtgauge` over and over for tests that kill it: everything is imported once, each run is a forked
process. One request a line on standard input, one answer a line on standard output, in JSON."""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import pkgutil
import sys
from typing import Any


def main() -> None:
    shim = ctypes.CDLL(os.environ.pop("LD_PRELOAD")) if "LD_PRELOAD" in os.environ else None
    _import_all()
    _say(ready=os.getpid())
    for line in sys.stdin:
        request = json.loads(line)
        process = os.fork()
        if process == 0:
            _be_the_host(request, shim)
        _say(pid=process)
        status = os.waitpid(process, 0)[1]
        _say(status=os.waitstatus_to_exitcode(status))


def _import_all() -> None:
    import rtgauge

    for module in pkgutil.walk_packages(rtgauge.__path__, "rtgauge."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("pyarrow.parquet", "sqlalchemy.dialects.sqlite", "jinja2", "scipy.stats"):
        importlib.import_module(name)


def _say(**answer: Any) -> None:
    print(json.dumps(answer), flush=True)


def _be_the_host(request: dict[str, Any], shim: ctypes.CDLL | None) -> None:
    """Never returns. The new session makes the host and nothing else the group that a terminal would signal."""
    os.setsid()
    output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for number in (1, 2):
        os.dup2(output, number)
    os.close(output)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    from rtgauge.cli import main as rtgauge
    from rtgauge.targets import _lock

    _lock.NAME = request["lock"]
    if shim is not None:
        shim.kills_arm(request["below"].encode(), request["at"], request["half"])
    code = rtgauge(request["words"])
    sys.stdout.flush()
    if shim is not None:
        os.write(1, b"calls %d\n" % shim.kills_seen())
    os._exit(code)


if __name__ == "__main__":
    main()
