"""Chooses what a session is shown for a query: at most five topics, truncated, and none of them twice."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from memci.memory.client_limit import MAX_TOPIC_LINES, MAX_TOPIC_SHOWN
from memci.model.memory import TopicType
from memci.patterns import LazyPattern
from memci.prose.similar import count_negations
from memci.recall.listing import TopicEntry
from memci.recall.local_choice import match_topics
from memci.recall.query_words import listed_roots, word_roots

# The limits of the client: topics per query, bytes per session.
MAX_SHOWN = 5
MAX_SESSION_BYTES = 60_000
# A query may be a pasted log; its subject is clear from the start of it.
MAX_QUERY = 8_192
# Enough to contain a secret that begins in the shown part; private keys have up to 4 KB.
_WINDOW = 8_192
ALREADY = "already shown"
MANUAL = "only says how to use a tool that is in use"


class Ranker(Protocol):
    """Orders the ids of a list by relevance to a query."""

    @property
    def name(self) -> str:
        """Its name in the report."""

    def rank(self, query: str, manifest: Sequence[TopicEntry]) -> list[str]:
        """Return the ids of the entries that help, best first; none if nothing does."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One chosen topic and the words it shares with the query; a model may choose one that shares none."""

    entry: TopicEntry
    score: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """The chosen topics, and those excluded before the choice, each with a reason."""

    chosen: tuple[Chosen, ...]
    set_aside: tuple[tuple[TopicEntry, str], ...]


def choose(
    query: str,
    entries: Sequence[TopicEntry],
    ranker: Ranker,
    *,
    tools: Sequence[str] = (),
    already: Collection[str] = (),
) -> TopicChoice:
    """Choose the entries that help with a query; ids that are not on the list are dropped."""
    named = [tool_roots(tool) for tool in tools]
    open_to: list[TopicEntry] = []
    set_aside: list[tuple[TopicEntry, str]] = []
    for entry in entries:
        reason = ALREADY if entry.id in already else MANUAL if is_manual_of(entry, named) else ""
        if reason:
            set_aside.append((entry, reason))
        else:
            open_to.append(entry)
    by_id = {entry.id: entry for entry in open_to}
    matches = {match.id: match for match in match_topics(query, open_to)}
    wanted = [by_id[id_] for id_ in dict.fromkeys(ranker.rank(query, open_to)) if id_ in by_id]
    chosen = []
    for entry in wanted[:MAX_SHOWN]:
        match = matches.get(entry.id)
        chosen.append(Chosen(entry, match.score if match else 0.0, match.why if match else ()))
    return TopicChoice(tuple(chosen), tuple(set_aside))


def cut_topic(text: str, clean: Callable[[str], str]) -> tuple[str, str]:
    """Return the part of a topic that is shown, without secrets, and a note if it was truncated."""
    # Redact before truncating: half a secret would not be recognised.
    lines = clean(text[: MAX_TOPIC_SHOWN + _WINDOW]).rstrip("\n").split("\n")
    kept = "\n".join(lines[:MAX_TOPIC_LINES])
    data = kept.encode("utf-8", "surrogatepass")
    if len(data) > MAX_TOPIC_SHOWN:
        whole = data[: MAX_TOPIC_SHOWN + 1].rpartition(b"\n")[0] or data[:MAX_TOPIC_SHOWN]
        return whole.decode("utf-8", "ignore"), f"cut at {MAX_TOPIC_SHOWN:,} bytes; read the file for the rest"
    return kept, f"cut at {MAX_TOPIC_LINES} lines; read the file for the rest" if len(lines) > MAX_TOPIC_LINES else ""


def fit_session(before: Iterable[str], texts: Sequence[str]) -> int:
    """Count how many of the texts still fit into a session that was already shown `before`."""
    spent = sum(map(_count_bytes, before))
    fitting = 0
    for text in texts:
        spent += _count_bytes(text)
        if spent > MAX_SESSION_BYTES:
            break
        fitting += 1
    return fitting


def _count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def describe_age(written: dt.datetime | None, now: dt.datetime) -> str:
    """Return the note for a topic that is older than a day; "" for a fresh one."""
    days = (now - written).days if written else 0
    if days < 2:
        return ""
    return f"written {days} days ago, verify before relying on it"


# A command in a list or at a prompt.
_COMMAND = LazyPattern(r"(?:[-*+] |\d{1,3}\. )?[`$]")
_WARNING_CJK = LazyPattern("注意|警告|小心|问题|問題|错误|危険|バグ|不具合|失敗|失败|주의|경고")


def tool_roots(name: str) -> frozenset[str]:
    """Split the name of a tool into roots: `mcp__github__get_issue` gives github, `Bash(docker ps:*)` docker."""
    if name.startswith("mcp__"):
        name = name.split("__")[1]
    elif "(" in name:
        name = (name.partition("(")[2].split() or [name])[0].rstrip(":*)")
    return word_roots(name)


def is_manual_of(entry: TopicEntry, tools: Iterable[frozenset[str]]) -> bool:
    """Tell whether a topic only explains how to use one of these tools, without any warning."""
    # Corrections, decisions and people are never manuals.
    if entry.type not in {TopicType.REFERENCE, ""}:
        return False
    title = word_roots(f"{entry.name} {entry.description} {entry.hook}")
    if not any(tool and tool <= title for tool in tools):
        return False
    return (bool(title & listed_roots("manual")) or _is_mostly_code(entry.head)) and not _warns(entry)


def _warns(entry: TopicEntry) -> bool:
    text = f"{entry.name}\n{entry.description}\n{entry.hook}\n{entry.head}"
    return bool(count_negations(text) or _WARNING_CJK.search(text) or word_roots(text) & listed_roots("warning"))


def _is_mostly_code(head: str) -> bool:
    lines = [line.strip() for line in head.split("\n") if line.strip()]
    fenced = False
    code = 0
    for line in lines:
        fence = line.startswith(("```", "~~~"))
        code += fenced or fence or bool(_COMMAND.match(line))
        fenced ^= fence
    return code * 2 > len(lines)
