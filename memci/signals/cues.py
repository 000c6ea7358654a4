"""The cue tables: one TOML file per language, with closed classes of phrases that begin a person's own clause."""

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from memci.patterns import LazyPattern
from memci.prose.stems import detect_language

_LANGUAGES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "pt": "portuguese", "ru": "russian",
    "ja": "japanese", "ko": "korean", "zh": "chinese",
}  # fmt: skip
# The order in which the classes are tried.
CLASSES = ("forget", "remember", "person", "place", "rule", "decision")


@dataclass(frozen=True, slots=True)
class CueTable:
    """The cues of one language, compiled when they are first tried."""

    code: str
    script: LazyPattern
    # Where a further clause begins inside a sentence, with its lead-ins.
    boundary: LazyPattern
    lead: LazyPattern
    certain: Mapping[str, LazyPattern]
    against: Mapping[str, LazyPattern]
    reason: LazyPattern
    reason_sentence: LazyPattern
    strong: LazyPattern
    weak: LazyPattern
    bonus: LazyPattern
    # How the person is named in the third person, by their own words.
    self_words: Mapping[str, str]
    again: Mapping[str, str]


@functools.cache
def read_tables() -> tuple[CueTable, ...]:
    """Read the tables of all languages."""
    folder = files("memci.signals") / "languages"
    return tuple(_make(code, tomllib.loads((folder / f"{code}.toml").read_text("utf-8"))) for code in _LANGUAGES)


def choose_tables(folded: str) -> list[CueTable]:
    """Return the table of the language of a sentence; if that is unclear, those of all languages with its letters."""
    language = detect_language(folded)
    if language:
        return [table for table in read_tables() if _LANGUAGES[table.code] == language]
    return [table for table in read_tables() if table.script.search(folded)]


def _make(code: str, table: Mapping[str, Any]) -> CueTable:
    lead = _plain(table["lead"])
    # A lead-in ends with a blank or a mark; scripts without blanks need neither.
    end = r"[\s,:;.!–—-]*" if code in {"ja", "ko", "zh"} else r"(?:[,:;.!–—]+\s*|\s+)"
    leads = rf"(?:[^\w\s]*\s*{lead}{end}){{0,5}}"
    against = {kind: LazyPattern(_plain(pattern)) for kind, pattern in table["against"].items()}
    return CueTable(
        code,
        LazyPattern(f"[{table['scripts']}]"),
        LazyPattern(rf"(?:[,;:：，；、—–(]\s*|\s-\s+|{table['boundary']})({leads})"),
        LazyPattern(rf"[^\w`/@]*{leads}"),
        {kind: _join(patterns) for kind, patterns in table["certain"].items()},
        against,
        LazyPattern(_plain(table["reason"]["inside"])),
        LazyPattern(_plain(table["reason"]["sentence"])),
        _join(table["offer"]["strong"]),
        _join(table["offer"]["weak"]),
        LazyPattern(_plain(table["offer"]["bonus"])),
        {word: said for word, said in table["self"].items() if word != "verbs"}
        | {f"i {verb}": f"the user {verb}s" for verb in table["self"].get("verbs", "").split()},
        table.get("again", {}),
    )


def _join(patterns: list[str]) -> LazyPattern:
    return LazyPattern("|".join(f"(?:{_plain(pattern)})" for pattern in patterns))


def _plain(pattern: str) -> str:
    """Return a pattern that is written over several lines as one."""
    return re.sub(r"\s*\n\s*", "", pattern).replace("||", "|").replace("(?:|", "(?:")
