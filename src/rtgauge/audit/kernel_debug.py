"""Debugging aids in the kernel that cost time everywhere."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "kernel debugging",
    "Lock, memory and scheduling checkers multiply the length of kernel paths, so every latency is that of a debugging "
    "kernel and not of the product.",
    "Measure with a kernel built without them.",
    "config-options",
)
COSTLY = (
    "CONFIG_PROVE_LOCKING",
    "CONFIG_LOCKDEP",
    "CONFIG_LOCK_STAT",
    "CONFIG_DEBUG_LOCK_ALLOC",
    "CONFIG_DEBUG_PREEMPT",
    "CONFIG_DEBUG_ATOMIC_SLEEP",
    "CONFIG_DEBUG_OBJECTS",
    "CONFIG_DEBUG_PAGEALLOC",
    "CONFIG_DEBUG_KMEMLEAK",
    "CONFIG_SLUB_DEBUG_ON",
    "CONFIG_KASAN",
    "CONFIG_KCSAN",
    "CONFIG_UBSAN",
    "CONFIG_LATENCYTOP",
)


def check(system: System) -> Finding:
    options, source = system.config
    if options is None:
        return TOPIC.unread(source)
    on = [name for name in COSTLY if options.get(name, "n") == "y"]
    if on:
        return TOPIC.warn(f"built in: {', '.join(on)}", *((f"{source.path} {name}", "y") for name in on))
    return TOPIC.ok(f"none of {len(COSTLY)} costly debugging options is built in", source)
