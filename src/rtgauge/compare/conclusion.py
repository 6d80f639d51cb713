"""What a comparison permits to say, in plain sentences. Each is made by one rule from the data; none is an opinion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rtgauge.compare.alike import parts
from rtgauge.compare.distributions import FEWEST
from rtgauge.compare.parity import CLOCKED
from rtgauge.compare.values import VERDICT, Comparison, Row, Sentence
from rtgauge.compare.words import is_key, measured_text, name_of

_NAMED = 5  # of what fails; the tables have all
_JUDGED = (("avg", "average"), ("max", "maximum"))


def conclude(made: Comparison) -> Iterator[Sentence]:
    """The sentences of all rules, in their order; none where nothing permits one."""
    if len(made.columns) > 1:
        for name, rule in RULES.items():
            for text, rows in rule(made):
                yield Sentence(name, text, tuple(rows))


def deadlines(made: Comparison) -> Iterator[tuple[str, Sequence[int]]]:
    """Who keeps what was stated, for each requirement that was stated of at least one system."""
    limits = dict.fromkeys(one.limit for column in made.columns for one in column.judged)
    for limit in limits:
        by_ruling: dict[str, list[str]] = {}
        for column in made.columns:
            for one in column.judged:
                if one.limit == limit:
                    why = f" ({one.reason})" if one.ruling != "met" and one.reason else ""
                    by_ruling.setdefault(one.ruling, []).append(column.short + why)
        told = [f"{ruling} {_BY.get(ruling, 'for')} {', '.join(names)}" for ruling, names in by_ruling.items()]
        without = [column.short for column in made.columns if limit not in {one.limit for one in column.judged}]
        told += [f"not stated for {', '.join(without)}"] if without else []
        yield f"{limit[:1].upper()}{limit[1:]}: {'; '.join(told)}.", ()


_BY = {"met": "by", "not met": "by"}


def best(made: Comparison) -> Iterator[tuple[str, Sequence[int]]]:
    """In how many of the key tests each system has the best average and maximum, among those that may be ranked."""
    keys = [i for i, row in enumerate(made.rows) if is_key(row)]
    for group in made.parity.groups:
        told, behind = [], set()
        for statistic, word in _JUDGED:
            rows = [i for i in keys if sum(_has(made.rows[i], place, statistic) for place in group) > 1]
            if rows:
                told.append(_counted(made, group, rows, statistic, word))
                behind |= set(rows)
        if told:
            once = [made.columns[i] for i in group if made.columns[i].runs == 1 and made.columns[i].kind != "reference"]
            if once and "none in" in " ".join(told):
                option = "--replicas" if all(column.virtual for column in once) else "--repeat"
                told.append(f"of one run each few can be told apart, `{option} 5` tells")
            among = f"Among {', '.join(made.columns[i].short for i in group)}: " if made.parity.refused else ""
            text = "; ".join(told)
            yield f"{among}{text if among else text[:1].upper() + text[1:]}.", sorted(behind)


def _has(row: Row, place: int, statistic: str) -> bool:
    return any(one.statistic == statistic and not one.unmeasurable for one in row.cells[place])


def _counted(made: Comparison, group: Sequence[int], rows: Sequence[int], statistic: str, word: str) -> str:
    marked = {i: set(made.rows[i].best.get(statistic, ())) & set(group) for i in rows}
    counts = {place: sum(place in found for found in marked.values()) for place in group}
    ranked = sorted((place for place in group if counts[place]), key=lambda place: -counts[place])
    each = [f"{made.columns[place].short} in {counts[place]}" for place in ranked]
    open_ = sum(not found for found in marked.values())
    each += [f"none in {open_} (equal, or not told apart)"] if open_ else []
    return f"the best {word} of {len(rows)} key test{'s' if len(rows) > 1 else ''}: {', '.join(each)}"


def failures(made: Comparison) -> Iterator[tuple[str, Sequence[int]]]:
    """Which behaviours fail, of each system of which any was judged."""
    for place, column in enumerate(made.columns):
        judged = [i for i, row in enumerate(made.rows) if row.key.kind == "test" and _word(row, place) in _DECIDED]
        failed = [i for i in judged if _word(made.rows[i], place) == "fail"]
        if failed:
            names = [name_of(made.rows[i].key) for i in failed[:_NAMED]]
            more = f" and {len(failed) - _NAMED} more" if len(failed) > _NAMED else ""
            yield (
                f"{column.short} fails {len(failed)} of {len(judged)} judged properties: {'; '.join(names)}{more}.",
                failed,
            )
        elif judged:
            what = (
                f"fails none of {len(judged)} judged properties"
                if len(judged) > 1
                else "passes the one judged property"
            )
            yield f"{column.short} {what}.", judged


_DECIDED = ("pass", "pass with remark", "fail")


def _word(row: Row, place: int) -> str | None:
    return next((one.text for one in row.cells[place] if one.statistic == VERDICT), None)


def changes(made: Comparison) -> Iterator[tuple[str, Sequence[int]]]:
    """Of measured systems: how many figures differ by more than whole runs scatter."""
    pairs = dict.fromkeys((one.column, one.against) for one in made.differences)
    if pairs:
        yield from ((sentence, ()) for sentence in parts(made.columns))
    exact = [pair for pair in pairs if _exact(made, pair)]
    if exact:
        names, base = ", ".join(made.columns[column].short for column, _ in exact), made.columns[exact[0][1]].short
        yield (
            f"{names} against {base}: virtual time repeats to the last digit, so each difference is exact for these "
            "kernels, this load and this phase; what one run each does not show is the spread over phases and seeds "
            "(`--replicas N`).",
            (),
        )
    for column, against in (pair for pair in pairs if pair not in exact):
        found = [one for one in made.differences if (one.column, one.against) == (column, against)]
        sure = [one for one in found if one.interval is not None]
        pair = f"{made.columns[column].short} against {made.columns[against].short}"
        if not sure:
            yield f"{pair}: {found[0].basis}; whether a difference is more than chance cannot be told.", ()
            continue
        larger = [one.row for one in sure if one.interval and one.interval[0] > 0]
        smaller = [one.row for one in sure if one.interval and one.interval[1] < 0]
        text = (
            f"{pair}: of {len(sure)} figures with an interval {len(larger)} are larger and {len(smaller)} smaller by "
            f"more than whole runs scatter; by chance alone about {_by_chance(len(sure))} would be."
        )
        yield text, sorted({*larger, *smaller})


def _exact(made: Comparison, pair: tuple[int, int]) -> bool:
    """Whether single runs in exact virtual time stand against each other. Those of unequal machines have no
    differences at all."""
    columns = [made.columns[place] for place in pair]
    return all(column.exact and column.runs == 1 for column in columns)


def _by_chance(figures: int) -> str:
    from rtgauge.stats.between import CONFIDENCE

    return f"{(1 - CONFIDENCE) * figures:.2g}"


def apart(made: Comparison) -> Iterator[tuple[str, Sequence[int]]]:
    """What is not comparable."""
    if made.parity.refused:
        names = ", ".join(one.name for one in made.parity.drifts)
        groups = " apart from ".join(", ".join(made.columns[i].short for i in group) for group in made.parity.groups)
        yield f"Not ranked against each other: {groups} (not equal: {names}).", ()
    for place, column in enumerate(made.columns):
        rows = [row for row in made.rows if row.key.kind == "test" and place in row.owners]
        if rows and not any(len(row.owners) > 1 for row in rows):
            yield f"Nothing that {column.short} has stands beside anything of the others.", ()


_SPREAD = 2.0  # the worst of one system over that of another, from which it is told
_TOLD = 4  # tests


def kernels(made: Comparison) -> Iterator[tuple[str, Sequence[int]]]:
    """Of kernels in exact virtual time on one machine, with one engine and load: the key tests whose worst differ most.
    It says what was seen there; whether systems may be ranked is the matter of other rules."""
    alike: dict[tuple[str | None, ...], list[int]] = {}
    for place, column in enumerate(made.columns):
        if column.virtual and column.kind != "reference":
            alike.setdefault(tuple(column.configuration.get(name) for name in _SAME), []).append(place)
    for group in alike.values():
        if len(group) < 2 or not made.kernels:
            continue
        found = [(i, worst) for i, row in enumerate(made.rows) if is_key(row) and (worst := _worst(made, row, group))]
        found = [one for one in found if one[1][-1][0] >= _SPREAD * one[1][0][0]]
        found.sort(key=lambda one: -one[1][-1][0] / one[1][0][0])
        for i, worst in found[:_TOLD]:
            unit = worst[0][2]
            each = ", ".join(f"{made.columns[place].short} {measured_text(value, unit)}" for value, place, _ in worst)
            yield f"Largest of {name_of(made.rows[i].key)}: {each}.", (i,)


_SAME = (*CLOCKED, "engine", "load", "cache")


def _worst(made: Comparison, row: Row, group: Sequence[int]) -> list[tuple[float, int, str]]:
    """The maximum of each system, by rising value; empty where not all have one above zero, of enough samples."""
    found = [
        (float(one.text), place, one.unit)
        for place in group
        for one in row.cells[place]
        if one.statistic == "max" and not one.unmeasurable and float(one.text) > 0
    ]
    samples = (made.columns[place].histograms.get(row.key) for place in group)
    few = any(one is None or one.n < FEWEST for one in samples)
    return [] if few else sorted(found) if len(found) == len(group) and len({unit for _, _, unit in found}) == 1 else []


RULES: dict[str, Callable[[Comparison], Iterator[tuple[str, Sequence[int]]]]] = {
    "deadline": deadlines,
    "best": best,
    "behaviour": failures,
    "kernels": kernels,
    "changes": changes,
    "not comparable": apart,
}
