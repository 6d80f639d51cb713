"""Does the program name the functions that real-time programs need?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation

TOPIC = Topic(
    "real-time functions",
    "A program that never names mlockall, a scheduling call or mutex protocols does not set them itself; some other "
    "program must, and inheritance mutexes nobody else can make.",
    "Make mutexes that threads of different priorities share with pthread_mutexattr_setprotocol("
    "PTHREAD_PRIO_INHERIT), and set policy and locked memory in the program.",
    "posix-rt-api",
)
PROTOCOL = "pthread_mutexattr_setprotocol"


def check(seen: Observation) -> Finding:
    if not seen.symbols:
        return TOPIC.unknown(f"not checked: {seen.symbols_problem}")
    evidence = [(f"files of /proc/{seen.pid}/maps: {name}", "named" if there else "not named")
                for name, there in seen.symbols.items()]  # fmt: skip
    missing = [name for name, there in seen.symbols.items() if not there]
    if seen.symbols.get(PROTOCOL):
        return TOPIC.ok(f"{PROTOCOL} is named; whether each shared mutex uses it is not seen", *evidence)
    if len(seen.threads) > 1:
        return TOPIC.warn(f"not named: {', '.join(missing)} (a statically linked program names nothing)", *evidence)
    return TOPIC.unknown(f"not decided: one thread, which may need none of {', '.join(missing)}", *evidence)
