import pytest

from memci.guards.rules.frontmatter import GUARD
from memci.model.plan import OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, by, change, check, finding, make_context

GOOD = topic_text("Body.", name="a-topic", description="what it says")
ODD = "---\nname: Odd Name\ntype: note\nauthor: Ana\n---\nBody.\n"
HEADLESS = "Body.\n"
FILES_WITH_ODD = {
    **FILES,
    "odd.md": ODD,
    "bare.md": HEADLESS,
    "crlf.md": GOOD.replace("\n", "\r\n").replace("a-topic", "c"),
}


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace("metadata:\n  type: project", "type: project"),
        topic_text("Body.", name="日本語-の-名前", description='"with: a colon"'),
        topic_text("Body.", name="v2-api", description="'single quotes'"),
        topic_text("Body.\n\n---\n\nMore below a rule.", kind="user"),
    ],
)
def test_a_new_topic_with_a_plain_head_passes(text: str) -> None:
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": text}), make_context()) is None


@pytest.mark.parametrize(
    ("file", "text"),
    [
        # What was wrong before may stay, or get better.
        ("odd.md", ODD + "More.\n"),
        ("odd.md", ODD.replace("type: note", "type: project")),
        ("odd.md", ODD.replace("type: note", "description: said here\ntype: project")),
        ("bare.md", GOOD.replace("name: a-topic", "name: bare")),
        ("user_zone.md", FILES["user_zone.md"].replace("time zone of the person", "zone of the person")),
        ("crlf.md", FILES_WITH_ODD["crlf.md"] + "More.\r\n"),
    ],
)
def test_an_old_topic_may_keep_its_head_or_get_a_better_one(file: str, text: str) -> None:
    assert check(GUARD, change(OperationKind.UPDATE, file, {file: text}), make_context(files=FILES_WITH_ODD)) is None


@pytest.mark.parametrize(
    "text",
    [
        HEADLESS,
        GOOD.replace("name: a-topic\n", ""),
        GOOD.replace("type: project", "type: note"),
        GOOD.replace("metadata:", "pinned: true\nmetadata:"),
        GOOD.replace("a-topic", "A topic"),
        GOOD.replace("a-topic", "a_topic"),
        GOOD.replace("a-topic", "commit-messages"),
        GOOD.replace("what it says", "x" * 201),
        GOOD.replace("what it says", "what it says # and more"),
        GOOD.replace("what it says", ">-\n  what it says"),
        GOOD.replace("what it says", '"a\\nb"'),
        GOOD.replace("metadata:", "# comment\nmetadata:"),
        GOOD.replace("Body.", ""),
        GOOD + ">>>>>>> theirs\n",
    ],
)
def test_a_new_topic_with_another_head_is_refused(text: str) -> None:
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": text}), make_context())


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("odd.md", ODD.replace("Odd Name", "other")),
        ("odd.md", ODD.replace("author: Ana\n", "")),
        ("odd.md", ODD.replace("Ana", "Ben")),
        ("user_zone.md", FILES["user_zone.md"].replace("type: user", "type: project")),
        ("user_zone.md", FILES["user_zone.md"].replace("name: zone", "name: other")),
        ("user_zone.md", FILES["user_zone.md"].replace("time zone of the person", "x" * 300)),
        ("user_zone.md", FILES["user_zone.md"].replace("\n", "\r\n")),
        ("crlf.md", FILES_WITH_ODD["crlf.md"].replace("\r\n", "\n")),
    ],
)
def test_what_only_people_change_is_refused(file: str, text: str) -> None:
    assert check(GUARD, change(OperationKind.UPDATE, file, {file: text}), make_context(files=FILES_WITH_ODD))


def test_a_repair_may_write_the_line_that_its_finding_prescribes() -> None:
    broken = "---\nname: x\ndescription: a: b\nextra: 1\ntype: user\n---\nBody.\n"
    quoted = finding("topic-bad-yaml", "x.md", 3, "bad", fix=("description: a: b\n", 'description: "a: b"\n'))
    operation = change(OperationKind.REPAIR, "x.md", {"x.md": broken.replace("a: b", '"a: b"')}, by(quoted))
    assert check(GUARD, operation, make_context(findings=[quoted], files={**FILES, "x.md": broken})) is None


@pytest.mark.parametrize(
    ("moment", "passes"), [("2026-11-09", True), ("2026-11-09T09:00:00Z", True), ("by Ana", False)]
)
def test_the_day_of_a_change_may_be_updated(moment: str, *, passes: bool) -> None:
    old = GOOD.replace("metadata:", "modified: 2026-01-01\nmetadata:")
    files = {**FILES, "a.md": old}
    operation = change(OperationKind.UPDATE, "a.md", {"a.md": old.replace("2026-01-01", moment)}, by(("a.md", "Body.")))
    assert (check(GUARD, operation, make_context(files=files)) is None) is passes
