import datetime as dt

from memci.memory.index import fit
from memci.model.use import MonthUse, ScopeUse, TopicUse
from memci.sessions.read_result import Reading, Session
from memci.use.topic_use import TopicPaths, count_use
from tests.build import SCOPE, snapshot_of, topic_text

NAMES = [f"t{number:03}.md" for number in range(210)]
FULL = snapshot_of(
    {name: topic_text("A fact.", name=name[:-3]) for name in NAMES}
    | {"MEMORY.md": "".join(f"- [T]({name}) — a hook\n" for name in NAMES)}
).scopes[0]


def test_a_pointer_below_the_cut_is_not_loaded() -> None:
    session = Session("s", "reviewer", None, None, None, None, "u", 1)
    used, _ = count_use(FULL, Reading(sessions=(session,)), ScopeUse(), lambda *_: True, None)
    assert used["t199.md"] == TopicUse(loaded=1)
    assert used["t200.md"] == TopicUse(cut=1)


def test_the_memory_of_an_agent_counts_for_its_own_sessions_only() -> None:
    other = Session("s", None, None, None, None, None, "u", 1)
    assert count_use(FULL, Reading(sessions=(other,)), ScopeUse(), lambda *_: True, None) == ({}, {})


def test_a_session_counts_in_the_month_in_which_it_began() -> None:
    begin, end = dt.datetime(2026, 10, 31, 23, tzinfo=dt.UTC), dt.datetime(2026, 11, 1, 1, tzinfo=dt.UTC)
    sessions = (Session("s", "reviewer", None, None, begin, end, "u", 1),)
    known = ScopeUse(months={"2026-09": MonthUse(4, 1), "2026-10": MonthUse(2, 2)})
    _, months = count_use(FULL, Reading(sessions=sessions), known, lambda *_: True, None)
    assert months == {"2026-09": (4, 1), "2026-10": (3, 2)}


def test_what_sessions_use_stays_in_the_index() -> None:
    assert FULL.index is not None
    topics = {topic.path: topic for topic in FULL.topics}
    plain = fit(FULL.index, topics)
    ranked = fit(FULL.index, topics, used={SCOPE / "t000.md": 1, SCOPE / "t003.md": 2})
    assert plain is not None
    assert ranked is not None
    assert plain.dropped == tuple(NAMES[:10])
    assert ranked.dropped == ("t001.md", "t002.md", *NAMES[4:12])


def test_a_path_of_any_machine_leads_to_its_topic() -> None:
    paths = TopicPaths([FULL])
    assert paths.match(f"C:\\shop\\{SCOPE}\\t001.md".replace("/", "\\")) == SCOPE / "t001.md"
    assert paths.match(f"{SCOPE}/t001.md") == SCOPE / "t001.md"
    assert paths.match("/home/ines/other/.claude/memory/t001.md") is None
    assert paths.match(f"/x/not{SCOPE}/t001.md") is None
