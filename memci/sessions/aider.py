"""Reads the chat history of aider, which is Markdown, as records of the form that `speaker` judges."""

import hashlib
from collections.abc import Iterable, Iterator

from memci.patterns import LazyPattern
from memci.sessions.translated import Translated, make_prompt

AIDER_NAME = ".aider.chat.history.md"
_START = LazyPattern(r"# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*")
# A prompt on the command line, which the first line of a chat shows, may be a script's.
_SCRIPTED = LazyPattern(r"\s(?:--message(?:-file)?|--msg|-m|-f|--gui|--browser|--watch-files)(?:[\s=]|$)")
_SAID = "#### "
_BREAK = "  "
# Answers to the questions of aider are recorded with the question.
_ASKED = "(Y)es/(N)o"


def read_aider(lines: Iterable[str]) -> Iterator[Translated]:
    """Translate a chat history: prompts are headings with a line break behind them, notes of aider are quotations.

    A reply may contain such a heading, so a prompt counts only directly behind a note or another prompt. A reply may
    imitate that as well: what it says is marked as reported, never as typed. In the architect mode a whole reply is
    handed on like a prompt.
    """
    session, time, scripted, after_note = "", "", True, False
    said: list[str] = []
    reply: list[str] = []
    for raw in (*lines, ""):
        line = raw.rstrip("\r\n")
        is_prompt = line.startswith(_SAID) and line.endswith(_BREAK) and (after_note or bool(said))
        if is_prompt:
            said.append(line.removeprefix(_SAID).rstrip())
            continue
        if said:
            text = "\n".join(said)
            # Nothing was sent, so the next prompt is behind the same note.
            after_note = text == "<blank>"
            typed = "" if after_note or _ASKED in text or _repeats(said, reply) else text
            said, reply = [], []
            yield make_prompt(session, typed, scripted, timestamp=time, doubtful=True)
        if start := _START.fullmatch(line):
            time = f"{start[1]}T{start[2]}"
            session = f"aider-{hashlib.sha256(time.encode()).hexdigest()[:16]}"
            # Without the line that shows how it was started, nobody knows who did.
            scripted, after_note = True, True
        elif line.startswith("> "):
            if after_note and scripted and "aider" in line:
                scripted = bool(_SCRIPTED.search(line))
            after_note = True
            yield "note"
        elif line.strip():
            after_note = False
            reply.append(line.strip())
            if line.startswith(_SAID):
                yield "heading of a reply"


def _repeats(said: Iterable[str], reply: list[str]) -> bool:
    """Tell whether a prompt is the reply before it, or several lines of it."""
    lines = [line.strip() for line in said if line.strip()]
    return lines == reply or (len(lines) > 1 and "\n".join(lines) in "\n".join(reply))
