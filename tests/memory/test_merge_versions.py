"""Three-way merges of memory files: what must be left alone first, then examples, then 500 random ones."""

from collections import Counter
from itertools import chain

import pytest

from memci.memory.frontmatter import parse_head
from memci.memory.merge_versions import merge_versions
from memci.model.memory import Frontmatter
from tests.memory.random_versions import make_versions

INDEX = "# Memory\n\n- [A](a.md) — one\n- [B](b.md) — two\n\n## Web\n\n- [C](c.md) — three\n"
TOPIC = (
    "---\nname: a\ndescription: what\nmetadata:\n  type: project\n  modified: 2026-11-01T10:00:00Z\n---\n\nRule one.\n"
)


@pytest.mark.parametrize("text", [INDEX, TOPIC, "", "no line end", "a\r\n\r\n- b\r\n", "---\nunclosed: x\n"])
def test_what_one_side_changed_is_taken_byte_for_byte(text: str) -> None:
    changed = f"{text}\n\n- [new](new.md) — x"
    for base, ours, theirs in ((text, text, changed), (text, changed, text), (text, changed, changed)):
        assert merge_versions(base, ours, theirs) == (changed, False)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        # Both add a pointer at the end of a list.
        (INDEX, INDEX + "- [X](x.md) — x\n", INDEX + "- [Y](y.md) — y\n", INDEX + "- [X](x.md) — x\n- [Y](y.md) — y\n"),
        # Neighbours: one is deleted, one is reworded.
        (
            INDEX,
            INDEX.replace("- [A](a.md) — one\n", ""),
            INDEX.replace("two", "2"),
            INDEX.replace("- [A](a.md) — one\n", "").replace("two", "2"),
        ),
        # A new section does not swallow the other side's line for the section above.
        (
            "# M\n- a\n",
            "# M\n- a\n\n## New\n- n\n",
            "# M\n- a\n- b\n",
            "# M\n- a\n- b\n\n## New\n- n\n",
        ),
        # Both add the same section.
        ("# M\n", "# M\n\n## New\n- x\n", "# M\n\n## New\n- y\n", "# M\n\n## New\n- x\n- y\n"),
        # An item stays below its own parent.
        ("- a\n- z\n", "- a\n- b\n- z\n", "- a\n  - a1\n- z\n", "- a\n  - a1\n- b\n- z\n"),
        # Rows of one table.
        (
            "| a | b |\n|---|---|\n",
            "| a | b |\n|---|---|\n| 1 | x |\n",
            "| a | b |\n|---|---|\n| 2 | y |\n",
            "| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n",
        ),
        # Paragraphs stay paragraphs, also where the file has no last line end.
        ("One.", "One.\n\nTwo.", "One.\n\nThree.", "One.\n\nTwo.\n\nThree."),
        # Keys of the head, one by one; the later time stays.
        (
            TOPIC,
            TOPIC.replace("what", "ours").replace("-01T", "-03T"),
            TOPIC.replace("project", "feedback").replace("-01T", "-02T"),
            TOPIC.replace("what", "ours").replace("project", "feedback").replace("-01T", "-03T"),
        ),
        # A new key goes below all of the nested ones before it.
        (
            TOPIC,
            TOPIC.replace("10:00:00Z\n", "10:00:00Z\n  b: 1\n"),
            TOPIC.replace("10:00:00Z\n", "10:00:00Z\nc: 1\n"),
            TOPIC.replace("10:00:00Z\n", "10:00:00Z\n  b: 1\nc: 1\n"),
        ),
        # Both add a file of the same name.
        ("", "- [X](x.md) — x\n", "- [Y](y.md) — y\n", "- [X](x.md) — x\n- [Y](y.md) — y\n"),
        # One side did what the other did, and more.
        ("- a\n- b\n", "- b\n- new\n", "- b\n- new\n- c\n", "- b\n- new\n- c\n"),
    ],
)
def test_both_sides_are_kept(base: str, ours: str, theirs: str, merged: str) -> None:
    assert merge_versions(base, ours, theirs) == (merged, False)


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (INDEX, INDEX.replace("two", "ours"), INDEX.replace("two", "theirs")),
        (INDEX, INDEX.replace("two", "ours"), INDEX.replace("- [B](b.md) — two\n", "")),
        (INDEX, INDEX + "- [X](x.md) — ours\n", INDEX.replace("\n## Web", "- [X](x.md) — theirs\n\n## Web")),
        (TOPIC, TOPIC.replace("what", "ours"), TOPIC.replace("what", "theirs")),
        (TOPIC, TOPIC.replace("one", "1"), TOPIC.replace("Rule one.", "Something else entirely.")),
        # A section that one side deletes and the other one fills.
        (INDEX, INDEX.partition("\n## Web")[0], INDEX + "- [X](x.md) — x\n"),
        # The head in two styles of YAML: together they would be none.
        (
            TOPIC,
            TOPIC.replace("metadata:\n  type: project\n  modified: 2026-11-01T10:00:00Z", "metadata: {type: project}"),
            TOPIC.replace("  type: project\n", "  type: project\n  new: 1\n"),
        ),
        # A fence that one side leaves open would swallow the other side's pointer.
        (INDEX, INDEX + "```\ncode\n", INDEX + "- [X](x.md) — x\n"),
    ],
)
def test_what_both_changed_is_left_to_a_person(base: str, ours: str, theirs: str) -> None:
    text, clashes = merge_versions(base, ours, theirs)
    assert clashes
    lines = text.split("\n")
    assert [line[:7] for line in lines if line[:7] in {"<" * 7, "=" * 7, ">" * 7}] == ["<" * 7, "=" * 7, ">" * 7]
    assert not set(chain(ours.split("\n"), theirs.split("\n"))) - set(base.split("\n")) - set(lines)


def _count(text: str) -> Counter[str]:
    # The one line of which the later version is taken.
    return Counter(line for line in text.split("\n") if line.strip() and "  modified: " not in line)


def _headings(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


@pytest.mark.parametrize("start", range(0, 500, 100))
def test_500_random_merges_lose_nothing(start: int) -> None:
    clean = 0
    for seed in range(start, start + 100):
        base, ours, theirs = make_versions(seed)
        text, clashes = merge_versions(base, ours, theirs)
        check_merge(seed, (base, ours, theirs), text, clean=not clashes)
        clean += not clashes
        if clashes:
            continue
        for again in ((base, text, text), (ours, text, ours), (theirs, text, theirs)):
            assert merge_versions(*again) == (text, False), seed
        # Where no line moved, either side can be merged once more; only blank lines may differ.
        for again in ((base, text, theirs), (base, ours, text)) if seed % 2 == 0 else ():
            assert merge_versions(*again).text.split() == text.split(), seed
    # git itself leaves a conflict in half of them.
    assert clean > 75


def check_merge(seed: int, versions: tuple[str, str, str], text: str, *, clean: bool) -> None:
    """Check that every line is there that should be, and no other one."""
    base, ours, theirs = map(_count, versions)
    merged = _count(text)
    assert not ((ours - base) | (theirs - base) | (base - (base - ours) - (base - theirs))) - merged, seed
    if not clean:
        return
    assert not set(merged) - set(ours) - set(theirs), seed
    assert not any(line.startswith(("<<<<<<<", "=======", ">>>>>>>")) for line in merged), seed
    if seed % 2 == 0:
        assert not ((base - ours) | (base - theirs)) & (merged - (ours - base) - (theirs - base)), seed
        for side in versions[1:]:
            kept = [heading for heading in _headings(side) if heading in merged]
            assert kept == [heading for heading in _headings(text) if heading in kept], seed
    heads = [parse_head(version).frontmatter for version in (*versions[1:], text)]
    broken = [isinstance(head, Frontmatter) and head.problem is not None for head in heads]
    assert broken[2] <= (broken[0] or broken[1]), seed


def test_lines_of_dashes_around_text_are_no_head() -> None:
    base = "---\nNever push on Fridays.\n---\n- a\n"
    merged = merge_versions(base, f"{base}- b\n", base.replace("- a\n", "- c\n- a\n"))
    assert "Never push on Fridays." in merged.text
