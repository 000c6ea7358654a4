from hypothesis import given
from hypothesis import strategies as st

from memci.memory.snapshot import change_texts, list_texts, replace_texts
from tests.build import SCOPE, snapshot_of, topic_text

FILES = {
    "MEMORY.md": "- [a](a.md)\n",
    "a.md": topic_text("One."),
    "b.md": topic_text("Two."),
    "logs/2026/11/2026-11-12.md": "- note\n",
    "picture.png": "x",
}
SCOPE_READ = snapshot_of(FILES).scopes[0]
INDEX, A, B, C = (SCOPE / name for name in ("MEMORY.md", "a.md", "b.md", "c.md"))


def test_without_texts_the_scope_is_the_same() -> None:
    assert replace_texts(SCOPE_READ, {}) is SCOPE_READ


def test_a_text_outside_the_scope_changes_nothing() -> None:
    assert replace_texts(SCOPE_READ, {SCOPE.parent / "other" / "a.md": "x"}) is SCOPE_READ


def test_logs_are_no_texts_that_may_change() -> None:
    assert set(list_texts(SCOPE_READ)) == {INDEX, A, B}


def test_topics_are_changed_made_and_removed_in_order() -> None:
    new = replace_texts(SCOPE_READ, {C: topic_text("Three."), A: topic_text("Other."), B: None})
    assert [topic.path for topic in new.topics] == [A, C]
    assert new.topics[0].body == "Other.\n"
    assert (new.logs, new.others) == (SCOPE_READ.logs, SCOPE_READ.others)


def test_the_index_is_read_anew_when_topics_change() -> None:
    new = replace_texts(SCOPE_READ, {INDEX: "- [[renamed]]\n"})
    assert new.index
    assert new.index.pointers == ()
    new = replace_texts(new, {C: topic_text("Three.", name="renamed")})
    assert new.index
    assert [pointer.path for pointer in new.index.pointers] == [C]


def test_an_index_can_come_and_go() -> None:
    without = replace_texts(SCOPE_READ, {INDEX: None})
    assert without.index is None
    again = replace_texts(without, {INDEX: FILES["MEMORY.md"]})
    assert again.index == SCOPE_READ.index


def test_what_was_replaced_is_what_is_found() -> None:
    texts = {INDEX: "# Memory\n", A: topic_text("Other."), C: "no head\n"}
    assert list_texts(replace_texts(SCOPE_READ, texts)) == {**list_texts(SCOPE_READ), **texts}


TEXTS = st.sampled_from([topic_text("One.", name="one"), topic_text("Two.", name="Two"), "One two.\n", "\n", ""])
NAMES = st.sampled_from(["MEMORY.md", "a.md", "A.md", "b.md", "sub/a.md", "z.md"])


@given(st.lists(st.dictionaries(NAMES, st.none() | TEXTS, max_size=3), max_size=6))
def test_after_any_changes_a_scope_is_what_reading_it_anew_makes_of_it(changes: list[dict[str, str | None]]) -> None:
    scope, files = SCOPE_READ, dict(FILES)
    texts = list_texts(scope)
    for change in changes:
        paths = {SCOPE / name: text for name, text in change.items()}
        scope, texts = replace_texts(scope, paths), change_texts(texts, paths)
        files = {name: text for name, text in {**files, **change}.items() if text is not None}
        anew = snapshot_of(files).scopes[0]
        assert (scope.index, scope.files, scope.catalogue) == (anew.index, anew.files, anew.catalogue)
        assert scope.topics == anew.catalogue.ordered
        assert texts == list_texts(anew)
