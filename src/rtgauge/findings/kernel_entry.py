"""Whether locks that nobody else wants are taken without entering the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import evidence, negative, positive
from rtgauge.findings.naming import differing, variant

_SUBJECTS = {"MUT-P-ARN": "a free mutex", "SEM-P-ARN": "a free semaphore"}
_EVIDENCE = "kernel_entered_"


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    for id_, what in _SUBJECTS.items():
        answered = [(r, _answers(r)) for r in results if r["id"] == id_ and r["status"] in {"ok", "pass", "fail"}]
        outside = [r for r, answers in answered if answers and not any(answers)]
        inside = [r for r, answers in answered if any(answers)]
        if outside:
            yield positive(f"Taking and giving {what} does not enter the kernel{_which(outside, inside)}.", *outside)
        if inside:
            yield negative(f"Taking or giving {what} enters the kernel{_which(inside, outside)}.", *inside)


def _answers(result: Result) -> list[bool]:
    """For each operation that was looked at, whether it entered the kernel."""
    texts = [str(value) for name, value, _ in evidence(result) if name.startswith(_EVIDENCE)]
    return [text.startswith("yes") for text in texts if text.startswith(("yes", "no"))]


def _which(these: Sequence[Result], others: Sequence[Result]) -> str:
    """The variants, where not all answer alike."""
    if not others:
        return ""
    apart = [name for name in differing([*these, *others]) if name not in {"part", "batch"}]
    return f" with {'; '.join(dict.fromkeys(variant(result, apart) for result in these))}"
