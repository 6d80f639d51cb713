"""The baseline file: what is written is read again, what is wrong is said with its line, and a change is one line."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.errors import UsageError
from rtgauge.gate import judge
from rtgauge.gate.accept import accept
from rtgauge.gate.limits import Limits
from rtgauge.gate.reading import LARGEST, parse, read, read_line
from rtgauge.gate.text import base_id, line_text, write
from rtgauge.gate.values import Key, Line, Side
from rtgauge.gate.values import Path as Taken
from tests.gate.sides import exact, key, real, timed, virtual, word

TODAY = date(2026, 11, 23)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
WORDS = TEXTS.filter(bool)
PAIRS = st.dictionaries(WORDS, TEXTS, max_size=3).map(lambda found: tuple(sorted(found.items())))
FIGURES = st.lists(st.integers(-(10**6), 10**6).map(lambda n: n / 8), min_size=1, max_size=5).map(tuple)


def example() -> Side:
    sixteen = key("THR-P-SLS", "", threads="16")
    return virtual(
        exact(1773),
        exact(5, sixteen),
        exact(4, key("THR-P-SLS", "", threads="2")),
        word("pass"),
        word("fail", key("A")),
    )


def test_it_reads_well() -> None:
    head, lines = write(example()).split("\n\n")
    assert head.splitlines()[0] == "rtgauge baseline 1"
    assert "must be equal: QEMU = " + "ab" * 32 in head
    assert "under test: release = 6.1" in head
    assert [line.split(" @ ")[0] for line in lines.splitlines()] == [
        "A part=release",
        "MUT-P-ARC part=release",
        "THR-B-RR",
        "THR-P-SLS threads=2",
        "THR-P-SLS threads=16",
    ]
    assert lines.splitlines()[1].endswith(
        " @ cache=hot load=none : ok unit=instr n=1000 step=0 path=1773/99% median=1773 p99.9=2573 max=2573"
    )


def test_what_is_read_is_judged_as_what_was_written() -> None:
    text = write(example())
    side = parse(text, "base.txt")
    assert (side.file, side.runs, side.identity) == (True, 1, example().identity)
    assert base_id(side) == base_id(example())
    assert write(side) == text
    outcome = judge(example(), side)
    assert outcome.ruling() == "pass"
    assert [one.where for one in judge(virtual(), side).judged] == [14, 15, 16, 17, 18]


@given(st.builds(Key, WORDS, PAIRS, PAIRS, st.integers(0, 3)), FIGURES, st.text(max_size=6), st.booleans())
def test_every_line_survives(at: Key, figures: tuple[float, ...], unit: str, exact_: bool) -> None:
    paths = (Taken(figures[0], 0.5),) if exact_ else ()
    line = Line(at, "ok", unit=unit or "ns", n=7, medians=figures, tail="p99", tails=figures, paths=paths, limit="+1%")
    line = replace(line, spread=((min(figures), max(figures)),) * 3)
    (text,) = line_text(line).splitlines()
    assert text.isascii()
    found = read_line(text)
    assert line_text(found) == text
    assert found.key == at
    assert (found.medians, found.spread) == (figures, line.spread)


HEAD = write(virtual()).strip()
GOOD = "MUT-P-ARC part=release : ok unit=instr n=1000 median=1773 path=1773/99%"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (GOOD.replace("1773/", "nan/"), "'nan' is no number"),
        (GOOD.replace("median=1773", "median=inf"), "'inf' is no number"),
        (GOOD.replace("median=1773", "median=1e99"), "out of range"),
        (GOOD.replace("median=1773", "median=1x99999"), "is of too many runs"),
        (GOOD.replace("median=1773", "median=" + "9" * 5000), "is no number"),
        (GOOD.replace("median=1773", "median=" + ",".join("1" * 10_001)), "figures of 10001 runs"),
        (GOOD.replace("/99%", "/0%"), "is not value/share%"),
        (GOOD.replace("/99%", ""), "is not value/share%"),
        (GOOD.replace("n=1000", "n=-1"), "is no count"),
        (GOOD.replace("n=1000", ""), "at least unit, n and median"),
        (GOOD + " spread=1,2", "is not from,to of each of 3 quantiles"),
        (GOOD + " spread=1,2,2,1,1,1", "is not from,to of each of 3 quantiles"),
        (GOOD.replace("ok", "good"), "unknown status 'good', legal are fail, ok, pass"),
        (GOOD + " limit=-5", "limit '-5' is no limit"),
        (GOOD + " n=3", "is there twice"),
        (GOOD + " colour=red", "'colour' is unknown"),
        (GOOD + " p=1", "'p' is unknown"),
        (f"{GOOD}\n{GOOD}", "MUT-P-ARC part=release is already in line "),
        ("MUT-P-ARC part : pass", "'part' is not name=value"),
        ("MUT-P-ARC a=1 a=2 : pass", "a name is given twice"),
        ("MUT-P-ARC #x : pass", "'#x' is no number of a result"),
        ("limit: +5%", "'limit' is unknown, or is there twice"),
        ("what: ever", "'what' is unknown"),
        ("whatever", "is neither `name: value` nor"),
        ("must be equal: nothing", "'nothing' is not name = value"),
        ("x" * 100_001, "it has 100001 characters"),
        ("\x1b[31m: x", "is unknown"),
    ],
)
def test_a_bad_line_is_said_with_its_number(row: str, told: str) -> None:
    text = f"{HEAD}\n{row}"
    with pytest.raises(UsageError) as raised:
        parse(f"{text}\n", "base.txt")
    message = str(raised.value)
    assert message.startswith(f"base.txt line {len(text.splitlines())}: ")
    assert told in message
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: no baseline"),
        ("<html>", "line 1: no baseline"),
        ("rtgauge baseline 2\n", "line 1: a baseline of version '2', this version reads 1"),
        ("rtgauge baseline 1\n", "no line `runs: ...` in its head"),
        (HEAD.replace("runs: 1", "runs: 0"), "line 5: runs '0' is no number of runs"),
        (HEAD.replace("limit: +0", "limit: 0x0"), "line 6: limit '0x0' is no limit"),
        (HEAD.replace("time = virtual", "time = warped"), "no line `must be equal: time = real`"),
    ],
)
def test_a_bad_head(text: str, told: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(text, "base.txt")
    assert told in str(raised.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "base.txt"
    file.write_bytes(b"rtgauge baseline 1\n\xff\xfe\n")
    with pytest.raises(UsageError, match=r"line 2: it is no text"):
        read(file)
    file.write_bytes(b"x" * (LARGEST + 1))
    with pytest.raises(UsageError, match="more than 16 MB"):
        read(file)
    with pytest.raises(UsageError, match=r"cannot read the baseline .*: it is a directory"):
        read(tmp_path)
    file.write_bytes(write(example()).replace("\n", "\r\n").encode())  # as some editors do
    assert len(read(file).lines) == 5


# ---- accepting ------------------------------------------------------------------------------------------------------


def changed(before: str, after: str) -> tuple[list[str], list[str]]:
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def test_only_what_changed_is_another_line_and_the_reason_is_kept() -> None:
    base = parse(write(replace(example(), limits=Limits("+0", "+7%"))), "base.txt")
    run = virtual(*(replace(line, medians=line.medians) for line in example().lines.values()), exact(1810))
    made = accept(judge(run, base), "  the mutex\nfollows chains \x1b[1m now ", TODAY)
    assert (made.changed, made.added, made.removed) == (1, 0, 0)
    old, new = changed(write(base), write(made.side))
    assert [line.split(" ")[0] for line in old] == ["made:", "MUT-P-ARC"]
    assert new[0] == "made: 2026-11-23 from 20261122-101112-local-0a1b2c"
    assert new[1] == "accepted: 2026-11-23 the mutex follows chains \ufffd[1m now (1 line)"
    assert "path=1810/" in new[2]
    assert made.side.limits == Limits("+0", "+7%")
    again = parse(write(made.side), "base.txt")
    assert judge(run, again).ruling() == "pass"
    assert again.accepted == made.side.accepted
    twice = accept(judge(example(), again), "and back", TODAY).side
    assert [one.partition(" ")[2] for one in twice.accepted] == [
        "the mutex follows chains \ufffd[1m now (1 line)",
        "and back (1 line)",
    ]


def test_new_lines_and_limits_of_lines_and_what_was_not_measured_is_kept() -> None:
    base = virtual(exact(1773, limit="+1", tail_limit="none"), word("pass"), file=True)
    made = accept(judge(virtual(exact(1810), exact(5, key("SEM-P-ARC"))), base), "so", TODAY)
    assert (made.changed, made.added, made.removed, made.unmeasured) == (1, 1, 0, 1)
    assert (made.side.lines[key()].limit, made.side.lines[key()].tail_limit) == ("+1", "none")
    assert made.side.lines[word("pass").key] is base.lines[word("pass").key]


def test_the_head_stays_true_for_lines_that_were_not_accepted() -> None:
    """It speaks for all lines only where all of them were held against the run."""
    other = exact(5, key("SEM-P-ARC"))
    base = virtual(exact(1773), other, file=True, made="2026-11-22 from 20261101-000000-lab-000000")
    audit = {"release": "6.1", "command line": "audit=1"}
    run = virtual(exact(1810), exact(6, other.key), subject=audit)
    whole = accept(judge(run, base), "audit on", TODAY).side
    assert (whole.subject, whole.made) == (audit, "2026-11-23 from 20261122-101112-local-0a1b2c")
    assert whole.accepted == ("2026-11-23 audit on (2 lines)",)
    told = "of 20261122-101112-local-0a1b2c, command line: not told -> audit=1"
    for partly in (judge(run, base, tests=("MUT-*",)), judge(virtual(exact(1810), subject=audit), base)):
        side = accept(partly, "audit on", TODAY).side
        assert (side.subject, side.made) == (base.subject, base.made)
        assert side.accepted == (f"2026-11-23 audit on (1 line {told})",)
        assert parse(write(side), "base.txt").accepted == side.accepted


def test_a_part_of_a_test_that_the_system_does_not_have_is_removed() -> None:
    base = virtual(exact(1773), file=True)
    run = virtual(word("not-supported", key("MUT-P-ARC", "")))
    assert accept(judge(run, base), "so", TODAY).removed == 1


def test_what_the_system_does_not_have_any_more_is_kept_as_that() -> None:
    base = virtual(exact(1773), word("pass"), file=True)
    made = accept(judge(virtual(exact(1773), word("not-supported")), base), "so", TODAY)
    assert made.side.lines[word("pass").key].status == "not-supported"


def test_what_could_not_be_judged_stays_and_nothing_changed_is_nothing() -> None:
    base = virtual(exact(1773), word("pass"), file=True)
    made = accept(judge(virtual(exact(1773), word("invalid")), base), "so", TODAY)
    assert (made.lines, made.side.accepted) == (0, ())
    assert made.side.lines[word("pass").key].status == "pass"


def test_another_engine_replaces_every_line() -> None:
    base = virtual(exact(1773, limit="+1"), word("pass"), file=True)
    run = virtual(exact(1600), word("fail"), identity={**base.identity, "engine": "new"})
    made = accept(judge(run, base), "new engine", TODAY)
    assert made.side.identity["engine"] == "new"
    assert (made.changed, made.removed) == (2, 0)
    assert made.side.lines[key()].limit == "+1"


def test_another_engine_and_a_run_of_fewer_results_is_refused() -> None:
    base = virtual(exact(1773), word("pass"), file=True)
    run = virtual(exact(1600), identity={**base.identity, "engine": "new"})
    with pytest.raises(UsageError, match=r"has not measured THR-B-RR, .* by hand, or make another with --write"):
        accept(judge(run, base), "new engine", TODAY)


@pytest.mark.parametrize("reason", ["", "  \n "])
def test_a_reason_is_needed(reason: str) -> None:
    with pytest.raises(UsageError, match="--accept needs a reason"):
        accept(judge(virtual(exact(1)), virtual(exact(2))), reason, TODAY)


def test_real_time_keeps_the_figure_of_each_run() -> None:
    base = real(timed((1000.0, 1010.5, 990.0, 1005.0, 995.0), tails=(7.0,) * 5))
    text = write(base)
    assert " median=1000,1010.5,990,1005,995 p99.9=7x5 " in text
    assert judge(base, parse(text, "b")).judged == tuple(
        replace(one, where=parse(text, "b").lines[one.key].where) for one in judge(base, base).judged
    )
