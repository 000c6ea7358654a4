import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.dream.fit_index import fill_index, fit_index, squeeze_hooks
from memci.memory.client_limit import MAX_BYTES, MAX_LINES, cut
from memci.memory.replace_texts import replace_texts
from memci.model.memory import ScopeSnapshot
from tests.build import SCOPE, topic_text
from tests.dream.scenes import changed_in, dream_over, read, texts_of

KINDS = ("feedback", "user", "reference", "project")


def make_topic(kind: str, number: int, description: str = "") -> str:
    said = description or f"thing {number} works"
    return topic_text(f"Thing {number} works as part {number} says.", name=f"t-{number}", description=said, kind=kind)


def make_pointer(name: str, hook: str = "") -> str:
    return f"- [{name.removesuffix('.md')}]({name})" + (f" — {hook}" if hook else "") + "\n"


def make_scope(pointed: dict[str, str], orphans: dict[str, str], hook: str = "", blanks: int = 1) -> ScopeSnapshot:
    index = "# Memory\n" + "\n" * blanks + "".join(make_pointer(name, hook) for name in pointed)
    return read({"MEMORY.md": index, **pointed, **orphans})


def topics(kind: str, count: int, start: int = 0) -> dict[str, str]:
    return {f"{kind}_{number:03}.md": make_topic(kind, number) for number in range(start, start + count)}


def pointed_in(text: str) -> list[str]:
    return [line.partition("](")[2].partition(")")[0] for line in text.split("\n") if "](" in line]


def test_an_index_that_has_everything_is_left_alone() -> None:
    scope = make_scope(topics("project", 5), {}, blanks=3)
    assert scope.index
    for filled in (fill_index(scope), fit_index(scope)):
        assert (filled.text, filled.added, filled.left_out, filled.kept) == (scope.index.text, (), (), ())
    assert squeeze_hooks(scope) == scope.index.text


def test_a_full_index_without_orphans_is_left_alone() -> None:
    scope = make_scope(topics("project", MAX_LINES - 2), {})
    assert scope.index
    assert (fill_index(scope).text, fit_index(scope).text) == (scope.index.text, scope.index.text)


def test_orphans_of_the_same_rank_stay_out_of_a_full_index() -> None:
    scope = make_scope(topics("project", MAX_LINES - 1), topics("project", 3, 900), blanks=0)
    filled = fill_index(scope)
    assert scope.index
    assert (filled.text, len(filled.left_out)) == (scope.index.text, 3)


def test_orphans_get_pointers_behind_the_last_one_the_weightiest_first() -> None:
    orphans = topics("project", 1, 7) | topics("feedback", 1, 8)
    text = fill_index(make_scope(topics("user", 1), orphans)).text
    assert pointed_in(text) == ["user_000.md", "feedback_008.md", "project_007.md"]


def test_there_is_an_index_afterwards_if_there_was_none() -> None:
    assert pointed_in(fill_index(read(topics("user", 2))).text) == ["user_000.md", "user_001.md"]


def test_blank_lines_leave_before_pointers() -> None:
    scope = make_scope(topics("project", MAX_LINES - 10), topics("project", 5, 900), blanks=9)
    filled = fill_index(scope)
    assert (len(filled.added), filled.left_out) == (5, ())
    assert filled.text.count("\n\n") < 9


def test_a_correction_takes_the_place_of_a_project_note() -> None:
    scope = make_scope(topics("project", MAX_LINES - 1), topics("feedback", 2, 900), blanks=0)
    filled = fill_index(scope)
    assert [topic.path.name for topic in filled.added] == ["feedback_900.md", "feedback_901.md"]
    # New pointers are appended, so the upper ones are the older ones.
    assert [topic.path.name for topic in filled.left_out] == ["project_000.md", "project_001.md"]
    assert len(pointed_in(filled.text)) == MAX_LINES - 1


def test_a_pinned_topic_keeps_its_pointer() -> None:
    pointed = topics("project", MAX_LINES - 1)
    pointed["project_000.md"] = pointed["project_000.md"].replace("metadata:", "pinned: true\nmetadata:")
    filled = fill_index(make_scope(pointed, topics("feedback", 1, 900), blanks=0))
    assert [topic.path.name for topic in filled.left_out] == ["project_001.md"]


def test_a_pointer_that_says_more_than_its_topic_keeps_its_place() -> None:
    scope = make_scope(topics("project", MAX_LINES - 1), topics("feedback", 1, 900), hook="only here", blanks=0)
    filled = fill_index(scope)
    assert (filled.added, len(filled.left_out)) == ((), 1)


def test_a_topic_whose_path_alone_fills_a_pointer_does_not_keep_the_others_out() -> None:
    long = f"feedback_{'x' * 150}.md"
    plan = dream_over({long: make_topic("feedback", 1), "user_a.md": make_topic("user", 2)})
    assert pointed_in(changed_in(plan)["MEMORY.md"] or "") == ["user_a.md"]
    assert any(long in need.reason for need in plan.needs_person)


def test_an_index_with_too_many_lines_loses_the_lowest_rank_and_keeps_what_their_hooks_say() -> None:
    pointed = topics("project", 105) | topics("feedback", 105, 500)
    scope = make_scope(pointed, {}, hook="only the pointer says so")
    fitted = fit_index(scope)
    assert len(fitted.text.split("\n")) - 1 == MAX_LINES
    assert {topic.path.name[:7] for topic in fitted.left_out} == {"project"}
    assert {edit.path for edit in fitted.kept} == {topic.path for topic in fitted.left_out}
    assert all("only the pointer says so" in edit.new for edit in fitted.kept)


@pytest.mark.parametrize("orphans", [topics("feedback", 4, 900)])
def test_an_index_that_is_too_long_fits_after_one_dream_and_stays(orphans: dict[str, str]) -> None:
    pointed = topics("project", 150) | topics("reference", 40, 300) | topics("user", 30, 400)
    index = "# Memory\n" + "".join(make_pointer(name, f"hook of {name} alone") for name in pointed)
    plan = dream_over({"MEMORY.md": index, **pointed, **orphans})
    after = texts_of(plan)
    assert plan.refused == ()
    assert cut(after["MEMORY.md"]).lost_from == 0
    shown = set(pointed_in(after["MEMORY.md"]))
    assert all(name in shown or any(name in need.reason for need in plan.needs_person) for name in (*pointed, *orphans))
    # What a hook said stands in its topic or still in the index.
    assert all(f"hook of {name} alone" in after["MEMORY.md"] + after[name] for name in pointed)
    assert changed_in(dream_over(after)) == {}


def test_hundreds_of_orphans_get_pointers_in_one_dream() -> None:
    files = {
        f"feedback_{number:03}.md": make_topic("feedback", number, f"area {number} " + "keeps to its own part " * 4)
        for number in range(150)
    }
    plan = dream_over(files)
    assert plan.refused == ()
    assert len(pointed_in(changed_in(plan)["MEMORY.md"] or "")) == 150


def test_a_quoted_description_does_not_keep_its_topic_out_of_the_index() -> None:
    text = topic_text("Say it.", description=r'"say \"yes: no\" to it"', kind="feedback")
    plan = dream_over({"a.md": text})
    assert plan.refused == ()
    assert pointed_in(changed_in(plan)["MEMORY.md"] or "") == ["a.md"]


def test_hooks_are_squeezed_only_where_the_topic_says_them() -> None:
    said = "this is what the topic itself says in its own words and at some length " * 2
    pointed = {f"project_{number:03}.md": make_topic("project", number, said.strip()) for number in range(180)}
    own = "project_000.md"
    index = "# Memory\n" + "".join(make_pointer(name, "x " * 90 if name == own else said) for name in pointed)
    scope = read({"MEMORY.md": index, **pointed})
    text = squeeze_hooks(scope)
    assert len(text.encode()) <= MAX_BYTES < len(index.encode())
    assert make_pointer(own, "x " * 90) in text
    assert pointed_in(text) == list(pointed)


def test_hooks_in_other_scripts_are_squeezed_to_whole_characters() -> None:
    said = "不要在集成测试里使用模拟数据库，" * 10
    pointed = {f"project_{number:03}.md": make_topic("project", number, said) for number in range(100)}
    scope = read({"MEMORY.md": "".join(make_pointer(name, said) for name in pointed), **pointed})
    text = squeeze_hooks(scope)
    assert len(text.encode()) <= MAX_BYTES
    assert "\ufffd" not in text


@given(
    st.lists(st.sampled_from(KINDS), min_size=185, max_size=215),
    st.lists(st.sampled_from(KINDS), max_size=12),
    st.integers(0, 12),
    st.sampled_from(("", "thing", "only here")),
)
def test_filling_twice_is_filling_once_and_every_limit_holds(
    pointed: list[str], orphans: list[str], blanks: int, hook: str
) -> None:
    def name(kinds: list[str], start: int) -> dict[str, str]:
        return {f"{kind}_{start + n:03}.md": make_topic(kind, start + n) for n, kind in enumerate(kinds)}

    scope = make_scope(name(pointed, 0), name(orphans, 500), hook, blanks)
    fitted = fit_index(scope)
    edits = {edit.path: f"{_text(scope, edit.path)}{edit.new}" for edit in fitted.kept}
    scope = replace_texts(scope, {scope.index_path: fitted.text, **edits})
    filled = fill_index(scope)
    scope = replace_texts(scope, {scope.index_path: filled.text})
    assert len(filled.text.split("\n")) - 1 <= MAX_LINES
    assert fill_index(scope).text == fit_index(scope).text == filled.text
    shown = pointed_in(filled.text)
    assert len(shown) == len(set(shown))
    names = {str(topic.path.relative_to(SCOPE)) for topic in scope.topics}
    left_out = {str(topic.path.relative_to(SCOPE)) for topic in fill_index(scope).left_out}
    assert set(shown) | left_out == names


def _text(scope: ScopeSnapshot, path: object) -> str:
    return next(topic.text for topic in scope.topics if topic.path == path)
