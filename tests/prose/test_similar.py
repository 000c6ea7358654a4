import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.prose.similar import (
    find_alike,
    find_similar_pairs,
    is_near_equal,
    is_same_word,
    normalise,
    profile,
    read_phrases,
    stem_words,
)

ANYTHING = st.text(st.characters() | st.sampled_from("`*-_#> .\n。don't"), max_size=60)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use `-B`", "Use `-b`"),
        ("Use `Foo`", "Use `foo`"),
        ("2 * 3", "2 3"),
        ("lint src/*.py", "lint src/.py"),
        ("[guide](a.md)", "[guide](b.md)"),
        ("Use tabs", "Do not use tabs"),
        ("Is it slow?", "Is it slow"),
        ("1. tabs", "2. tabs"),
    ],
)
def test_normalise_keeps_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs.", "use  tabs!"),
        ("- **Use** tabs", "* use\ttabs"),
        ("Use `ruff`, not flake8", "use ruff, not flake8"),
        ("don’t — ever", "don't - ever"),
        ("> quoted", "quoted"),
        ("one\r\ntwo", "one two"),
        ("Ｕｓｅ ｔａｂｓ", "use tabs"),
        ("使用 tabs。", "使用 tabs"),
    ],
)
def test_normalise_joins(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@given(ANYTHING)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    "text",
    ["*" * 70_000, "`" * 70_000, "`a" * 35_000, "a'" * 35_000, "- " * 35_000, "\0\ud800" * 35_000, "不" * 70_000],
)
def test_hostile_text_is_read_in_one_pass(text: str) -> None:
    assert len(normalise(text)) <= len(text)
    assert len(profile(text).stems) <= len(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The statement timeout of the Postgres client is 30 seconds because the export query is slow",
            "The command timeout of the Redis client is 3 seconds because the login path depends on it",
        ),
        ("Use uv, not pip, in all the build scripts", "Use pnpm, not npm, in all the build scripts"),
        ("Install packages with npm, never with pnpm", "Install packages with pnpm, never with npm"),
        ("Internal errors are logged by the gateway", "Interface errors are logged by the gateway"),
        ("The retry limit of the gateway is 3", "The retry limit of the gateway is 5"),
        ("Deploy the gateway from main on fridays", "Never deploy the gateway from main on fridays"),
        ("Call `load_cart` before the tax is computed", "Call `load_user` before the tax is computed"),
        ("Reviews of the gateway go to Marta", "Reviews of the gateway go to Marta or Ben"),
        ("集成测试使用真实数据库和真实缓存", "集成测试不使用真实数据库和真实缓存"),
        ("Use tabs", "Use tabs"),
    ],
)
def test_statements_of_one_shape_are_not_nearly_equal(one: str, other: str) -> None:
    assert not is_near_equal(profile(one), profile(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Integration tests must use a real Postgres database, never mocks",
            "Integration tests must run against a real Postgres database, never mocks!",
        ),
        ("Always squash the commits before merging a branch", "squash commits before merging the branch, please"),
        ("集成测试使用真实数据库。", "集成测试使用真实数据库！"),
    ],
)
def test_statements_in_nearly_the_same_words_are_nearly_equal(one: str, other: str) -> None:
    assert is_near_equal(profile(one), profile(other))
    assert find_alike(read_phrases([one, other]))[normalise(one)] == {normalise(one), normalise(other)}


@given(ANYTHING, ANYTHING)
def test_near_equality_has_no_direction(one: str, other: str) -> None:
    assert is_near_equal(profile(one), profile(other)) == is_near_equal(profile(other), profile(one))


def test_a_stem_alone_does_not_make_one_word() -> None:
    assert is_same_word("deploys", "deployment")
    assert is_same_word("merging", "merge")
    assert not is_same_word("config", "confirm")
    assert not is_same_word("internal", "interface")


def test_stems_join_inflections_keep_names_and_cut_chinese_into_pairs() -> None:
    assert stem_words("The deployments of load_cart are in v1.2") == ["deplo", "load_cart", "v1.2"]
    assert stem_words("l'équipe n'utilise pas") == ["équip", "util", "pas"]
    assert stem_words("重试上限是3次") == ["重试", "试上", "上限", "限是", "3", "次"]


@given(
    st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), max_size=9), max_size=25),
    st.sampled_from([0.1, 0.3, 0.5, 2 / 3, 0.8, 0.9, 1.0]),
)
def test_similar_pairs_are_those_of_comparing_everything(sets: list[frozenset[str]], threshold: float) -> None:
    expected = [
        (one, other)
        for one, other in itertools.combinations(range(len(sets)), 2)
        if sets[one] | sets[other] and len(sets[one] & sets[other]) >= threshold * len(sets[one] | sets[other]) - 1e-9
    ]
    assert find_similar_pairs(sets, threshold) == expected
