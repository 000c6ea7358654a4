import functools
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memci.signals import cues, phrases
from memci.signals.cues import Cue, list_phrases
from memci.signals.fold import fold
from memci.signals.phrases import NEEDS, Phrases, digest_phrase, split_phrases
from tools.signal_needs import derive, derive_needs

DATA = Path(__file__).parents[1] / "data"
MESSAGES: list[dict[str, Any]] = [
    message for path in sorted(DATA.glob("messages*.yml")) for message in yaml.safe_load(path.read_text("utf-8"))
]
SENTENCES = sorted({fold(line) for message in MESSAGES for line in message["say"].split("\n")})


def test_the_file_of_needs_is_what_the_tables_say() -> None:
    assert NEEDS.read_text("utf-8") == derive(), "run `python -m tools.signal_needs`"


def test_no_two_phrases_share_a_digest() -> None:
    every = set(list_phrases())
    assert len({digest_phrase(phrase) for phrase in every}) == len(every)


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"\w+", []),
        (r"(?:never)?", []),
        (r"\w\s\w", []),
        (r"\w+s\b", [{"s "}]),
        (r"a\sb", [{"a b"}]),
        (r"\b(?:never|always)\s\w", [{" never ", " always "}]),
        (r"stop\s\w{2,20}ing\b", [{"stop "}, {"ing "}]),
        (r"(?!the)(?<!a)rule", [{"rule"}]),
        (r"rules?\b", [{"rule ", "rules "}]),
        (r"\Brule", [{"rule"}]),
        (r"^(?:(?:ok|so)[,:]? ){0,2}add", [{" add"}]),
        (r"\w(?:so )?add", [{"add"}]),
        (r"(?:is|are)(?: not)? (?:aa|bb|cc|dd|ee)\b", [{"is ", "are "}, {" aa ", " bb ", " cc ", " dd ", " ee "}]),
        (r"(?:ab|\w)cd", [{"cd"}]),
        (r"no\s\w+ing\s\w{2,9}\sever", [{"no "}, {"ing "}, {" ever"}]),
        (r"(?:one\s){1,3}two", [{"one "}, {" two"}]),
        (r"[.!]x", [{" . x", " ! x"}]),
    ],
)
def test_what_a_pattern_needs(pattern: str, needs: list[set[str]]) -> None:
    assert sorted(map(sorted, derive_needs(pattern))) == sorted(map(sorted, needs))


def _search_all(folded: str, language: str) -> set[Cue]:
    """Find the cues without leaving any phrase out."""
    return {cue for cue, pattern in _join(language).items() if pattern.search(folded)}


@functools.cache
def _join(language: str) -> dict[Cue, re.Pattern[str]]:
    tables = {cue: split_phrases(cues._tables()[language].get(cue, "")) for cue in Cue}
    return {cue: re.compile("|".join(phrases)) for cue, phrases in tables.items() if phrases}


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "pt", "ru", "zh", "ja", "ko"])
def test_leaving_phrases_out_finds_the_same(language: str) -> None:
    for sentence in SENTENCES if language == "en" else SENTENCES[::8]:
        assert cues._phrases(language).find(sentence) == _search_all(sentence, language), sentence


WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})
MARKS = [" ", " ", " ", ", ", ". ", "-", ": ", "/", "? ", "_"]


@given(st.lists(st.sampled_from(WORDS).flatmap(lambda word: st.sampled_from(MARKS).map(word.__add__))).map("".join))
def test_leaving_phrases_out_finds_the_same_in_mixed_words(sentence: str) -> None:
    assert cues._phrases("en").find(sentence) == _search_all(sentence, "en")


def test_a_phrase_that_the_file_does_not_know_is_tried() -> None:
    assert Phrases({"greeting": r"\bhej_på_dig\b"}).find("sagt: hej på dig!") == {"greeting"}


def test_half_a_character_hides_nothing() -> None:
    assert Cue.NORM in cues._phrases("en").find("never push\ud800 on fridays")


@pytest.mark.parametrize("cue", [Cue.NORM, Cue.STOP, Cue.TASK, Cue.SUPPOSE])
def test_a_cue_first_stands_where_trying_every_phrase_finds_it(cue: Cue) -> None:
    for sentence in SENTENCES[::4]:
        found = _join("en")[cue].search(sentence)
        assert cues._phrases("en").find_first(cue, sentence) == (found.start() if found else -1), sentence


@pytest.mark.parametrize("phrase", ["never", "^never|always", r"^(?:a|b)\)|c"])
def test_a_phrase_that_can_begin_anywhere_is_not_anchored(phrase: str) -> None:
    assert not phrases._is_anchored(phrase)


@pytest.mark.parametrize("phrase", ["^never", r"^(?:never|always)[|)]\|"])
def test_a_phrase_that_can_only_begin_a_sentence_is_anchored(phrase: str) -> None:
    assert phrases._is_anchored(phrase)
