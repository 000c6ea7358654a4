import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.frontmatter import MAX_BYTES, parse_head, repair_quoting
from memci.model.memory import Absence, Frontmatter


def read(text: str) -> Frontmatter:
    frontmatter = parse_head(text).frontmatter
    assert isinstance(frontmatter, Frontmatter)
    return frontmatter


@pytest.mark.parametrize(
    ("text", "absence"),
    [
        ("", Absence.EMPTY),
        (" \n\n", Absence.EMPTY),
        ("just text\n", Absence.MISSING),
        ("\n---\nname: a\n---\n", Absence.MISSING),
        ("---\nname: a\n", Absence.UNCLOSED),
        ("---" + "\n" * 60_000, Absence.UNCLOSED),
    ],
)
def test_says_why_there_is_none(text: str, absence: Absence) -> None:
    assert parse_head(text).frontmatter is absence


def test_reads_both_styles_of_type_and_knows_the_lines() -> None:
    head = read("---\nname: a\nmetadata:\n  type: user\n  tags: [x, y]\n---\nbody\n")
    assert head.fields == {"name": "a", "metadata.type": "user", "metadata.tags": "x, y"}
    assert head.lines == {"name": 2, "metadata": 3, "metadata.type": 4, "metadata.tags": 5}
    assert head.problem is None
    assert read("---\ntype: user\n---\n").fields == {"type": "user"}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_body_starts_behind_the_closing_fence(end: str) -> None:
    assert parse_head(end.join(["---", "name: a", "--- ", "body"])).body_line == 4


def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert read("\ufeff---\nname: a\n---\n").fields == {"name": "a"}


def test_every_value_is_a_string() -> None:
    text = "---\nname: no\ndescription: 1_000\ntype: 2026-03-05\nempty:\n---\n"
    assert read(text).fields == {"name": "no", "description": "1_000", "type": "2026-03-05", "empty": ""}


@pytest.mark.parametrize(
    ("yaml", "line", "message"),
    [
        ("name: a\ndescription: use x: always", 3, "mapping values are not allowed"),
        ("description: `code` first", 2, "cannot start any token"),
        ('description: "broken" quote', 2, "did not find expected key"),
        ("name: a\nname: b", 3, "twice"),
        ("name: &a [*a]", 2, "anchors"),
        ("a: &a {k: v}\nb:\n  <<: [*a, *a]", 2, "anchors"),
        ("a: {<<: {b: c}}", 2, "merge keys"),
        ('name: !!python/object/apply:os.system ["id"]', 2, "tags"),
        ("a: [[[[[[[[[[deep]]]]]]]]]]", 2, "nested"),
        ("- a\n- b", 2, "key: value"),
        ("\n".join(f"k{number}: v" for number in range(10_000)), 2, "more than"),
        ("name: a\x00b", 2, "does not allow"),
        ("name: x \ud800 y: z", 2, "mapping values are not allowed"),
    ],
)
def test_what_strict_yaml_rejects_is_read_line_by_line(yaml: str, line: int, message: str) -> None:
    head = read(f"---\n{yaml}\n---\n")
    assert head.problem is not None
    assert message in head.problem.message
    assert head.problem.line == line


def test_the_fallback_finds_name_description_and_type() -> None:
    text = "---\nname: a\ndescription: use x: always\nmetadata:\n  type: feedback\nname: second\n---\n"
    assert read(text).fields == {
        "name": "a",
        "description": "use x: always",
        "metadata": "",
        "metadata.type": "feedback",
    }


def test_the_fallback_stops_at_the_size_that_is_read() -> None:
    text = "---\nname: a: b\n" + "x: y\n" * MAX_BYTES + "late: z\n---\n"
    assert "late" not in read(text).fields


@pytest.mark.parametrize(
    ("line", "repaired"),
    [
        ("description: use x: always", 'description: "use x: always"'),
        ("description: `code` first", 'description: "`code` first"'),
        ('description: say "hi": now', 'description: "say \\"hi\\": now"'),
        ('description: "broken" quote: here', 'description: "\\"broken\\" quote: here"'),
        ("description: back\\slash: x", 'description: "back\\\\slash: x"'),
        ("  description: nested: value", '  description: "nested: value"'),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_quoting_changes_the_rejected_value_and_nothing_else(line: str, repaired: str, end: str) -> None:
    lines = ["---", "name:   odd   # comment", line, "other: 'kept'", "---", "body: with: colons", ""]
    if line.startswith(" "):
        lines[1] = "metadata:"
        lines[3] = "  other: 'kept'"
    after = [repaired if number == 2 else text for number, text in enumerate(lines)]
    assert repair_quoting(end.join(lines)) == end.join(after)


@pytest.mark.parametrize("yaml", ["name: a", "name: a\nname: b", "name: &a [*a]", "- a", "x: !!set {a}", "name: [open"])
def test_quoting_repairs_nothing_else(yaml: str) -> None:
    repaired = repair_quoting(f"---\n{yaml}\n---\n")
    assert repaired is None or read(repaired).problem is None


HEADS = st.lists(
    st.sampled_from(
        ["---", "name: a", "description: x: y", "  type: user", "metadata:", "- x", "&a", "'", '"', "", "\r"]
    )
).map("\n".join)


@given(st.one_of(st.text(), HEADS.map(lambda head: f"---\n{head}\n---\nbody")))
def test_no_text_raises_and_repair_is_final(text: str) -> None:
    head = parse_head(text)
    assert 1 <= head.body_line <= text.count("\n") + 2
    repaired = repair_quoting(text)
    if repaired is not None:
        assert read(repaired).problem is None
        assert repair_quoting(repaired) == repaired


def test_line_ends_that_only_yaml_knows_do_not_lead_past_the_end() -> None:
    text = "---\n~~metadata:\n  type: | ---\n-->\r\n\u2028\n\u2028\u2028---\n---\n"
    problem = read(text).problem
    assert problem is not None
    assert problem.line <= 7
    assert repair_quoting(text) is None
