"""Comparing with the topics that are like a signal finds what comparing with all of them finds."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memci.engines.local.known_topics import find_meant, match_signal
from memci.engines.local.new_topics import Made
from memci.memory.compose import describe, make_name
from memci.memory.topic import parse_topic
from memci.model.memory import Topic, TopicType
from tests.build import SCOPE, snapshot_of, topic_text
from tests.dream.scenes import say

WORDS = (
    "use",
    "never",
    "pnpm",
    "the",
    "web",
    "folder",
    "commit",
    "lockfile",
    "database",
    "is",
    "5",
    "`npm`",
    "of",
    "!",
)
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
bodies = st.lists(sentences | sentences.map("**Why:** {}".format), min_size=1, max_size=3).map("\n\n".join)
kinds = st.sampled_from([TopicType.FEEDBACK, TopicType.PROJECT])


def make_topics(texts: Sequence[tuple[str, TopicType]]) -> list[Topic]:
    return [
        parse_topic(
            SCOPE / f"t{number}.md",
            topic_text(body, name=make_name(body) or "note", description=describe(body), kind=kind),
        )
        for number, (body, kind) in enumerate(texts)
    ]


@given(st.lists(st.tuples(bodies, kinds), max_size=8), sentences, kinds, st.booleans())
def test_what_is_made_is_matched_as_if_all_of_it_were_looked_at(
    texts: list[tuple[str, TopicType]],
    rule: str,
    kind: TopicType,
    reverses: bool,  # noqa: FBT001 -- drawn
) -> None:
    topics = make_topics(texts)
    signal = say(rule, type=kind, reverses=reverses)
    made = Made()
    for topic in reversed(topics):
        # What stood there before leaves no trace.
        made.put(topic.path, replace(topic, text=topic.text + "\nNever use pnpm in the web folder.\n"))
        made.put(topic.path, topic)
    made.put(SCOPE / "gone.md", parse_topic(SCOPE / "gone.md", topic_text(rule)))
    made.put(SCOPE / "gone.md", None)
    scope = snapshot_of({topic.path.name: topic.text for topic in topics} | {"MEMORY.md": "# Memory\n"}).scopes[0]
    assert match_signal(signal, scope, made, ()) == match_signal(signal, scope, Made(), topics)
    assert find_meant(rule, made, ()) == find_meant(rule, Made(), topics)
