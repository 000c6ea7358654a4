from collections.abc import Collection

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memci.citations.code import name_search
from memci.citations.code.comments import Spans
from memci.citations.code.name_search import Searcher, find_outside

LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("load", b"reload"),
        ("load", b"load_all"),
        ("load", b"load2"),
        ("load", b"Load"),
        ("--foo", b"--foo-bar"),
        ("--foo", b"---foo"),
        ("--foo", b"x--foo"),
        ("a.b", b"a.bc"),
        ("a.b", b"aXb"),
        ("größe", b"gr\xf6\xdfe"),
        ("", b"anything"),
        ("::", b"a::b"),
        ("→", "a → b".encode()),
    ],
)
def test_leaves_alone(name: str, data: bytes) -> None:
    assert Searcher([name]).find(data) == set()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("load", b"load"),
        ("load", b"x.load()"),
        ("load", b"reload load_all\0load"),
        ("load", b"\xffload\xfe"),
        ("load", "→load".encode()),
        ("--foo", b"'--foo'"),
        ("--foo", b"--foo=1"),
        ("-v", b"tool -v"),
        ("a::b", b"use a::b;"),
        ("größe", "eine größe".encode()),
        ("seed:dev", b'"seed:dev": "x"'),
        ("seed dev", b"npm seed dev"),
    ],
)
def test_finds_whole_words(name: str, data: bytes) -> None:
    assert Searcher([name, "other"]).find(data) == {name}


def test_finds_a_name_inside_a_longer_name() -> None:
    names = {"config", "config.load", "load", "--load-config", "load-config"}
    assert Searcher(names).find(b"config.load --load-config") == {"config", "config.load", "load", "--load-config"}


def test_finds_names_on_both_sides_of_a_window() -> None:
    name = "straddling_name"
    for shift in range(len(name) + 2):
        data = b" " * (name_search._WINDOW - shift) + name.encode() + b" "
        assert Searcher([name, "x"]).find(data) == {name}
        assert Searcher(["straddling"]).find(data) == set()


def test_searches_no_names_and_no_text() -> None:
    assert Searcher([]).find(b"a") == set()
    assert Searcher(["a"]).find(b"") == set()


def test_names_made_to_nest_cost_no_more_than_others() -> None:
    names = ["a" * length for length in range(1, 1_000)] + ["a-" * length + "a" for length in range(1, 500)]
    assert isinstance(Searcher(names)._way, name_search._Words)
    assert Searcher(names).find(b"a" * 65_536 + b" a") == {"a"}
    assert Searcher(["get", "widget", "et"]).find(b"widget") == {"widget"}


def test_a_long_list_is_searched_with_the_smaller_automaton() -> None:
    names = [f"a_rather_long_name_{number}" for number in range(20_000)]
    assert Searcher(names).find(b"a_rather_long_name_7 a_rather_long_name_70000") == {"a_rather_long_name_7"}


def find_naively(names: Collection[str], data: bytes) -> set[str]:
    found = set()
    for name in names:
        key = name.encode()
        edges = LETTERS | frozenset(b"-") if b"-" in key else LETTERS
        for start in range(len(data) - len(key) + 1):
            around = data[max(0, start - 1) : start] + data[start + len(key) : start + len(key) + 1]
            if data[start : start + len(key)] == key and LETTERS & set(key) and not edges & set(around):
                found.add(name)
    return found


NAMES = st.sets(st.text("ab_-.:é ", min_size=1, max_size=5), max_size=8)
PIECES = st.sampled_from([b"a", b"b", b"ab", b"_", b"-", b"--", b".", b"::", b" ", b"\n", b"\xc3", b"\xa9", b"\0"])


@given(NAMES, st.lists(PIECES, max_size=24).map(b"".join))
@example({"a", "aa", "-a", "a-a", " a"}, b"a aa -a--a a-a")
def test_both_way_agree_with_a_naive_search(names: set[str], data: bytes) -> None:
    keys = sorted(name.encode() for name in names if LETTERS & set(name.encode()))
    expected = find_naively(names, data)
    assert Searcher(names).find(data) == expected
    assert {key.decode() for key in name_search._Words(keys).find(data)} == expected
    others = [key for key in keys if not set(key) <= LETTERS]
    assert {key.decode() for key in name_search._find_at_words(data, others)} == expected & {
        key.decode() for key in others
    }
    if keys:
        assert {key.decode() for key in name_search._Automaton(keys).find(data)} == expected


@pytest.mark.parametrize("padding", [0, name_search._MAX_SCAN // 5], ids=["short", "long"])
def test_only_what_is_outside_of_the_spans_counts(padding: int) -> None:
    data = b"one [two] three [four one] two [three] four_" + b" " * padding
    spans = [(place, data.index(b"]", place) + 1) for place, byte in enumerate(data) if byte == 91]
    assert find_outside(data, {"one", "two", "three", "four", "five"}, Spans(iter(spans))) == {"one", "two", "three"}


def test_spans_are_read_no_further_than_is_needed() -> None:
    spans = iter([(0, 3), (8, 9), (20, 21)])
    assert find_outside(b"one one . . . . . . . .", {"one"}, Spans(spans)) == {"one"}
    assert list(spans) == [(20, 21)]


@given(NAMES, st.lists(st.tuples(PIECES, st.booleans()), max_size=24))
def test_spans_agree_with_a_naive_search(names: set[str], pieces: list[tuple[bytes, bool]]) -> None:
    data, place, spans, hidden = b"", 0, [], set[int]()
    for piece, inside in pieces:
        data, place = data + piece, place + len(piece)
        if inside:
            spans.append((place - len(piece), place))
            hidden |= set(range(*spans[-1]))
    keys = {name for name in names if LETTERS & set(name.encode())}
    expected = set()
    for name in keys:
        size = len(name.encode())
        for start in range(len(data) - size + 1):
            if hidden.isdisjoint(range(start, start + size)) and data[start : start + size] == name.encode():
                before, behind = data[max(0, start - 1) : start], data[start + size : start + size + 1]
                edges = LETTERS | frozenset(b"-") if "-" in name else LETTERS
                if not edges & set(before + behind):
                    expected.add(name)
    assert find_outside(data, keys, Spans(iter(spans))) == expected
