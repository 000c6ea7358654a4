"""Values that a sentence cites with name and place: "`MAX_RETRIES` is 5 in `src/x.py`", "port 8080 in `app.yml`"."""

from collections.abc import Iterator

from memci.citations.extract.command_lines import CommandPart
from memci.model.citation import ClaimKind
from memci.patterns import LazyPattern

# Only beside one of these a plain word is a name: "port 8080", but not "line 12".
_SETTINGS = (".yml", ".yaml", ".toml", ".json", ".env", ".ini", ".cfg", ".conf", ".properties")


def _source() -> str:
    number = r"(?<![\w.-])v?\d[\d_,]*(?:\.\d+)*(?:-[a-z]+\.?\d+)?"
    # Between names that stand side by side there is a comma or a word; a text that is a value needs more than that.
    quoted = r"(?:(?<=[=:|(] [`\"'])|(?<=[=:|(][`\"'])|(?<= is [`\"']))[A-Za-z][\w.:@+-]{1,60}(?=[`\"'])"
    value = rf"[`\"']{{0,2}}(?P<value>{number}|{quoted})(?![\w%]|[.,:]\w)"
    # A name as code, or a plain word right before a number. What is in between is free, because the file is the proof.
    code = r"`(?P<code>[A-Za-z_][\w.-]{1,60})(?:`[^`\d\n]{1,25}|\s?(?:=|:=?|=>)\s?)"
    word = r"(?<![\w`/.-])(?P<word>[A-Za-z][A-Za-z_-]{2,30})(?: is| of| to|:| =)? (?=v?\d)"
    return rf"(?:{code}|{word}){value}"


_VALUE = LazyPattern(_source)


def find_values(sentence: str, file: str) -> Iterator[CommandPart]:
    """Yield the names of a sentence that it gives a value; `file` is the only one that the sentence names."""
    for found in _VALUE.finditer(sentence):
        # Loading it takes as long as judging a small memory, and few sentences name a value.
        from memci.prose.similar import count_negations

        kind = "code" if found["code"] else "word"
        if kind == "word" and not file.endswith(_SETTINGS):
            continue
        between = sentence[found.end(kind) : found.start("value")]
        if found[kind] not in file and not count_negations(between):
            yield CommandPart(ClaimKind.VALUE, found.start(kind), found[kind], file, value=found["value"])
