"""Behaviour tests: one point for each property that does not hold or other failure, one for all that hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import negative, positive
from rtgauge.findings.naming import label

# Told with their figures by rules of their own.
_ELSEWHERE = {("THR-B-RR", "first-slice"), ("THR-B-RR", "fair")}


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    told: set[tuple[str, str]] = set()
    for result in results:
        if result["status"] != "fail":
            continue
        checks = result.get("checks") or ()
        if all(check.get("holds") for check in checks if check.get("role") == "property"):
            yield negative(f"{label(result, results)}: {result.get('reason') or 'it fails'}.", result)
        for check in checks:
            key = (str(result["id"]), f"{_whole(result, results)} {check.get('name')}")
            # each part of a test carries the same checks
            if check.get("role") != "property" or check.get("holds") or key in told:
                continue
            told.add(key)
            if (result["id"], check.get("name")) not in _ELSEWHERE:
                yield negative(
                    f"{_whole(result, results)}: this does not hold: {check.get('what') or check.get('name')}", result
                )
    passed = [result for result in results if result["status"] == "pass"]
    if passed:
        ids = list(dict.fromkeys(str(result["id"]) for result in passed))
        number = len({(_whole(r, results), c.get("name")) for r in passed for c in r.get("checks") or () if _judged(c)})
        proof = " Their negative controls show that the checks can fail." if _controlled(passed) else ""
        yield positive(f"All {number} properties hold that {', '.join(ids)} checked.{proof}", *passed)


def _controlled(results: Sequence[Result]) -> bool:
    """Whether every one of these tests has a negative control."""
    return all(any(c.get("role") == "control" for c in r.get("checks") or ()) for r in results)


def _judged(check: object) -> bool:
    return isinstance(check, dict) and check.get("role") == "property"


def _whole(result: Result, results: Sequence[Result]) -> str:
    """The test with its parameters, whatever part of it this result is."""
    return label(_without_part(result), [_without_part(one) for one in results])


def _without_part(result: Result) -> Result:
    return {**result, "params": {k: v for k, v in (result.get("params") or {}).items() if k != "part"}}
