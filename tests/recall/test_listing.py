import datetime as dt

from memci.recall.listing import MAX_CHARACTERS, build_manifest, render_entry
from tests.build import NOW, SCOPE, snapshot_of, topic_text


def test_a_topic_is_listed_with_what_it_and_the_index_say() -> None:
    files = {
        "a.md": topic_text("Body.", name="alpha", description="first", kind="user"),
        "MEMORY.md": "- [A](a.md) — hook\n",
    }
    (entry,) = build_manifest(snapshot_of(files).scopes, {}).entries
    assert (entry.name, entry.type, entry.description, entry.hook) == ("alpha", "user", "first", "A hook")
    assert entry.head == "Body.\n"


def test_a_topic_without_frontmatter_is_called_as_its_file() -> None:
    (entry,) = build_manifest(snapshot_of({"deploy-notes.md": "Just text."}).scopes, {}).entries
    assert (entry.name, entry.type, entry.description, entry.head) == ("deploy-notes", "", "", "Just text.")


def test_only_thirty_lines_are_read_and_no_endless_one() -> None:
    (entry,) = build_manifest(snapshot_of({"a.md": "line\n" * 40}).scopes, {}).entries
    assert entry.head.split("\n") == ["line"] * 30
    (entry,) = build_manifest(snapshot_of({"a.md": "x" * 1_000_000}).scopes, {}).entries
    assert len(entry.head) == MAX_CHARACTERS


def test_the_newest_two_hundred_of_a_scope_are_listed() -> None:
    files = {f"t{number:03}.md": topic_text(name=f"t{number}") for number in range(203)}
    written = {SCOPE / name: NOW - dt.timedelta(days=number) for number, name in enumerate(sorted(files))}
    # Not committed yet, so newer than all others.
    del written[SCOPE / "t202.md"]
    manifest = build_manifest(snapshot_of(files).scopes, written)
    assert manifest.beyond == 3
    listed = [entry.id.rpartition("/")[2] for entry in manifest.entries]
    assert listed[0] == "t202.md"
    assert listed[1:] == [f"t{number:03}.md" for number in range(199)]


def test_a_line_for_a_model_names_type_file_day_and_description() -> None:
    files = {
        "a.md": topic_text(name="a", description="first", kind="user"),
        "b.md": "text",
        "MEMORY.md": "- [B](b.md) — x",
    }
    first, second = build_manifest(snapshot_of(files).scopes, {SCOPE / "a.md": NOW, SCOPE / "b.md": NOW}).entries
    assert render_entry(first) == f"- [user] {SCOPE}/a.md ({NOW:%Y-%m-%d}): first"
    assert render_entry(second) == f"- {SCOPE}/b.md ({NOW:%Y-%m-%d}): B x"
