from collections.abc import Collection

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memci.citations.code import name_search
from memci.citations.code.name_search import Searcher

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
    assert Searcher(names).find(b"a" * 65_536 + b" a") == {"a"}
    assert len(Searcher(names)._names) < 2 * name_search.MAX_NESTED
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
def test_it_agrees_with_a_naive_search(names: set[str], data: bytes) -> None:
    assert Searcher(names).find(data) == find_naively(names, data)
