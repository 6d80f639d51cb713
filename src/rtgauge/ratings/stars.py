"""The stars: the lowest of the criteria results and configuration, and of what limits them."""

from __future__ import annotations

from collections.abc import Sequence

from rtgauge.findings._results import because
from rtgauge.ratings import behaviour, rules
from rtgauge.ratings.again import EXAMPLE_DEADLINE, HEAVY, command
from rtgauge.ratings.configuration import configuration
from rtgauge.ratings.deadline import Held, Open, deadlines, hold, least
from rtgauge.ratings.facts import Content, Manifest, is_imported, is_virtual, load_of, results_of
from rtgauge.ratings.model import Missing, Part, Stars
from rtgauge.ratings.names import meaning
from rtgauge.requirements.figures import name_of
from rtgauge.requirements.rates import needed

_WITHHELD = "withheld"
_NAMED = 3


def performance(content: Content, manifest: Manifest, virtual: bool) -> tuple[tuple[Part, ...], tuple[Missing, ...]]:
    """The results against the deadline, and what limits them by itself. Without parts they are withheld, and what is
    missing says why; beside parts it says what would show more."""
    held, open_ = hold(manifest, results_of(content))
    missing = _absent(content, manifest, held, open_, virtual)
    if missing:
        return (), missing
    long = [(one.stars, one) for one in held if one.stars is not None]
    value, worst = min(long, key=lambda pair: (pair[0], -pair[1].bound))
    part = Part(
        "results",
        value,
        f"{worst.words}: {meaning('results', value)}",
        rules.RESULTS_RULE,
        tuple(because(one.result) for _, one in long),
    )
    limits = (_load(content, [one for _, one in long]), *_undecided(held, open_))
    return (part, *limits), _more(content, manifest, worst, limits)


def stars(content: Content, manifest: Manifest, virtual: bool) -> Stars:
    """Withheld without a deadline, a load or enough activations; else the lowest of all parts."""
    found, missing = performance(content, manifest, virtual)
    if not found:
        return Stars(None, _WITHHELD, missing=missing)
    setting, unknown = configuration(content, manifest)
    acts = behaviour.limit(results_of(content))
    parts = (*found, acts, setting)
    value = rules.lowest(
        [*(part.value for part in parts[:-1]), rules.NOT_SHOWN if setting.value is None else setting.value]
    )
    assert value is not None
    lacks = (
        [] if (acts.value or 0) != rules.KEY_UNKNOWN else [Missing(f"behaviour {acts.why}", command(content, manifest))]
    )
    return Stars(
        value, _words(value, parts, virtual and is_virtual(content, manifest)), parts, (*missing, *unknown, *lacks)
    )


def _words(value: float, parts: Sequence[Part], virtual: bool) -> str:
    """The number, and what decided it."""
    decided = [part.name for part in parts if (rules.NOT_SHOWN if part.value is None else part.value) == value]
    time = " in virtual time" if virtual else ""
    return f"{value:g} of 5 stars{time}, decided by {' and '.join(decided)}"


# ---- what is missing ------------------------------------------------------------------------------------------------


def _absent(
    content: Content,
    manifest: Manifest,
    held: Sequence[Held],
    open_: Sequence[Open],
    virtual: bool,
) -> tuple[Missing, ...]:
    """What makes a rating impossible. Nothing where there is none."""
    if is_virtual(content, manifest) and not virtual:
        return (
            Missing("real time: this run counted instructions, and those are not time; it is rated only when asked"),
        )
    again = command(content, manifest)
    missing = []
    if not deadlines(manifest):
        missing.append(Missing(f"a stated deadline (put your own for {EXAMPLE_DEADLINE})", again))
    if load_of(content) is None:
        missing.append(Missing("a stated load: what ran beside the tests is not known", again))
    if is_imported(content, manifest):
        missing.append(Missing("the number of lost samples: an imported file does not tell it", again))
    if missing:
        return tuple(missing)
    if not held:
        told = [f"{name_of(one.result)} is {one.why}" for one in open_]
        what = "; ".join(told[:_NAMED]) or "the run has no result of it"
        return (Missing(f"a result that the deadline can be held against: {what}", again),)
    if all(one.stars is None for one in held):
        most = max(held, key=lambda one: one.n)
        what = f"activations: {name_of(most.result)} has {most.n}, {least()} are needed to say anything"
        return (Missing(what, command(content, manifest, samples=least(), test=str(most.result["id"]))),)
    return ()


def _more(content: Content, manifest: Manifest, worst: Held, limits: Sequence[Part]) -> tuple[Missing, ...]:
    """What would show more than these stars, where more could be shown."""
    missing = []
    levels = [level for level in rules.LEVELS if level.clean and level.bound < worst.bound]
    if not worst.misses and levels:
        n = needed(0, levels[-1].bound)
        profile = f" (profile {content['profile']})" if content.get("profile") else ""
        what = (
            f"exposure{profile}: {worst.n} activations without a miss show no more; {n} show {levels[-1].stars:g} stars"
        )
        missing.append(Missing(what, command(content, manifest, samples=n, test=str(worst.result["id"]))))
    if any(part.name == "load" and part.value != rules.ALL_HOLD for part in limits):
        missing.append(
            Missing("a load that is seen to run as stated", command(content, manifest, load=_wanted(content)))
        )
    return tuple(missing)


def _wanted(content: Content) -> str:
    load = load_of(content)
    return HEAVY if load in (None, "none") else str(load)


# ---- limits ---------------------------------------------------------------------------------------------------------


def _load(content: Content, held: Sequence[Held]) -> Part:
    """Nothing is promised of an idle system, nor beside a load that was not there."""
    stated = load_of(content)
    reports = [load for one in held for load in one.result.get("loads") or ()]
    short = list(dict.fromkeys(str(load.get("name")) for load in reports if not load.get("reached")))
    if stated == "none":
        value, why = rules.NOT_SHOWN, "nothing ran beside the tests: hard real-time is not shown"
    elif short:
        value, why = (
            rules.NOT_SHOWN,
            f"{stated}: {', '.join(short)} did not reach its degree: hard real-time is not shown",
        )
    elif not reports:
        value, why = rules.NOT_SHOWN, f"{stated}: what it did was not recorded: hard real-time is not shown"
    else:
        value, why = rules.ALL_HOLD, f"{stated} ran and reached its degree"
    return Part("load", value, why, rules.LOAD_RULE)


def _undecided(held: Sequence[Held], open_: Sequence[Open]) -> tuple[Part, ...]:
    """Results with a deadline that say nothing, and short ones that missed it."""
    found = []
    if open_:
        told = "; ".join(f"{name_of(one.result)} is {one.why}" for one in open_[:_NAMED])
        basis = tuple(because(one.result) for one in open_)
        found.append(Part("not decided", rules.NOT_SHOWN, told, rules.UNDECIDED_RULE, basis))
    late = [one for one in held if one.stars is None and one.misses]
    if late:
        basis = tuple(because(one.result) for one in late)
        found.append(Part("short results", rules.SHORT_MISS, late[0].words, rules.SHORT_RULE, basis))
    return tuple(found)
