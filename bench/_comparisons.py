"""What is compared with what. To add a comparison: one entry here, and where its instrument is new, the function that
runs it. A test that the engine does not have yet is reported as not measured until it has it."""

from __future__ import annotations

from functools import partial

import _perf
import _rttests
from _side_by_side import (
    TRACED_SAMPLES,
    Comparison,
    against_cyclictest,
    against_kernel,
    against_program,
    blocking,
    in_turn,
    releasing,
)

_TRACED = (
    "both from the same runs. Ours: start to stop stamp. Theirs: from the switch that brought the starting thread to "
    "the one that brought the stopping thread, by the kernel's rate of the counter. Our end points both lie one way "
    "back from the kernel later, "
)
_WHY_TRACED = (
    "the two ways back from the kernel are not equally long, and the test's own code before its start stamp is on "
    "their side only: some hundred ns of either sign"
)
_BOTH_THREADS = "both threads on one CPU with one real-time priority"
_WHY_RTTESTS = (
    "they sleep between samples (colder caches), switch only when the sender blocks (a second system call), and tell "
    "whole microseconds, so averages are compared and minima only shown: theirs is an upper bound, and not far off"
)

COMPARISONS = (
    Comparison(
        name="cyclictest",
        test="TMR-P-CYC",
        params={"interval": "1ms", "threads": "1", "policy": "fifo", "priospread": "off"},
        instrument="cyclictest",
        definition="the same: wake-up of an absolute sleep minus its due time; same policy, priority, interval, CPU; "
        "cpu_dma_latency left alone by both. cyclictest leaves skipped periods out",
        within=(0.85, 1.15),
        why="the same quantity; idle states and the host of a virtual machine move single runs by 10 %",
        figure="median",
        measure=against_cyclictest,
    ),
    Comparison(
        name="switch",
        test="THR-P-SLS",
        params={"threads": "2"},
        instrument="sched_switch",
        definition=_TRACED + "and theirs holds the bookkeeping between two yields",
        within=(0.85, 1.15),
        why=_WHY_TRACED,
        figure="median",
        samples=TRACED_SAMPLES,
        measure=partial(against_kernel, parts=in_turn),
    ),
    Comparison(
        name="acquire",
        test="SEM-P-ARC",
        params={"kind": "counting", "name": "unnamed", "waiters": "32"},
        series="acquire",
        instrument="sched_switch",
        definition=_TRACED + "and theirs holds what the waiter does between its gate and its failing acquire",
        within=(0.85, 1.15),
        why=_WHY_TRACED,
        figure="median",
        samples=TRACED_SAMPLES,
        measure=partial(against_kernel, parts=blocking),
    ),
    Comparison(
        name="release",
        test="SEM-P-ARC",
        params={"kind": "counting", "name": "unnamed", "waiters": "32"},
        series="release",
        instrument="sched_waking + sched_switch",
        definition=_TRACED + "and theirs holds what the driver does between two releases",
        within=(0.85, 1.15),
        why=_WHY_TRACED,
        figure="median",
        samples=TRACED_SAMPLES,
        measure=partial(against_kernel, parts=releasing),
    ),
    Comparison(
        name="release-ptsematest",
        test="SEM-P-ARC",
        params={"kind": "counting", "name": "unnamed", "waiters": "4"},
        series="release",
        instrument="ptsematest",
        definition="ours: release to the highest waiter running, which pre-empts. Theirs: unlock of a mutex to the "
        f"thread that waited for it having it; {_BOTH_THREADS}",
        within=(0.4, 1.1),
        why=_WHY_RTTESTS,
        figure="avg",
        measure=partial(against_program, theirs=partial(_rttests.hand_over, "ptsematest")),
    ),
    *(
        Comparison(
            name=f"round-trip-pipe-{peers}",
            test="SYN-P-RTT",
            params={"peers": peer},
            series="round-trip",
            instrument="perf bench sched pipe",
            definition=f"ours: there and back through semaphores. Theirs: through two pipes; both {peers} on one CPU "
            "with one real-time priority",
            within=(0.5, 1.5),
            why="as many switches and system calls by other services: a pipe locks and copies, a semaphore that "
            "processes share looks up its page; so a bound and no equality",
            figure="avg",
            measure=partial(against_program, theirs=partial(_perf.round_trip, peers)),
        )
        for peer, peers in (("thread", "threads"), ("process", "processes"))
    ),
    Comparison(
        name="round-trip-ptsematest",
        test="SYN-P-RTT",
        params={"peers": "thread"},
        series="round-trip",
        instrument="ptsematest",
        definition="ours: there and back through semaphores. Theirs, twice: unlock of a mutex to the thread that "
        f"waited for it having it; {_BOTH_THREADS}",
        within=(0.6, 1.3),
        why="the same two system calls and one switch each way; they sleep between samples (colder caches) and tell "
        "whole microseconds, so averages are compared and minima only shown",
        figure="avg",
        measure=partial(against_program, theirs=partial(_rttests.hand_over, "ptsematest"), times=2.0),
    ),
    Comparison(
        name="message-pmqtest",
        test="MSG-P-LAT",
        params={"peers": "thread"},
        instrument="pmqtest",
        definition="ours: sent to received, the first size that the test runs. Theirs: the same with 7 bytes in a "
        f"queue of one message; {_BOTH_THREADS}",
        within=(0.4, 1.2),
        why=_WHY_RTTESTS,
        figure="avg",
        measure=partial(against_program, theirs=partial(_rttests.hand_over, "pmqtest")),
    ),
    *(
        Comparison(
            name=f"signal-sigwaittest-{peer}",
            test="SIG-P-LAT",
            params={"peers": peer},
            instrument="sigwaittest",
            definition="ours: a queued signal sent to its handler running. Theirs: a plain signal sent to the return "
            f"of sigwait, which needs no handler frame{blocked}; both on one CPU with one real-time priority",
            within=(0.35, 1.3),
            why=_WHY_RTTESTS,
            figure="avg",
            measure=partial(against_program, theirs=partial(_rttests.hand_over, "sigwaittest", *more)),
        )
        for peer, more, blocked in (
            ("thread", (), ", but the C library blocks signals around its sending"),
            ("process", ("-f",), ""),
        )
    ),
)
