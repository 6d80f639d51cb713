"""What the behaviour tests say: a limit of the stars, and a category."""

from __future__ import annotations

from collections.abc import Sequence

from rtgauge.findings import Result
from rtgauge.findings._results import because
from rtgauge.ratings import rules
from rtgauge.ratings.model import Category, Missing, Part
from rtgauge.ratings.names import BEHAVIOUR
from rtgauge.verdict import is_behaviour

_COUNTED = ("pass", "fail", "invalid", "inconclusive", "not-permitted")  # not-supported: the system has no such thing


def judged(results: Sequence[Result]) -> list[Result]:
    """The results that say whether a behaviour holds; not the figures beside them (`ok`)."""
    return [
        one
        for one in results
        if is_behaviour(str(one.get("id"))) and one.get("id") not in rules.NOT_BEHAVIOUR and one.get("status") != "ok"
    ]


def limit(results: Sequence[Result]) -> Part:
    """How many stars the behaviour allows."""
    found = judged(results)
    failed = [one for one in found if one["status"] == "fail"]
    key = [one for one in failed if one["id"] in rules.KEY_BEHAVIOUR]
    shown = {one["id"] for one in found if one["status"] == "pass"}
    doubtful = {one["id"] for one in found if one["status"] not in ("pass", "fail", "not-supported")}
    open_ = [id_ for id_ in rules.KEY_BEHAVIOUR if id_ not in shown or id_ in doubtful]
    if key:
        stars, why, basis = rules.KEY_FAILS, f"{_ids(key)} fails", key
    elif open_:
        stars, why = rules.KEY_UNKNOWN, f"not shown: {', '.join(open_)}"
        basis = [one for one in found if one["id"] in open_]
    elif failed:
        stars, why, basis = rules.OTHER_FAILS, f"{_ids(failed)} fails", failed
    else:
        stars, why, basis = rules.ALL_HOLD, f"all {len(found)} results hold or do not apply", found
    return Part("behaviour", stars, why, rules.BEHAVIOUR_RULE, tuple(because(one) for one in basis))


def category(results: Sequence[Result], command: str) -> Category:
    """`command`: what would run what is missing."""
    found = judged(results)
    rule = rules.BEHAVIOUR_SCORE_RULE
    not_run = [id_ for id_ in rules.KEY_BEHAVIOUR if all(one["id"] != id_ for one in found)]
    if not_run:
        missing = Missing(f"the behaviour tests {', '.join(not_run)}", command)
        return Category(BEHAVIOUR, None, "measured", "not rated", rule, missing=(missing,))
    counted = [one for one in found if one["status"] in _COUNTED]
    if not counted:
        missing = Missing("a behaviour test that the system supports")
        return Category(BEHAVIOUR, None, "measured", "not rated", rule, missing=(missing,))
    failed = [one for one in counted if one["status"] == "fail"]
    undecided = [one for one in counted if one["status"] not in ("pass", "fail")]
    passed = len(counted) - len(failed) - len(undecided)
    score = rules.behaviour_score(passed, len(counted), any(one["id"] in rules.KEY_BEHAVIOUR for one in failed))
    words = [f"{passed} of {len(counted)} results pass"]
    words += [f"{_ids(failed)} fails"] if failed else []
    words += [f"not decided: {_ids(undecided)}"] if undecided else []
    missing_all = tuple(
        Missing(f"{one['id']} is {one['status']}: {one.get('reason') or 'no reason given'}") for one in undecided
    )
    basis = tuple(because(one) for one in (failed + undecided or counted))
    return Category(BEHAVIOUR, score, "measured", "; ".join(words), rule, basis, missing_all)


def _ids(results: Sequence[Result]) -> str:
    return ", ".join(dict.fromkeys(str(one["id"]) for one in results))
