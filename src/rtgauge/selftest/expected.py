"""For each fault of the fake system: what must be said about it, and which tests else may notice it.

A sign names results by a pattern, one fact of theirs, and what it must be: a text (regular expression), or a figure
that follows from the fault's number k. A test that says something and is in neither list is a false alarm. Notices are
tests, or `test:fact` where only that fact of it may change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rtgauge.selftest.compare import Differences
from rtgauge.selftest.seen import Fact, owner_of

NO = "^does not hold$"
YES = "^holds$"


@dataclass(frozen=True)
class Sign:
    result: str  # pattern of the name
    fact: str
    says: str = ""  # regular expression
    per_k: float | None = None  # or a figure: this much for each 1 of k ...
    beyond_known: bool = False  # ... beyond what the correct system has

    def matches(self, name: str, fact: str, known: Fact, seen: Fact, k: int) -> bool:
        if fact != self.fact or not fnmatchcase(name, self.result):
            return False
        if self.per_k is None:
            return re.search(self.says, str(seen)) is not None
        if isinstance(seen, str) or seen is None:
            return False
        base = known if self.beyond_known and isinstance(known, (int, float)) else 0.0
        most = 0.5 if fact == "slope.slope" else 10.0  # ns for each waiter; a step of the clock
        return abs(seen - base - self.per_k * k) <= most

    def __str__(self) -> str:
        figure = f"{'known + ' if self.beyond_known else ''}{self.per_k} k"
        return f"{self.result}: {self.fact}: {self.says if self.per_k is None else figure}"


@dataclass(frozen=True)
class Expectation:
    must: tuple[Sign, ...]
    may: tuple[str, ...] = ()


def says(result: str, fact: str, text: str) -> Sign:
    return Sign(result, fact, says=text)


def adds(result: str, fact: str, per_k: float) -> Sign:
    return Sign(result, fact, per_k=per_k, beyond_known=True)


def gives(result: str, fact: str, per_k: float) -> Sign:
    return Sign(result, fact, per_k=per_k)


def missing(expected: Expectation, found: Differences, k: int) -> list[Sign]:
    """The signs that are not there."""
    return [sign for sign in expected.must if not caught(sign, found, k)]


def caught(sign: Sign, found: Differences, k: int) -> list[tuple[str, str, Fact]]:
    """Where a sign is there: (result, fact, what it said)."""
    return [
        (name, fact, seen)
        for name, facts in found.items()
        for fact, (known, seen) in facts.items()
        if sign.matches(name, fact, known, seen, k)
    ]


def unexpected(expected: Expectation, found: Differences) -> dict[str, list[str]]:
    """Tests that noticed something and should not, with what they say."""
    own = {test for sign in expected.must for test in (sign.result.split()[0], owner_of(sign.result))}
    wrong: dict[str, list[str]] = {}
    for name, facts in found.items():
        for fact, (known, seen) in facts.items():
            test = owner_of(name)
            if test not in own and not any(_allows(notice, test, fact) for notice in expected.may):
                wrong.setdefault(test, []).append(f"{name}: {fact}: {known} -> {seen}")
    return wrong


def _allows(notice: str, test: str, fact: str) -> bool:
    pattern, _, facts = notice.partition(":")
    return fnmatchcase(test, pattern) and fnmatchcase(fact, facts or "*")


# ---- the table ------------------------------------------------------------------------------------------------------

_DEADLOCKED = ("*:problems", "*:ended")
_LOCKS = ("SMP-P-SCL", "MUT-P-PIC", "MUT-P-ARC", "MUT-P-INV", "MUT-B-ARC")
_SEMAPHORES = ("SMP-P-SCL", "SYN-P-*", "SYS-B-ARC", "THR-P-SLS", "SEM-*", "MEM-B-LEK", *_LOCKS, *_DEADLOCKED)
_IN_TURN = ("SMP-P-SCL:m*",)  # the order in which pairs have their turns
_OTHERS = (
    "MSG-*",
    "SYN-P-RTT",
    "NSE-P-OSN",
    "MSG-B-BLK",
    "SMP-P-SCL",
    "SCD-S-UTL",
    "SYS-B-ARC",
)  # make threads, locks and semaphores as they need them
_CREATE = ("IRQ-*", "CLK-B-CFG", "CLK-P-DUR", "THR-*", "SEM-*", "MUT-*", "TMR-P-CYC", *_OTHERS, *_DEADLOCKED)
_LATER = ("*:max", "*:blocking.longest", "THR-B-RR:m*")  # only the largest, and slices of which ticks are taken out
_TICKED = (
    "CPU-P-RSP:m*",
    "MSG-P-THR:m*",
    "NSE-P-OSN:m*",
    "IRQ-S-SUS:m*",
    "SMP-P-SCL:m*",
    "SCD-S-UTL:m*",
)  # long enough for a tick to be in every sample
_STEPPED = ("IRQ-*", "THR-B-RR", "CLK-B-CFG", "*:negatives", "*:m*", "*:status")  # whatever runs 150 ms after the start
_LOST = ("*:status", "*:lost", "*:check *", "*:evidence *", "*:problems", "*:ended")  # never a figure

_OWN_LEVEL = ("CPU-P-RSP", "MSG-P-*", "SYN-P-*", "THR-P-CTL")  # change their own level

EXPECTED: Mapping[str, Expectation] = {
    # threads
    "create-lower-runs": Expectation(
        (
            says("THR-B-NEW", "check lower", NO),
            says("CLK-P-DUR *queued", "status", "a ready thread of a lower level ran"),
        ),
        ("THR-P-NEW", "THR-P-CTL", "THR-B-RR", "CLK-B-CFG", "MUT-B-ARC", "IRQ-S-SUS", *_IN_TURN),
    ),
    "create-to-head": Expectation((says("THR-B-NEW", "check equal", NO),), ("THR-B-RR:m*", *_IN_TURN)),
    "create-higher-waits": Expectation(
        (says("THR-B-NEW", "check higher", NO), says("THR-P-NEW *run-terminate*", "status", "did not run at once")),
        _CREATE,
    ),
    "policy-replaced": Expectation(
        (says("THR-B-RR", "status", "^invalid: a thread did not get the policy"),), ("THR-B-NEW", "SYS-B-ARC")
    ),
    "runs-elsewhere": Expectation(
        (
            says("THR-P-SLS *", "status", "^invalid: a thread does not run on the CPU"),
            says("TMR-P-CYC *", "status", "^invalid: a thread does not run on the CPU"),
        ),
        _CREATE,
    ),
    "yield-nothing": Expectation(
        (says("THR-B-NEW", "check yield", NO), says("THR-P-SLS *", "status", "^invalid: .* order of the ready queue")),
        ("THR-P-NEW", "SMP-P-SCL", "MUT-P-PIC", *_DEADLOCKED),
    ),
    "yield-to-lower": Expectation((says("THR-B-NEW", "check lower", NO),), ("MUT-B-ARC",)),
    "slice-first-long": Expectation((says("THR-B-RR", "check first-slice", NO),)),
    "slices-unfair": Expectation((says("THR-B-RR", "check fair", NO),)),
    "slices-never-end": Expectation((says("THR-B-RR", "check sliced", NO),)),
    "level-call-nothing": Expectation(
        (says("THR-B-NEW", "status", "^invalid: a thread changed its level, and the system did not follow"),),
        (
            "CLK-B-CFG",
            "CLK-P-*",
            "MEM-B-LEK",
            "MEM-P-FTP",
            "MUT-P-ARN",
            "SEM-*",
            "THR-P-NEW",
            *_OWN_LEVEL,
            *_OTHERS,
            *_DEADLOCKED,
        ),
    ),
    "lowered-other-end": Expectation(
        (
            says("THR-B-NEW", "check lowered-self-fifo-fake_setschedparam", NO),
            says("THR-B-NEW", "check lowered-self-fifo-fake_setschedprio", YES),
            says("THR-B-NEW", "check lowered-other-rr-fake_setschedprio", YES),
        )
    ),
    # semaphores
    "sem-blocks-at-one": Expectation((says("SEM-B-LCK *counting*", "check blocks-at-zero", NO),), _SEMAPHORES),
    "sem-no-reschedule": Expectation(
        (says("SEM-B-LCK *", "check reschedule", NO),), (*_SEMAPHORES, "THR-B-NEW:check lowered-other-*")
    ),
    "sem-loses-release": Expectation((says("SEM-B-LCK *counting*", "check increments", NO),), _SEMAPHORES),
    "sem-no-limit": Expectation((says("SEM-B-LCK *", "check largest-count", NO),)),
    "sem-value-wrong": Expectation((says("SEM-B-LCK *", "check value", NO),)),
    "sem-enters-kernel": Expectation(
        (
            says("SEM-P-ARN *", "evidence kernel_entered_acquire", "^yes"),
            says("SEM-P-ARN *", "evidence kernel_entered_release", "^yes"),
        )
    ),
    "waiters-fifo": Expectation(
        (says("SEM-B-REL *", "check priority", NO), says("SEM-P-ARC *", "status", "^invalid: .* is not the highest")),
        ("SEM-P-SCL", "MSG-B-BLK"),
    ),
    "waiters-equal-lifo": Expectation((says("SEM-B-REL *", "check equal-first-come", NO),), ("MSG-B-BLK",)),
    "waiters-cost": Expectation(
        (
            says("SEM-P-SCL *acquire", "slope.verdict", "^grows$"),
            gives("SEM-P-SCL *acquire", "slope.slope", 1.0),
            adds("SEM-P-ARC *acquire", "median", 63.0),  # the middle of 0 to 127 that wait already
        )
    ),
    # mutexes
    "mutex-no-inheritance": Expectation(
        (
            says("MUT-B-ARC protocol=inherit", "check avoided", NO),
            says("MUT-P-ARC *", "status", "^invalid: .* nothing was inherited"),
        ),
        _LOCKS,
    ),
    "mutex-no-chain": Expectation((says("MUT-B-ARC protocol=inherit", "check chained", NO),)),
    "mutex-not-restored": Expectation(
        (
            says("MUT-B-ARC protocol=inherit", "check restored", NO),
            says("MUT-B-ARC protocol=protect", "check restored", NO),
        ),
        _LOCKS,
    ),
    "mutex-keeps-boost": Expectation((says("MUT-B-ARC protocol=inherit", "check time-out", NO),)),
    "mutex-no-ceiling": Expectation((says("MUT-B-ARC protocol=protect", "check avoided", NO),)),
    "mutex-not-exclusive": Expectation((says("MUT-P-ARN *", "status", "^invalid: the mutex does not lock"),), _LOCKS),
    "mutex-enters-kernel": Expectation((says("MUT-P-ARN *", "evidence kernel_entered_acquire", "^yes"),)),
    "timeout-early": Expectation(
        (
            says("MUT-B-ARC protocol=inherit", "check limit-not-early", NO),
            says("MSG-B-BLK", "check send-not-early", NO),
            says("MSG-B-BLK", "check receive-not-early", NO),
        )
    ),
    # memory and files
    "heap-grows": Expectation(
        (adds("MEM-P-ALC kind=heap size=16 state=fragmented part=allocate", "min", 256 + 7),)  # the blocks that are out
    ),
    "heap-enters-kernel": Expectation(
        (says("MEM-P-ALC kind=heap * part=allocate", "evidence kernel_entered_allocate", "^yes"),)
    ),
    "flush-nothing": Expectation(
        (says("FS-P-WR size=512", "status", "counted fewer writes than were forced"),), ("FS-P-RD",)
    ),
    "forget-nothing": Expectation((says("FS-P-RD *cached=no", "status", "cannot be taken out of memory"),)),
    "write-peaks": Expectation(
        (
            gives("FS-P-WR size=512", "peaks.every", 1.0),
            gives("FS-P-WR size=512 part=peak-period", "median", 1.0),
        )
    ),
    # message queues
    "messages-fifo": Expectation((says("MSG-B-BLK", "check message-priority", NO),)),
    "queue-full-loses": Expectation(
        (says("MSG-B-BLK", "check full-blocks", NO), says("MSG-B-BLK", "check send-times-out", NO)), ("MSG-P-*",)
    ),
    "queue-empty-returns": Expectation(
        (
            says("MSG-B-BLK", "check empty-blocks", NO),
            says("MSG-B-BLK", "check receive-times-out", NO),
            says("SMP-P-SCL service=queue *", "status", "^invalid: a call of the service failed"),
        ),
        ("MSG-P-*",),
    ),
    # clocks
    "clock-coarse": Expectation(
        (gives("clock", "resolution", 1.0), gives("CAL-P-TRC *", "evidence counter_step", 1.0)),
        ("CLK-P-DUR", "IRQ-*", "NSE-P-OSN", "*:m*", "*:unmeasurable", "*:blocking.longest", "*:slope.*", "clock:*"),
    ),
    "clock-steps-back": Expectation((says("CLK-P-DUR *", "status", "^invalid: .*the clock ran backwards"),), _STEPPED),
    "clock-wraps": Expectation((says("CLK-P-DUR *", "status", "^invalid: .*the clock ran backwards"),), _STEPPED),
    "clock-differs": Expectation(
        (says("clock", "why", "^no clock of this port can be trusted"),), ("*:status", "*:ended", "*:problems")
    ),
    "os-clock-coarse": Expectation(
        (says("CLK-B-CFG", "check resolution", NO),),
        ("CLK-P-DUR", "IRQ-*", "TMR-*", "CPU-P-RSP:*", "THR-B-RR:m*", "SCD-S-UTL:m*"),
    ),
    "kernel-blocks": Expectation((adds("CLK-P-GET path=syscall", "max", 1000.0),)),
    # the tick
    "tick-lost": Expectation(
        (
            says("CLK-B-CFG", "check tick-period", NO),
            says("CLK-P-DUR *plain", "status", "^inconclusive: loops were hit [67].*, the tick comes 1000 times"),
        ),
        ("THR-B-RR:m*", *_TICKED),
    ),
    "tick-twice": Expectation(
        (says("CLK-P-DUR *plain", "ticks.worst", r"^1600(\.0)?$"),),  # twice 800 ns
        ("CLK-B-CFG", "THR-B-RR:m*", "*:max", *_TICKED),
    ),
    "tick-takes": Expectation(
        (gives("CLK-P-DUR *plain", "ticks.typical", 1000.0), gives("CLK-P-DUR *queued", "ticks.typical", 1000.0)),
        (*_LATER, "CLK-B-CFG:evidence tick_ns_*", "IRQ-*", *_TICKED),
    ),
    # timers
    "timer-early": Expectation(
        (
            adds("TMR-P-CYC *", "median", -1000.0),
            adds("TMR-P-JIT *sleep*", "median", -1000.0),
            adds("TMR-P-JIT *signal*", "median", -1000.0),
            says("CLK-B-CFG", "check shortest-sleep", NO),
        ),
        ("CLK-P-DUR", "IRQ-P-TLT", "IRQ-S-SUS", "SCD-S-UTL"),
    ),
    "timer-late": Expectation(
        (adds("TMR-P-CYC *", "median", 1000.0), adds("TMR-P-JIT *signal*", "median", 1000.0)),
        ("CLK-B-CFG", "CLK-P-DUR", "IRQ-S-SUS", "SCD-S-UTL"),
    ),
    "timer-twice": Expectation(
        (
            says("CLK-P-DUR *timer", "status", "^invalid: the timer did not expire as often"),
            says("TMR-P-JIT *signal*", "status", "^invalid: the timer expired more often than its period"),
        ),
        ("IRQ-S-SUS",),
    ),
    "timer-never": Expectation(
        (
            says("engine CLK-P-DUR", "ended", "^the engine ended with status 87"),
            says("engine TMR-P-JIT", "ended", "^the engine ended with status 87"),
        ),
        ("IRQ-S-SUS",),
    ),
    "sleep-early": Expectation(
        (
            adds("TMR-P-CYC *", "median", -1000.0),
            adds("TMR-P-JIT *sleep*", "median", -1000.0),
            says("CLK-B-CFG", "check shortest-sleep", NO),
        ),
        ("IRQ-P-TLT", "SCD-S-UTL"),
    ),
    # interrupts
    "interrupt-lost": Expectation(
        (
            says("IRQ-P-LAT *", "status", "^invalid: an interrupt that was asked for did not come"),
            says("IRQ-P-DLT *", "status", "^invalid: an interrupt that was asked for did not come"),
            says("IRQ-P-TLT *", "status", "^invalid: an interrupt that was asked for did not come"),
            says("IRQ-B-NST *", "status", "^invalid: an interrupt that was asked for did not come"),
        ),
        ("IRQ-P-SIM",),
    ),
    "handler-twice": Expectation(
        (
            says("IRQ-P-LAT *", "status", "^invalid: an interrupt was handled more than once"),
            says("IRQ-P-DLT *", "status", "^invalid: an interrupt was handled more than once"),
            says("IRQ-P-TLT *", "status", "^invalid: an interrupt was handled more than once"),
            says("IRQ-B-NST *", "status", "^invalid: an interrupt was handled more than once"),
        ),
        ("IRQ-P-SIM",),
    ),
    # memory
    "leak": Expectation(
        tuple(
            says(f"MEM-B-LEK object={kind}", "check leak-objects", NO)
            for kind in ("thread", "semaphore", "named-semaphore", "mutex", "timer")
        )
    ),
    "thread-keeps-memory": Expectation((says("MEM-B-LEK object=thread", "check leak-bytes", NO),)),
    # samples, and the way that they take
    "switch-late": Expectation(
        (
            adds("THR-P-SLS threads=2", "max", 1000.0),
            adds("SEM-P-ARC *acquire", "max", 1000.0),
            adds("MUT-P-ARC *acquire", "max", 1000.0),
        ),
        (*_LATER, "MSG-P-THR:m*", "SMP-P-SCL:m*", "SCD-S-UTL:m*"),
    ),
    "samples-overflow": Expectation(
        (says("SEM-P-ARC *", "lost", "^[1-9]"), says("CLK-P-GET *", "lost", "^[1-9]")),
        ("*:lost", "SMP-P-SCL:m*", "SCD-S-UTL:m*", "IRQ-S-SUS:m*"),
    ),
    "dies": Expectation(
        (
            says("CLK-P-DUR *plain", "status", "^invalid: the engine ended before the test did"),
            says("engine CLK-P-DUR", "ended", "^the engine was killed by signal 9"),
        ),
        ("*:status", "*:problems", "*:ended"),
    ),
    "trace-flips": Expectation(
        (
            says("trace *", "problems", "."),
            says("*", "status", "were lost|has lost|no end|the engine ended before|the trace ends before"),
        ),
        _LOST,
    ),
    "trace-loses": Expectation(
        (
            says("trace *", "problems", "."),
            says("*", "status", "were lost|has lost|no end|the engine ended before|the trace ends before"),
        ),
        _LOST,
    ),
}
