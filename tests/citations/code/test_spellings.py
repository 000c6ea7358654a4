from pathlib import PurePosixPath

import pytest

from memci.citations.code.names_in_code import list_loose_spellings, list_spellings
from memci.model.citation import Claim, ClaimKind


def claim(kind: ClaimKind, text: str) -> Claim:
    return Claim(kind, text, PurePosixPath("a.md"), 1, 1)


@pytest.mark.parametrize(
    "kind", [ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.GLOB, ClaimKind.LINES, ClaimKind.SCRIPT, ClaimKind.COMMIT]
)
def test_what_is_not_a_name_has_no_spelling(kind: ClaimKind) -> None:
    assert list_spellings(claim(kind, "a_b")) == ()
    assert list_loose_spellings(claim(kind, "a_b")) == ()


@pytest.mark.parametrize("text", ["", "::", "()", "a::1", "a.b-c", "<T>", "." * 70_000])
def test_a_symbol_without_a_name_has_no_spelling(text: str) -> None:
    assert list_spellings(claim(ClaimKind.SYMBOL, text)) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("parse_config", "parse_config"),
        ("parse_config()", "parse_config"),
        ("parse_config(path: str = 'a.b')", "parse_config"),
        ("wire::frame::read", "read"),
        ("Vec<Frame<'a>>", "Vec"),
        ("Cart.empty_cart", "empty_cart"),
        ("this->total", "total"),
        ("Cart#total", "total"),
        ("rows[0]", "rows"),
        ("größe_lesen", "größe_lesen"),
    ],
)
def test_of_a_symbol_the_last_part_must_be_there(text: str, name: str) -> None:
    assert list_spellings(claim(ClaimKind.SYMBOL, text)) == (name,)


def test_a_variable_is_spelled_as_it_is() -> None:
    assert list_spellings(claim(ClaimKind.ENVIRONMENT, "API_HOST")) == ("API_HOST",)


@pytest.mark.parametrize(
    ("flag", "spellings", "loose"),
    [
        ("--verbose", ("--verbose", '"verbose"', "'verbose'"), ("verbose", "verbose")),
        ("--no-cache", ("--no-cache", '"no-cache"', "'no-cache'"), ("no-cache", "cache")),
        ("--dry-run", ("--dry-run", '"dry-run"', "dry-run", "dry_run", "dryRun", "DryRun"), ()),
    ],
)
def test_a_flag_is_also_what_parsers_make_it_from(
    flag: str, spellings: tuple[str, ...], loose: tuple[str, ...]
) -> None:
    assert set(spellings) <= set(list_spellings(claim(ClaimKind.FLAG, flag)))
    assert list_loose_spellings(claim(ClaimKind.FLAG, flag)) == loose


def test_a_flag_of_one_word_is_not_proven_by_the_bare_word() -> None:
    assert "verbose" not in list_spellings(claim(ClaimKind.FLAG, "--verbose"))
