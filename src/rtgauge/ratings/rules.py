"""The rules of the ratings, as data and one pure function for each. `docs/ratings.md` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rtgauge.requirements import CONFIDENCE

# ---- results against a deadline -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Level:
    """What gives so many stars. `bound`: of the rate of misses, at the stated confidence; `share`: of the deadline that
    the latest activation took."""

    stars: float
    clean: bool  # not one activation late, lost or skipped
    bound: float
    share: float | None = None


LEVELS = (
    Level(5.0, True, 1e-5, 0.5),
    Level(4.5, True, 1e-5),
    Level(4.0, True, 1e-4),
    Level(3.5, True, 1e-3),
    Level(3.0, False, 1e-3),
    Level(2.5, False, 3e-3),
    Level(2.0, False, 1e-2),
    Level(1.5, False, 3e-2),
    Level(1.0, False, 1e-1),
)
"""The first that fits counts; none: 0. With fewer activations than the bound of 3.5 stars needs, nothing is said."""

LEAST_BOUND = next(level.bound for level in LEVELS if level.stars == 3.5)


def _words(level: Level) -> str:
    late = "none late, " if level.clean else ""
    share = f", the latest within {level.share:.0%} of the deadline" if level.share is not None else ""
    return f"{level.stars:g} stars: {late}bound {level.bound:g}{share}"


RESULTS_RULE = (
    "Each result that a deadline was stated for is held against it (--deadline: the periodic wake-ups). Its rate of "
    f"misses is below the upper bound at {CONFIDENCE:.0%} confidence, if activations are alike; a lost or skipped one "
    "counts as missed. "
    + "; ".join(_words(level) for level in LEVELS)
    + f"; else 0. Too few activations for a bound of {LEAST_BOUND:g} without a miss say nothing. Of several results "
    "the worst counts."
)


def stars_of_misses(bound: float, clean: bool, share: float) -> float:
    """Stars by the table."""
    for level in LEVELS:
        if (clean or not level.clean) and bound <= level.bound and (level.share is None or share <= level.share):
            return level.stars
    return 0.0


# ---- what limits the stars ------------------------------------------------------------------------------------------

NOT_SHOWN = 3.5  # no miss was seen, and hard real-time is not shown for another reason than the number of samples
LOAD_RULE = f"Without a load, or beside one that did not reach its degree, no more than {NOT_SHOWN:g} stars."
SHORT_MISS = 3.0
SHORT_RULE = f"A miss in a result with too few activations to rate leaves no more than {SHORT_MISS:g} stars."
UNDECIDED_RULE = f"Beside a result with a deadline that decides nothing, no more than {NOT_SHOWN:g} stars."

KEY_BEHAVIOUR = ("THR-B-NEW", "SEM-B-LCK", "SEM-B-REL", "MUT-B-ARC")
"""Without these properties no deadline can be promised: pre-emption, release by priority, no priority inversion."""
NOT_BEHAVIOUR = ("API-B-PSX", "API-B-RCH", "SYS-B-ARC")  # lists of what there is, with categories of their own

KEY_FAILS, KEY_UNKNOWN, OTHER_FAILS, ALL_HOLD = 3.0, 4.0, 4.5, 5.0
BEHAVIOUR_RULE = (
    f"No more than {KEY_FAILS:g} stars where one of {', '.join(KEY_BEHAVIOUR)} fails, {KEY_UNKNOWN:g} where one of "
    f"them was not shown to hold, {OTHER_FAILS:g} where another behaviour test fails."
)

# ---- configuration --------------------------------------------------------------------------------------------------

CONFIGURATION = ((0, 5.0), (2, 4.5), (4, 4.0), (7, 3.5), (10, 3.0), (15, 2.5))
"""At most so many warnings and unreadable settings: so many stars. More: 2."""
CONFIGURATION_MORE = 2.0
FAILURES = (CONFIGURATION_MORE, 1.5, 1.0)
"""No more than this with one, two, three and more failures of the audit."""
CHANGED = 3.0  # the system was changed for the measurement: not as it came
CONFIGURATION_RULE = (
    "By the audit of the system as it was found, the number of warnings and of settings that could not be read: "
    + "; ".join(f"{f'up to {most}' if most else 'none'}: {stars:g} stars" for most, stars in CONFIGURATION)
    + f"; more: {CONFIGURATION_MORE:g}. With one failure no more than {FAILURES[0]:g}, with two {FAILURES[1]:g}, with "
    f"more {FAILURES[2]:g}. Tuned or with a reserved CPU no more than {CHANGED:g}. Without an audit the configuration "
    f"is not known, and leaves no more than {NOT_SHOWN:g}."
)


def stars_of_audit(failures: int, doubts: int, changed: bool) -> float:
    """`doubts`: warnings and settings that could not be read; `changed`: the run tuned the system or reserved a CPU."""
    stars = next((stars for most, stars in CONFIGURATION if doubts <= most), CONFIGURATION_MORE)
    if failures:
        stars = min(stars, FAILURES[min(failures, len(FAILURES)) - 1])
    return min(stars, CHANGED) if changed else stars


STARS = (
    ("results", RESULTS_RULE),
    ("load", LOAD_RULE),
    ("not decided", UNDECIDED_RULE),
    ("short results", SHORT_RULE),
    ("behaviour", BEHAVIOUR_RULE),
    ("configuration", CONFIGURATION_RULE),
)
"""All rules of the stars: the lowest counts."""


# ---- categories from 0 to 10 ----------------------------------------------------------------------------------------

BEHAVIOUR_SCORE_RULE = (
    "10 times the share of behaviour results that pass: what failed, was not decided, not permitted or invalid did not "
    "pass; what the system does not have is left out. No more than 5 where one of "
    f"{', '.join(KEY_BEHAVIOUR)} fails; nothing is said where one of them was not run."
)
PERFORMANCE_RULE = "Twice the stars of the results against the deadline, with the limits by load and by other results."
TESTS_RULE = "The lower of the two above."
CONFIGURATION_SCORE_RULE = "Twice the stars of the configuration."
RICHNESS_RULE = (
    "10 times the share of the features of the published list that were found by trying; one that could not be tried "
    "counts as not found, one without meaning here is left out."
)
POSIX_RULE = RICHNESS_RULE.replace("the published list", "the POSIX standards in the published list")
ARCHITECTURE = (
    ("priority-levels", "32 priority levels or more"),
    ("policy-fifo", "a policy by priority alone"),
    ("policy-round-robin", "round robin"),
    ("policy-deadline", "scheduling by deadline"),
    ("task-model", "processes"),
    ("mmu", "address spaces"),
    ("protection", "a fault ends its process only"),
    ("privilege", "the kernel is protected from tasks"),
)
LEVELS_WANTED = 32  # that POSIX asks for
ARCHITECTURE_RULE = (
    "10 times the share of these that the system has: "
    + ", ".join(what for _, what in ARCHITECTURE)
    + ". Found by trying counts 1, declared only counts a half, not known counts nothing."
)
CHECKLIST_RULE = "10 times the share of yes among the answers yes and no of the checklist."


def score_of_share(yes: float, of: int) -> float:
    """0 to 10 with one decimal, rounded down: 10 only where nothing is missing."""
    return int(100 * yes / of + 1e-9) / 10


def behaviour_score(passed: int, of: int, key_fails: bool) -> float:
    return min(score_of_share(passed, of), 5.0) if key_fails else score_of_share(passed, of)


def lowest(values: Sequence[float | None]) -> float | None:
    """None where one is unknown."""
    known = [value for value in values if value is not None]
    return min(known) if known and len(known) == len(values) else None
