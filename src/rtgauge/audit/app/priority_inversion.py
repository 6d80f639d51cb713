"""Can a thread of a low priority hold up one of a high priority through a lock?

A mutex asks the kernel only when it is contended. Then one without inheritance shows as a futex word that its threads
both wait on and wake: each waits to lock it and wakes the next one when it unlocks. Conditions and semaphores have
one side that waits and another that wakes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._calls import ROOT, coverage
from rtgauge.audit.app._observation import Call, Observation
from rtgauge.audit.app._threads import count

TOPIC = Topic(
    "priority inversion",
    "A thread that waits for a lock waits for its holder; without inheritance any thread of a priority in between "
    "keeps the holder from running, and the wait has no bound.",
    "Initialise the mutex with pthread_mutexattr_setprotocol(PTHREAD_PRIO_INHERIT), or share data without a lock.",
    "posix-rt-api",
)
WAIT, WAKE, WAKE_OP, WAIT_BITSET, WAKE_BITSET = 0, 1, 5, 9, 10
INHERITING = {6, 7, 8, 11, 12, 13}  # LOCK_PI, UNLOCK_PI, TRYLOCK_PI, WAIT_REQUEUE_PI, CMP_REQUEUE_PI, LOCK_PI2
COMMAND = 0x7F


@dataclass
class Word:
    """Use of one futex word."""

    waits: dict[int, int] = field(default_factory=dict)  # thread: longest sleep in ns
    wakes: set[int] = field(default_factory=set)
    inherits: bool = False

    @property
    def lock(self) -> bool:
        return not self.inherits and bool(self.waits.keys() & self.wakes)


def check(seen: Observation) -> Finding:
    if seen.source != "trace" or seen.trace is None:
        return TOPIC.unknown(f"not checked: {seen.problem}", fix=ROOT)
    words = _words(call for call in seen.calls if call.args)
    unclear = sum(call.name == "futex" and not call.args for call in seen.calls)
    rank = {each.tid: each.rank for each in seen.threads}
    names = {each.tid: each.label for each in seen.threads}
    shared = {address: word for address, word in words.items() if word.lock and _mixed(word, rank)}
    blocked = [address for address, word in shared.items() if _held_up(word, rank)]
    evidence: list[Evidence] = [
        (f"trace: futex {address:#x}",
         "; ".join([*(f"{names.get(tid, tid)} waited up to {ns / 1000:.0f} us" for tid, ns in word.waits.items()),
                    *(f"{names.get(tid, tid)} woke" for tid in sorted(word.wakes))][:8]))
        for address, word in list(shared.items())[:8]
    ]  # fmt: skip
    evidence.append(coverage(seen))
    if blocked:
        return TOPIC.fail(
            f"{count(len(blocked), 'lock')} without inheritance made a higher priority wait for a lower", *evidence
        )
    if shared:
        return TOPIC.warn(
            f"{count(len(shared), 'lock')} without inheritance shared by threads of different priority", *evidence
        )
    if unclear:
        return TOPIC.unknown(
            f"not checked: this kernel writes the {unclear} futex calls in a form not known", *evidence
        )
    inheriting = sum(word.inherits for word in words.values())
    if inheriting and not seen.trace.lost:
        return TOPIC.ok(
            f"{count(inheriting, 'contended lock')} with inheritance, none without between priorities", *evidence
        )
    return TOPIC.unknown(
        f"not decided: no lock was contended between priorities in {seen.trace.seconds:.3g} s, and one that is not "
        "contended does not show",
        *evidence,
        fix="Watch for longer and under full load.",
    )


def _words(calls: Iterable[Call]) -> dict[int, Word]:
    words: dict[int, Word] = defaultdict(Word)
    for call in calls:
        if call.name == "futex" and len(call.args) > 1:
            _note(words[call.args[0]], call, call.args[1] & COMMAND)
        elif call.name in ("futex_wait", "futex_wake"):
            _note(words[call.args[0]], call, WAIT if call.name == "futex_wait" else WAKE)
    return words


def _note(word: Word, call: Call, command: int) -> None:
    if command in INHERITING:
        word.inherits = True
    elif command in (WAIT, WAIT_BITSET):
        word.waits[call.tid] = max(word.waits.get(call.tid, 0), call.blocked_ns)
    elif command in (WAKE, WAKE_OP, WAKE_BITSET):
        word.wakes.add(call.tid)


def _mixed(word: Word, rank: dict[int, int]) -> bool:
    """Whether a real-time thread and one of a lower priority use the word."""
    ranks = {rank[tid] for tid in {*word.waits, *word.wakes} if tid in rank}
    return len(ranks) > 1 and max(ranks) > 0


def _held_up(word: Word, rank: dict[int, int]) -> bool:
    """Whether a thread slept that a lower one woke."""
    lowest = min((rank[tid] for tid in word.wakes if tid in rank), default=100)
    return any(ns > 0 and rank.get(tid, 0) > lowest for tid, ns in word.waits.items())
