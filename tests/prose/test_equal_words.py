import pytest

from memci.prose.equal_words import equal_form, list_meanings


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("Wednesday", "weekday:2"),
        ("onsdag", "weekday:2"),
        ("twenty", "number:20"),
        ("zwanzig", "number:20"),
        ("0,4", "number:.4"),
        ("0.4", "number:.4"),
        ("May", "month:5"),
        # A verb, and a word of another language.
        ("may", ""),
        ("once", ""),
    ],
)
def test_words_of_many_languages_have_one_form(word: str, form: str) -> None:
    assert equal_form(word) == form


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("dva", "number:2"),
        # Without its accents, as people in a hurry write.
        ("ctrnact", "number:14"),
        ("zari", "month:9"),
        ("stredu", "weekday:2"),
        ("po", "weekday:0"),
        ("torek", "weekday:1"),
        ("kaksi", "number:2"),
        ("gate", ""),
    ],
)
def test_evidence_is_read_in_every_language(word: str, form: str) -> None:
    assert (form in list_meanings(word)) if form else not list_meanings(word)
