import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.prose.roots import root
from memci.recall.query_words import extract_names, is_asking, split_terms, synonyms_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("the of and", []),
        ("Deploy on Fridays", ["deploy", "fridays"]),
        ("HTTP and PDF", ["http", "pdf"]),
        ("x-y", ["x-y"]),
        ("customer_id", ["customer", "id"]),
        ("src/shop/cart.py", ["src", "shop", "cart", "py"]),
        ("minSdkVersion", ["minsdkversion", "min", "sdk", "version"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("数据库", ["数据", "据库"]),
        ("", []),
        ("\x00\ud800", []),
    ],
)
def test_names_are_taken_apart_and_other_words_stay(text: str, terms: list[str]) -> None:
    assert split_terms(text) == terms


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Plain words. Another sentence: More of it\n- Item\n**Bold** text", ""),
        ("ask Anna, or Tom in #ops", "Anna Tom"),
        ("run `make all` twice", "`make all`"),
        ("A100 or 203 dpi", "A100 203"),
        ("an open ` tick", ""),
    ],
)
def test_names_are_code_capitals_inside_of_sentences_and_numbers(text: str, names: str) -> None:
    assert extract_names(text) == names


@pytest.mark.parametrize("word", ["column", "error", "429", "8080", "数据", "商品", "выгрузка"])
def test_subjects_do_not_ask(word: str) -> None:
    assert not is_asking(word)


@pytest.mark.parametrize("word", ["fix", "fixing", "looks", "please", "7", "2026", "して", "напиши", "warum"])
def test_words_of_any_request_ask(word: str) -> None:
    assert is_asking(word) or split_terms(word) == []


def test_synonyms_go_both_ways_and_never_to_themselves() -> None:
    assert root("basket") in synonyms_of(root("cart"))
    assert root("cart") in synonyms_of(root("basket"))
    assert root("cart") not in synonyms_of(root("cart"))
    assert synonyms_of("aardvark") == frozenset()


@given(st.text())
def test_every_text_has_terms_or_none(text: str) -> None:
    assert all(term and term == term.lower() for term in split_terms(text) if term.isascii())


@pytest.mark.parametrize("piece", ["a", "A", "aA", "_", "a_", "AA", "aA_", "漢", "\ud800", "`", "`a", "a A", "1", "A1"])
def test_hostile_text_is_read_in_one_pass(piece: str) -> None:
    found = {*split_terms(piece * 100_000), *extract_names(piece * 100_000)}
    assert "" not in found
