import pytest

from memci.dream.repair import mend_frontmatter
from memci.memory.topic import parse_topic
from memci.model.memory import Frontmatter, TopicType
from tests.build import SCOPE, topic_text

BODY = "Use tabs in Go.\n"


HOOK = "how Go code is indented"


def mend(text: str, file: str = "go-tabs.md", hook: str = HOOK) -> str | None:
    return mend_frontmatter(parse_topic(SCOPE / file, text), hook)


@pytest.mark.parametrize(
    "text",
    [
        topic_text("Use tabs in Go.", kind="feedback"),
        f"---\nname: go\ndescription: tabs in Go\ntype: user\n---\n{BODY}",
        f"---\nname: go\ndescription: |\n  tabs\n  in Go\ntype: user\nextra: [1, 2]\n---\n{BODY}",
        # Nothing to complete anything from.
        "",
        " \n\n",
        "---\nname: go\n---\n",
        # A head that YAML rejects is mended by its own rule.
        f"---\nname: go: tabs: now\ntype: user\n---\n{BODY}",
        # Keys of people in one line with the type cannot be kept byte for byte.
        f"---\nname: go\ndescription: tabs in Go\nmetadata: {{type: rule, owner: me}}\n---\n{BODY}",
        f"---\nname: go\ndescription: tabs in Go\nmetadata: {{owner: me}}\n---\n{BODY}",
        # What people call their own types is theirs.
        topic_text("Use tabs in Go.", kind="decision"),
        f"---\nname: go\ndescription: tabs in Go\ntype: rule # ours\n---\n{BODY}",
        # There is a head already, which comments or blank lines keep from clients.
        "\n" + topic_text("Use tabs in Go.", kind="feedback"),
        "<!-- Ana wrote this -->\n<!-- and\nthis -->\n" + topic_text("Use tabs in Go.", kind="feedback"),
        # The mark would come to stand in the middle.
        f"\ufeff{BODY}",
    ],
)
def test_a_topic_that_is_complete_or_cannot_be_completed_is_left_alone(text: str) -> None:
    assert mend(text) is None


@pytest.mark.parametrize("text", [BODY, "| Rule | Why |\n|---|---|\n| tabs | Go |\n", "---\nNot a key\n\nUse tabs.\n"])
def test_a_topic_that_nothing_describes_gets_no_head(text: str) -> None:
    assert mend(text, hook="") is None


def test_a_label_is_no_description_and_a_name_alone_no_head() -> None:
    assert mend(BODY, hook="K-") is None
    assert mend(f"---\nended: 2026-05-06\n---\n{BODY}", hook="") is None


def test_a_topic_without_a_head_gets_one_from_its_pointer() -> None:
    head = f"---\nname: go-tabs\ndescription: {HOOK}\nmetadata:\n  type: project\n---\n\n"
    assert mend(BODY) == head + BODY


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("feedback_tabs.md", TopicType.FEEDBACK),
        ("user-mara.md", TopicType.USER),
        ("reference_board.md", TopicType.REFERENCE),
        ("tabs.md", TopicType.PROJECT),
        # A word that merely begins like a type.
        ("users_of_go.md", TopicType.PROJECT),
    ],
)
def test_the_file_name_tells_the_type(file: str, kind: TopicType) -> None:
    assert f"  type: {kind}\n" in (mend(BODY, file) or "")


def test_a_type_that_is_none_becomes_the_one_of_the_file_name() -> None:
    text = f"---\nname: go\ndescription: tabs in Go\ntype: note # ours\n---\n{BODY}"
    assert mend(text, "reference_go.md") == text.replace("type: note", "type: reference")
    assert mend(topic_text(BODY, kind="note"), "user_go.md") == topic_text(BODY, kind="user")


def test_a_head_that_is_not_closed_is_closed_behind_its_last_key() -> None:
    text = "---\nname: go\ndescription: tabs in Go\ntype: feedback\n\nUse tabs in Go.\n"
    assert mend(text) == "---\nname: go\ndescription: tabs in Go\ntype: feedback\n---\n\nUse tabs in Go.\n"


def test_missing_name_and_description_are_added_and_everything_else_stays_byte_for_byte() -> None:
    rest = "owner:   'me'  # keep\ntags: [a,  b]\nmetadata:\n  type: user\n  since: 2020\n---\n"
    assert mend(f"---\n{rest}{BODY}") == f"---\nname: go-tabs\ndescription: {HOOK}\n{rest}{BODY}"


def test_line_ends_of_the_file_are_used() -> None:
    for text in (BODY, f"---\nname: go\n---\n{BODY}", f"---\nname: go\n\n{BODY}"):
        mended = mend(text.replace("\n", "\r\n")) or ""
        assert mended.count("\n") == mended.count("\r\n")


@pytest.mark.parametrize("said", ['Say "yes: no" # always', "- 'x': [y", "yes no", "`code: span`"])
def test_what_is_added_is_valid_whatever_the_pointer_says(said: str) -> None:
    mended = parse_topic(SCOPE / "x.md", mend(BODY, "x.md", said) or "")
    assert isinstance(mended.frontmatter, Frontmatter)
    assert (mended.frontmatter.problem, mended.description, mended.name) == (None, said, "x")


@pytest.mark.parametrize("text", [BODY, f"---\nname: go\n---\n{BODY}"])
def test_a_mended_topic_needs_no_second_mending(text: str) -> None:
    assert mend(mend(text) or "") is None
