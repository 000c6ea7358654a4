from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from memci.git.file_tree import WorkTree
from memci.memory.guide_files import read_guides
from memci.model.memory import Scope, Trust


def _read(root: Path, files: Mapping[str, str | bytes], *scopes: str) -> list[str]:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
    listed = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())
    found = [Scope("x", PurePosixPath(path), Trust.COMMITTED, root / path) for path in scopes]
    return [str(guide.path) for guide in read_guides(WorkTree(root, listed), found)]


def test_leaves_alone_what_no_client_loads_here(tmp_path: Path) -> None:
    files = {
        "docs/CLAUDE.md": "not above a scope",
        "apps/api/AGENTS.md": "not above a scope",
        "README.md": "",
        "MEMORY.md": "",
        ".claude/rules/a.txt": "",
        ".claude/rules/only-go.md": "---\npaths: '*.go'\n---\nrule",
        "docs/rules/x.md": "",
    }
    assert _read(tmp_path, files, ".claude/memory", "apps/web/.claude/memory") == []


def test_reads_every_kind_at_the_root_and_above_a_scope(tmp_path: Path) -> None:
    files = {
        "CLAUDE.md": "",
        "AGENTS.md": "",
        "CLAUDE.local.md": "",
        ".claude/CLAUDE.md": "",
        ".claude/rules/a.md": "",
        ".claude/rules/deep/b.md": "---\ndescription: always\n---\n",
        "apps/AGENTS.md": "",
        "apps/web/.claude/rules/c.md": "",
        "apps/api/CLAUDE.md": "",
    }
    expected = sorted(set(files) - {"apps/api/CLAUDE.md"})
    assert sorted(_read(tmp_path, files, "apps/web/.claude/agent-memory/x")) == expected


def test_follows_includes_once_and_only_to_text_inside(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "CLAUDE.md": "@docs/a.md @docs/b.md @missing.md @types/node @image.png @link.md @../outside.md @CLAUDE.md",
        "docs/a.md": "@b.md @../CLAUDE.md",
        "docs/b.md": "@a.md",
        "image.png": b"\x89PNG\xff",
    }
    (tmp_path / "link.md").symlink_to(tmp_path / "docs")
    assert _read(tmp_path, files) == ["CLAUDE.md", "docs/a.md", "docs/b.md"]


def test_follows_five_steps(tmp_path: Path) -> None:
    files = {"CLAUDE.md": "@1.md", **{f"{step}.md": f"@{step + 1}.md" for step in range(1, 9)}}
    assert _read(tmp_path, files) == ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md", "5.md"]


def test_a_memory_file_that_a_guide_includes_stays_memory(tmp_path: Path) -> None:
    files = {
        "CLAUDE.md": "@.claude/memory/rules.md\n@docs/style.md\n",
        ".claude/memory/rules.md": "x",
        "docs/style.md": "y",
    }
    assert _read(tmp_path, files, ".claude/memory") == ["CLAUDE.md", "docs/style.md"]
