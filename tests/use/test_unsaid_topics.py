import datetime as dt
from dataclasses import replace

import pytest

from memci.model.memory import Guide, ScopeSnapshot
from memci.model.session import Origin, Place, Turn
from memci.sessions.read_result import FileReport, FileStatus, MemoryTouch, Reading, Session
from memci.use.unsaid_topics import find_unsaid
from tests.build import SCOPE, snapshot_of, topic_text

AT = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)
BODY = "Put an emoji in front of the subject of every commit."


def read_scope(kind: str = "feedback", body: str = BODY) -> ScopeSnapshot:
    return snapshot_of({"emoji.md": topic_text(body, name="emoji", description="on subjects", kind=kind)}).scopes[0]


def hold(*texts: str, before: str = "") -> Reading:
    """Return a session in which this was said before the agent wrote the topic."""
    turns = tuple(
        Turn("s", f"u{n}", AT, Origin.PERSON, Place.PROMPT, text, before=before) for n, text in enumerate(texts)
    )
    made = topic_text(BODY, name="emoji", description="on subjects", kind="feedback")
    write = MemoryTouch("s", "w", AT, f"/home/ines/shop/{SCOPE}/emoji.md", made)
    return Reading(turns, (Session("s", None, None, None, AT, AT, "u0", len(turns)),), (write,))


TASK = hold("fix the bug in the basket of the shop, please")


def find(reading: Reading, scope: ScopeSnapshot | None = None, *guides: str) -> list[str]:
    found = find_unsaid(scope or read_scope(), reading, [Guide(SCOPE / "CLAUDE.md", text) for text in guides], None)
    return [one.topic.path.name for one in found]


@pytest.mark.parametrize(
    "reading",
    [
        hold("I like an emoji before each commit subject"),
        # Agreed to, chosen, or pasted.
        hold("yes, do that", before="Shall I put an emoji in front of every commit subject?"),
        replace(TASK, chosen=(("s", "Emoji in front of the commit subject"),)),
        # In another session, before.
        replace(TASK, turns=(*TASK.turns, replace(hold("emoji before every subject please").turns[0], session="r"))),
        # Nobody spoke, another language, and transcripts that are not whole.
        hold(),
        hold("repariere bitte den Fehler im Warenkorb, danke dir"),
        replace(TASK, sessions=(replace(TASK.sessions[0], continued=True),)),
        replace(TASK, files=(FileReport("s.jsonl", FileStatus.USED, truncated=10),)),
        replace(TASK, writes=()),
        # An edit creates nothing.
        replace(TASK, writes=(replace(TASK.writes[0], text=BODY),)),
    ],
)  # fmt: skip
def test_what_somebody_may_have_said_is_left_alone(reading: Reading) -> None:
    assert find(reading) == []


def test_what_a_session_may_have_read_somewhere_is_left_alone() -> None:
    assert find(TASK, read_scope("project")) == []
    assert find(TASK, None, "Every commit has an emoji in front of its subject.\n") == []


def test_what_people_wrote_anew_is_left_alone() -> None:
    assert find(TASK, read_scope(body="Write subjects without any emoji, as we agreed.")) == []


def test_a_wish_that_nobody_had_is_found() -> None:
    assert find(TASK) == ["emoji.md"]
