"""Exceptions of the settings and in comments bind a dream as they bind `check` and `check --fix`."""

from pathlib import Path

import pytest

from tests.build import topic_text
from tests.commands.dreams import NOW, SCOPE, TOPIC, make_shop, read_tree
from tests.commands.run import memci
from tests.repository import Repo

Capture = pytest.CaptureFixture[str]
POINTER = "- [Warehouse](warehouse.md) — where the warehouse is\n"
SAME = topic_text("The shop has one warehouse, in Lyon.", name="again", description="where the warehouse is")
LONG = "".join(f"- [T{n}](t{n}.md) — the note with the number {n}\n" for n in range(210))
# The rule, and files that a dream would change because of it.
CASES = {
    "index-dangling": {"MEMORY.md": f"{POINTER}- [Gone](gone.md)\n", "warehouse.md": TOPIC},
    "index-duplicate": {"MEMORY.md": POINTER + POINTER.replace("Warehouse", "Again"), "warehouse.md": TOPIC},
    "index-orphan": {"MEMORY.md": POINTER, "warehouse.md": TOPIC, "draft.md": topic_text("Wool.", name="draft")},
    "duplicate-topic": {
        "MEMORY.md": f"{POINTER}- [Again](again.md) — where the warehouse is\n",
        "warehouse.md": TOPIC,
        "again.md": SAME,
    },
    "topic-no-frontmatter": {"MEMORY.md": POINTER, "warehouse.md": "The shop has one warehouse, in Lyon.\n"},
    "topic-bad-yaml": {"MEMORY.md": POINTER, "warehouse.md": TOPIC.replace("description: ", "description: a: ")},
    "index-over-lines": {"MEMORY.md": LONG, **{f"t{n}.md": topic_text(f"Note {n}.") for n in range(210)}},
}


def dream(capsys: Capture, repo: Repo) -> dict[str, tuple[bytes, int]]:
    memci(capsys, repo.root, "dream", "--engine", "local", "--force", *NOW)
    return {path: kept for path, kept in read_tree(repo.root).items() if not path.endswith(".memci.json")}


@pytest.mark.parametrize("rule", CASES)
def test_an_exception_of_the_settings_binds_a_dream(tmp_path: Path, capsys: Capture, rule: str) -> None:
    bound = make_shop(tmp_path / "bound", CASES[rule])
    bound.write(".memci.yml", f"ignore:\n  - {{rule: {rule}, path: '*', reason: meant so}}\n")
    bound.commit()
    before = read_tree(bound.root)
    assert dream(capsys, bound) == before
    free = make_shop(tmp_path / "free", CASES[rule])
    assert dream(capsys, free) != before


def test_a_comment_in_memory_binds_a_dream(tmp_path: Path, capsys: Capture) -> None:
    noted = "- [Gone](gone.md) — kept <!-- memci: ignore index-dangling it is on another branch -->\n"
    head = TOPIC.replace("where the warehouse is", "a: b # memci: ignore topic-bad-yaml the other tool needs it so")
    files = {"MEMORY.md": POINTER + noted, "warehouse.md": head}
    repo = make_shop(tmp_path / "shop", files)
    before = read_tree(repo.root)
    assert dream(capsys, repo) == before


def test_a_comment_in_a_topic_keeps_what_is_double(tmp_path: Path, capsys: Capture) -> None:
    noted = TOPIC.rstrip() + " <!-- memci: ignore duplicate-topic another tool reads this one -->\n"
    repo = make_shop(tmp_path / "shop", {**CASES["duplicate-topic"], "warehouse.md": noted})
    before = read_tree(repo.root)
    assert dream(capsys, repo) == before


def test_a_finding_that_is_excepted_is_no_question_either(tmp_path: Path, capsys: Capture) -> None:
    files = {"MEMORY.md": POINTER, "warehouse.md": TOPIC.replace("Lyon.", "Lyon. We move tomorrow.")}
    repo = make_shop(tmp_path / "shop", files)
    asked = memci(capsys, repo.root, "dream", "--engine", "local", "--force", "--dry-run", *NOW).out
    assert "tomorrow" in asked
    repo.write(".memci.yml", f"ignore:\n  - {{rule: date-relative, path: {SCOPE}/*, reason: a diary}}\n")
    silent = memci(capsys, repo.root, "dream", "--engine", "local", "--force", "--dry-run", *NOW).out
    assert "tomorrow" not in silent
