from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.index import is_web, resolve_target

SCOPE = PurePosixPath(".claude/agent-memory/reviewer")


@pytest.mark.parametrize("target", ["http://x", "https://x.example/a.md", "HTTPS://X", "mailto:a@example.org"])
def test_knows_the_web(target: str) -> None:
    assert is_web(target)


@pytest.mark.parametrize("target", ["a.md", "http.md", "https/x.md", "ftp://x", "", "//x.example/a.md"])
def test_leaves_other_targets_to_the_file_system(target: str) -> None:
    assert not is_web(target)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("a.md", "a.md"),
        ("./a.md", "a.md"),
        ("sub/a.md", "sub/a.md"),
        ("sub/../a.md", "a.md"),
        ("../reviewer/a.md", "a.md"),
        ("sub//a.md", "sub/a.md"),
        ("a.md#part", "a.md"),
        ("a.md#part#more", "a.md"),
        ("a%20b.md", "a b.md"),
        ("a%23b.md", "a#b.md"),
        ("a%23b.md#part", "a#b.md"),
        ("%e6%97%a5.md", "日.md"),
        ("a b.md", "a b.md"),
        ("100%.md", "100%.md"),
        ("日本.md", "日本.md"),
        ("sub/a:b.md", "sub/a:b.md"),
        ("...md", "...md"),
        ("..a.md", "..a.md"),
        (".claude/agent-memory/reviewer/a.md", "a.md"),
        ("./.claude/agent-memory/reviewer/sub/a.md", "sub/a.md"),
        (".claude/agent-memory/other/a.md", ".claude/agent-memory/other/a.md"),
        ("sub/", "sub"),
        ("a.md?plain=1", "a.md?plain=1"),
    ],
)
def test_finds_the_file_inside_the_scope(target: str, path: str) -> None:
    assert resolve_target(target, SCOPE) == SCOPE / path


@pytest.mark.parametrize(
    "target",
    [
        "",
        ".",
        "./",
        "sub/..",
        "..",
        "../a.md",
        "../reviewer-evil/a.md",
        "../other/a.md",
        "sub/../../a.md",
        "../../../etc/passwd",
        "/etc/passwd",
        "//server/share",
        "~/a.md",
        "~root/a.md",
        "\\\\server\\share",
        "..\\a.md",
        "sub\\a.md",
        "C:/a.md",
        "C:a.md",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "%2e%2e/a.md",
        "..%2fa.md",
        "%2Fetc/passwd",
        "%7e/a.md",
        "%5c%5cserver",
        "a%00.md",
        "a\0.md",
        "a\nb.md",
        "a\u202eb.md",
        "\u200ba.md",
        "．．／a.md",
        "．．/a.md",
        "‥/a.md",
        "＼＼server＼share",
        "․․/a.md",
        "sub／a.md",
    ],
)
def test_what_leads_out_of_the_scope_leads_nowhere(target: str) -> None:
    assert resolve_target(target, SCOPE) is None


@pytest.mark.parametrize(
    ("target", "path"), [("a.md", "a.md"), ("sub/a.md", "sub/a.md"), ("../a.md", None), ("..", None), (".", None)]
)
def test_the_root_can_be_the_scope(target: str, path: str | None) -> None:
    assert resolve_target(target, PurePosixPath()) == (PurePosixPath(path) if path else None)


@pytest.mark.parametrize("scope", ["/srv/notes", "~/.claude/agent-memory/x"])
def test_scopes_outside_of_the_repository_work_the_same(scope: str) -> None:
    assert resolve_target("sub/a.md", PurePosixPath(scope)) == PurePosixPath(scope, "sub/a.md")
    assert resolve_target("../a.md", PurePosixPath(scope)) is None


@given(
    st.text(max_size=30)
    | st.lists(st.sampled_from(["..", ".", "a", "%2e", "/", "//", "~", "\\", "#", ":"])).map("".join),
    st.sampled_from([SCOPE, PurePosixPath(), PurePosixPath("/srv/x"), PurePosixPath("memory")]),
)
def test_the_result_is_always_inside(target: str, scope: PurePosixPath) -> None:
    path = resolve_target(target, scope)
    assert path is None or (scope in path.parents and ".." not in path.parts)


def test_a_hostile_target_ends() -> None:
    for piece in ("../", "%2e%2e%2f", "#", "a/", "%", "\u0300"):
        path = resolve_target(piece * 20_000, SCOPE)
        assert path is None or SCOPE in path.parents
