"""Do the threads with deadlines use files?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import TRANSFERS, judge, kind, of_judged
from rtgauge.audit.app._observation import Call, Observation

TOPIC = Topic(
    "file access",
    "Files wait for disks, for locks of the file system and for other programs that write: a single fsync may take a "
    "second.",
    "Let another thread use the files, and hand it the data through memory that is there already.",
    "no-blocking-io",
)
ALWAYS = {
    "open", "openat", "openat2", "creat", "fsync", "fdatasync", "sync", "syncfs", "msync", "sync_file_range", "flock",
    "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "truncate", "ftruncate",
    "fallocate", "getdents64", "newstat", "newlstat", "newfstatat", "statx", "readlinkat", "execve",
}  # fmt: skip


def check(seen: Observation) -> Finding:
    return judge(seen, TOPIC, of_judged(seen, _is_file), "File access", "no file access")


def _is_file(seen: Observation, call: Call) -> bool:
    return call.name in ALWAYS or (call.name in TRANSFERS and kind(seen, call) == "file")
