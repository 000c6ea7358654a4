"""From a query to what a session would be shown: at most five topics, cut, and none of them twice."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from memci.recall.listing import TopicEntry
from memci.recall.local_choice import find_matches
from memci.recall.ranker import Ranker
from memci.recall.tool_topics import find_tool_words, is_manual_of

# What a client shows for one query, of each topic, and in a whole session.
MAX_SHOWN = 5
MAX_LINES = 200
MAX_BYTES = 4_096
MAX_SESSION_BYTES = 60_000
# A query may be a pasted log; what it is about is said by then.
MAX_QUERY = 8_192
# A secret that begins in what is shown ends within this; private keys have up to 4 KB.
_WINDOW = 8_192
ALREADY = "already shown"
MANUAL = "only says how to use a tool that is in use"


@dataclass(frozen=True, slots=True)
class Chosen:
    """One topic that helps, with the words it shares with the query; a model may choose one that shares none."""

    entry: TopicEntry
    score: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """What was chosen, and what was set aside before the choice, with the reason."""

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
    """Choose from the list what helps with a query; ids that are not on the list are dropped."""
    named = [find_tool_words(tool) for tool in tools]
    open_to: list[TopicEntry] = []
    set_aside: list[tuple[TopicEntry, str]] = []
    for entry in entries:
        reason = ALREADY if entry.id in already else MANUAL if is_manual_of(entry, named) else ""
        if reason:
            set_aside.append((entry, reason))
        else:
            open_to.append(entry)
    by_id = {entry.id: entry for entry in open_to}
    matches = {match.id: match for match in find_matches(query, open_to)}
    wanted = [by_id[id_] for id_ in dict.fromkeys(ranker.rank(query, open_to)) if id_ in by_id]
    chosen = []
    for entry in wanted[:MAX_SHOWN]:
        match = matches.get(entry.id)
        chosen.append(Chosen(entry, match.score if match else 0.0, match.why if match else ()))
    return TopicChoice(tuple(chosen), tuple(set_aside))


def cut_topic(text: str, clean: Callable[[str], str]) -> tuple[str, str]:
    """Return what is shown of a topic, without secrets, and what to say if that is not all."""
    # Cleaned before it is cut: half a secret would not be recognised.
    lines = clean(text[: MAX_BYTES + _WINDOW]).rstrip("\n").split("\n")
    kept = "\n".join(lines[:MAX_LINES])
    data = kept.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        whole = data[: MAX_BYTES + 1].rpartition(b"\n")[0] or data[:MAX_BYTES]
        return whole.decode("utf-8", "ignore"), f"cut at {MAX_BYTES:,} bytes; read the file for the rest"
    return kept, f"cut at {MAX_LINES} lines; read the file for the rest" if len(lines) > MAX_LINES else ""


def fit_session(before: Iterable[str], texts: Sequence[str]) -> int:
    """Return how many of the texts a session may still be shown after those it has seen before."""
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
