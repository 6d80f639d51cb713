"""Requirements: what results have to keep, read from a file or an option, and the ruling on each.

    read(path)                       the requirements of a file; UsageError names file, entry and key
    of_deadline(100_000)             `--deadline 100us` as a requirement
    judge(requirement, results)      met, not met, inconclusive or invalid, with the reason and the exposure
    to_json, from_json               as they are stored: requirements in manifest.json, rulings in results.json

Results are entries of `results` in results.json. One that matches nothing is invalid, never met.
"""

from rtgauge.requirements.judge import gravest, judge, judge_all
from rtgauge.requirements.model import (
    CONFIDENCE,
    DEADLINE_TEST,
    Case,
    Judged,
    Limit,
    More,
    Rate,
    Requirement,
    Ruling,
)
from rtgauge.requirements.parse import from_json, of_deadline, read, read_all
from rtgauge.requirements.stored import judged_to_json, to_json

__all__ = [
    "CONFIDENCE",
    "DEADLINE_TEST",
    "Case",
    "Judged",
    "Limit",
    "More",
    "Rate",
    "Requirement",
    "Ruling",
    "from_json",
    "gravest",
    "judge",
    "judge_all",
    "judged_to_json",
    "of_deadline",
    "read",
    "read_all",
    "to_json",
]
