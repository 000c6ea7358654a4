from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.guide_files import list_guides, parse_includes, resolve_guide_directory, resolve_home
from memci.model.memory import Guide, Scope, Trust


def _scope(path: str) -> Scope:
    return Scope("x", PurePosixPath(path), Trust.COMMITTED, Path("/nowhere"))


@pytest.mark.parametrize(
    "text",
    [
        "write to ana@example.com",
        "`@docs/a.md`",
        "```\n@docs/a.md\n```",
        "@~/.claude/me.md",
        "@/etc/passwd",
        "@../../outside.md",
        "<!-- @docs/a.md -->",
        "@ alone",
        "@.",
        "https://example.com/@docs/a.md",
    ],
)
def test_no_include_in(text: str) -> None:
    assert parse_includes(PurePosixPath("pkg/CLAUDE.md"), text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@a.md", ["pkg/a.md"]),
        ("See @./a.md and (@docs/b.md).", ["pkg/a.md", "pkg/docs/b.md"]),
        ("- @../README.md, first", ["README.md"]),
        ("@a.md @a.md", ["pkg/a.md"]),
        ("use @types/node", ["pkg/types/node"]),
    ],
)
def test_includes_are_relative_to_the_guide(text: str, expected: list[str]) -> None:
    assert [str(path) for path in parse_includes(PurePosixPath("pkg/CLAUDE.md"), text)] == expected


@given(st.text(st.sampled_from("@a./~\\ \n`(\0\ud800"), max_size=40))
def test_includes_never_leave_the_repository(text: str) -> None:
    for path in parse_includes(PurePosixPath("CLAUDE.md"), text):
        assert not path.is_absolute()
        assert ".." not in path.parts


@pytest.mark.parametrize(
    ("path", "home"),
    [
        (".claude/agent-memory/reviewer", "."),
        (".claude/memory", "."),
        ("apps/web/.claude/agent-memory/x", "apps/web"),
        ("apps/web/memory", "apps/web"),
        ("memory", "."),
        ("~/.claude/projects/x/memory", "."),
        ("/srv/memory", "."),
    ],
)
def test_home_of_a_scope(path: str, home: str) -> None:
    assert resolve_home(_scope(path)) == PurePosixPath(home)


@pytest.mark.parametrize(
    ("path", "directory"),
    [
        ("CLAUDE.md", "."),
        ("AGENTS.md", "."),
        (".claude/CLAUDE.md", "."),
        ("a/b/CLAUDE.local.md", "a/b"),
        ("a/.claude/rules/deep/x.md", "a"),
    ],
)
def test_directory_of_a_guide(path: str, directory: str) -> None:
    assert resolve_guide_directory(PurePosixPath(path)) == PurePosixPath(directory)


@pytest.mark.parametrize("path", ["docs/a.md", ".claude/rules/x.txt", "MY-CLAUDE.md", "rules/x.md"])
def test_files_that_only_an_include_loads(path: str) -> None:
    assert resolve_guide_directory(PurePosixPath(path)) is None


def test_guides_above_a_scope_apply_with_what_they_include() -> None:
    texts = {
        "CLAUDE.md": "@docs/a.md",
        "docs/a.md": "",
        "apps/web/CLAUDE.md": "@b.md",
        "apps/web/b.md": "@../../CLAUDE.md",
        "apps/api/CLAUDE.md": "",
    }
    guides = [Guide(PurePosixPath(path), text) for path, text in texts.items()]

    def applying(scope: str) -> list[str]:
        return [str(guide.path) for guide in list_guides(guides, _scope(scope))]

    assert applying(".claude/memory") == ["CLAUDE.md", "docs/a.md"]
    assert applying("apps/web/.claude/memory") == ["CLAUDE.md", "apps/web/CLAUDE.md", "docs/a.md", "apps/web/b.md"]
    assert applying("apps/webshop/.claude/memory") == ["CLAUDE.md", "docs/a.md"]
