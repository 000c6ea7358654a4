"""Bad memory files; the ids are those of the case list."""

import os
import random
from pathlib import Path

import pytest

from tests.bad_inputs.stage import SCOPE, Make, body, examine, index, topic
from tests.build import topic_text
from tests.commands.run import check
from tests.gate import slow
from tests.repository import Repo

BOMB = "a: &a {k0: v}\n" + "".join(
    f"{key}: &{key}\n  <<: [*{chr(ord(key) - 1)}, *{chr(ord(key) - 1)}]\n  k{number}: v\n"
    for number, key in enumerate("bcdefghijklmnopqrst", 1)
)


def odd_names(repo: Repo) -> None:
    for name in (":(exclude)*.md", ":!a.md", "--help.md", "-rf.md", "a\nb.md"):
        repo.write(f"{SCOPE}/{name}", topic_text(name, name="odd"))


def links(repo: Repo) -> None:
    repo.link(f"{SCOPE}/d.md", "nowhere")
    repo.link(f"{SCOPE}/l1.md", "l2.md")
    repo.link(f"{SCOPE}/l2.md", "l1.md")


def link_index(repo: Repo) -> None:
    path = repo.root / SCOPE / "MEMORY.md"
    path.unlink()
    path.symlink_to("/etc/passwd")


def directory_as_index(repo: Repo) -> None:
    path = repo.root / SCOPE / "MEMORY.md"
    path.unlink()
    path.mkdir()


# A second or more each, because of their size.
LARGE = {"M12", "M22"}
# Case, what is done to the repository, the exit code, and the rules that must be among the findings.
CASES: list[tuple[str, Make, int, set[str]]] = [
    ("M03", topic("---" + "\n" * 60_000), 1, {"topic-no-frontmatter"}),
    ("M05", topic(f"---\n{BOMB}---\nx\n"), 1, {"topic-bad-yaml"}),
    ("M07", topic('---\nname: !!python/object/apply:os.system ["touch ../pwned"]\n---\nx\n'), 1, {"topic-bad-yaml"}),
    ("M08", topic("---\nname: A\ntype: user\ntype: reference\ndescription: d\n---\nx\n"), 1, {"topic-bad-yaml"}),
    ("M09", topic("---\nname: no\ndescription: 1_000\ntype: 2026-03-05\n---\nx\n"), 1, {"topic-bad-type"}),
    ("M10", topic("---\nname: A\ndescription: d\ntype: system\n---\nx\n"), 1, {"topic-bad-type"}),
    ("M12", topic("---\n" + "".join(f"k{n}: v\n" for n in range(100_000)) + "---\nx\n"), 1, {"topic-bad-yaml"}),
    ("M13", topic("---\nname: &a [*a]\n---\nx\n"), 1, {"topic-bad-yaml"}),
    ("M14", topic("---\nname: A\n--- \nname: B\n---\nx\n"), 1, {"topic-bad-type"}),
    ("M15", topic(b"---\nname: a\x00b\x1b[2J\ndescription: d\ntype: user\n---\nx\x07\n"), 1, {"hidden-text"}),
    ("M18 binary", topic(random.Random(1).randbytes(4096)), 1, {"bad-encoding"}),
    ("M18 utf-16", topic("x".encode("utf-16")), 1, {"bad-encoding"}),
    ("M19", topic(b""), 1, {"topic-no-frontmatter"}),
    ("M21", topic(topic_text("x", name='"<img src=x> @acme/all"', kind="user")), 0, set()),
    ("M22", index(*(f"- [A{n}](a.md) — x" for n in range(5000))), 1, {"index-over-lines", "index-duplicate"}),
    ("M24", index("- [Gone](gone.md) — x"), 1, {"index-dangling"}),
    ("M25 up", index("- [a](../../../.env) — x"), 1, {"index-escapes-scope"}),
    ("M25 root", index("- [a](/etc/passwd) — x"), 1, {"index-escapes-scope"}),
    ("M25 web", index("- [a](https://evil.example/m.md) — x"), 0, {"index-orphan"}),
    ("M25 script", index("- [a](javascript:alert(1)) — x"), 1, {"index-escapes-scope"}),
    ("M25 query", index("- [a](a.md?x#y) — x"), 1, {"index-dangling"}),
    ("M25 percent", index("- [a](%2e%2e/%2e%2e/.env) — x"), 1, {"index-escapes-scope"}),
    ("M26", index("- [a](..／..／.env) — x"), 1, {"index-escapes-scope"}),
    ("M27", index("- [d](.) — x", "- [m](MEMORY.md) — x"), 1, {"index-dangling"}),
    ("M28", index("- [A](a.md) — x", "- [A2](a.md) — y", "- [A3](A.MD) — z"), 1, {"index-duplicate", "index-dangling"}),
    ("M29", index("- [" + "](" * 20_000), 1, {"index-prose", "index-over-bytes"}),
    ("M30", body("x" + " " * 100_000 + "y"), 0, {"topic-oversized"}),
    ("M35", odd_names, 0, {"index-orphan"}),
    ("M36", body("<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> x"), 1, {"conflict-marker"}),
    ("M37", topic(f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 5\n"), 1, {"unreadable"}),
    ("M38", link_index, 1, {"symlink-escape"}),
    ("M41", links, 1, {"symlink-escape"}),
    ("M43", lambda repo: os.mkfifo(repo.root / SCOPE / "f.md"), 1, {"unreadable"}),
    ("M48", directory_as_index, 1, {"unreadable"}),
]


@pytest.mark.parametrize(
    ("make", "code", "rules"),
    [slow(case[1:]) if case[0] in LARGE else case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_a_bad_memory_file_is_named(
    repo: Repo, capsys: pytest.CaptureFixture[str], make: Make, code: int, rules: set[str]
) -> None:
    make(repo)
    done = examine(capsys, repo, code, rules)
    assert rules or done.findings == []


@pytest.mark.slow
def test_m47_five_thousand_topics(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5_000):
        repo.write(
            f"{SCOPE}/t{number:04}.md",
            topic_text(f"Service {number} listens on port {9000 + number}.", name=f"t{number}"),
        )
    assert check(capsys, repo.root).json["summary"]["topics"] == 5_001


def test_m38_nothing_is_written_through_a_link(repo: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("- [Gone](gone.md) — x\n")
    (repo.root / SCOPE / "MEMORY.md").unlink()
    repo.link(f"{SCOPE}/MEMORY.md", outside)
    check(capsys, repo.root, "--fix")
    assert outside.read_text() == "- [Gone](gone.md) — x\n"
