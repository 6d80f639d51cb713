"""The measured categories, from 0 to 10."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge import coverage
from rtgauge.findings import Result
from rtgauge.findings._results import because, evidence
from rtgauge.ratings import behaviour, names, rules
from rtgauge.ratings.again import command
from rtgauge.ratings.configuration import configuration
from rtgauge.ratings.facts import Content, Manifest, results_of
from rtgauge.ratings.model import Category, Missing
from rtgauge.ratings.stars import performance

_ARCHITECTURE_TEST = "SYS-B-ARC"
_TRIED, _DECLARED = "found by trying", "declared"


def measured(content: Content, manifest: Manifest, virtual: bool) -> tuple[Category, ...]:
    """In the order of `names.MEASURED`."""
    results, again = results_of(content), command(content, manifest)
    acts = behaviour.category(results, again)
    speed = _performance(content, manifest, virtual)
    return (
        acts,
        speed,
        _tests(acts, speed),
        _configuration(content, manifest),
        _architecture(results, again),
        _features(names.RICHNESS, coverage.RICHNESS, rules.RICHNESS_RULE, results, again),
        _features(names.POSIX, coverage.POSIX, rules.POSIX_RULE, results, again),
    )


def _performance(content: Content, manifest: Manifest, virtual: bool) -> Category:
    parts, missing = performance(content, manifest, virtual)
    rule = rules.PERFORMANCE_RULE
    if not parts:
        return Category(names.PERFORMANCE, None, "measured", "withheld", rule, missing=missing)
    value = rules.lowest([part.value for part in parts])
    assert value is not None
    why = "; ".join(f"{part.name}: {part.why}" for part in parts if part.value != rules.ALL_HOLD or part is parts[0])
    basis = tuple(one for part in parts for one in part.basis)
    return Category(names.PERFORMANCE, 2 * value, "measured", why, rule, basis, missing)


def _tests(acts: Category, speed: Category) -> Category:
    score = rules.lowest([acts.score, speed.score])
    if score is None:
        lacks = [one.name for one in (acts, speed) if one.score is None]
        missing = Missing(f"a rating of {' and '.join(lacks)}")
        return Category(names.TESTS, None, "measured", "withheld", rules.TESTS_RULE, missing=(missing,))
    why = f"behaviour {acts.score:g}, performance {speed.score:g}"
    return Category(names.TESTS, score, "measured", why, rules.TESTS_RULE)


def _configuration(content: Content, manifest: Manifest) -> Category:
    part, missing = configuration(content, manifest)
    score = None if part.value is None else 2 * part.value
    return Category(
        names.CONFIGURATION, score, "measured", part.why, rules.CONFIGURATION_SCORE_RULE, part.basis, missing
    )


def _architecture(results: Sequence[Result], again: str) -> Category:
    name, rule = names.ARCHITECTURE, rules.ARCHITECTURE_RULE
    result = _answering(results, _ARCHITECTURE_TEST)
    if result is None:
        missing = Missing(f"a valid result of {_ARCHITECTURE_TEST}", again)
        return Category(name, None, "measured", "not rated", rule, missing=(missing,))
    checks = {str(check.get("name")): check for check in result.get("checks") or ()}
    points = {item: _points(item, checks.get(item), result) for item, _ in rules.ARCHITECTURE}
    words = dict(rules.ARCHITECTURE)
    without = [words[item] for item, point in points.items() if point == 0]
    unknown = [words[item] for item in points if item not in checks]
    declared = [words[item] for item, point in points.items() if 0 < point < 1]
    why = f"{sum(points.values()):g} of {len(points)}"
    why += f"; declared only: {', '.join(declared)}" if declared else ""
    why += f"; without: {', '.join(without)}" if without else ""
    missing_all = (Missing(f"not known: {', '.join(unknown)}"),) if unknown else ()
    score = rules.score_of_share(sum(points.values()), len(points))
    return Category(name, score, "measured", why, rule, (because(result),), missing_all)


def _points(item: str, check: Mapping[str, Any] | None, result: Result) -> float:
    """1 for what was found by trying, a half for what is only declared."""
    if check is None or not check.get("holds"):
        return 0.0
    if item == "priority-levels":
        levels = [value for name, value, _ in evidence(result) if name == item and isinstance(value, int)]
        return 1.0 if levels and levels[0] >= rules.LEVELS_WANTED else 0.0
    what = str(check.get("what") or "")
    return 1.0 if what.startswith(_TRIED) else 0.5 if what.startswith(_DECLARED) else 0.0


def _features(name: str, test: str, rule: str, results: Sequence[Result], again: str) -> Category:
    result = _answering(results, test)
    answers = {} if result is None else coverage.answers_of(result)
    if test == coverage.RICHNESS:
        every = coverage.richness(answers)
        yes, no, open_ = (sum(getattr(one, word) for one in every) for word in ("yes", "no", "unchecked"))
    else:
        standards = coverage.standards(answers)
        yes, no = sum(one.present for one in standards), sum(len(one.missing) for one in standards)
        open_ = sum(len(one.unknown) for one in standards)
    if result is None or not yes + no:
        missing = Missing(f"a valid result of {test}", again)
        return Category(name, None, "measured", "not rated", rule, missing=(missing,))
    why = f"{yes} of {yes + no + open_} features found" + (f", {open_} not tried" if open_ else "")
    missing_all = (Missing(f"{open_} features that could not be tried"),) if open_ else ()
    score = rules.score_of_share(yes, yes + no + open_)
    return Category(name, score, "measured", why, rule, (because(result),), missing_all)


def _answering(results: Sequence[Result], id_: str) -> Result | None:
    """The last that says something."""
    found = [
        one for one in results if one.get("id") == id_ and one.get("status") in ("pass", "fail") and one.get("checks")
    ]
    return found[-1] if found else None
