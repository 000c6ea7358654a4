"""Marks, brackets and signs that delimit a text of somebody else, and what only looks like them."""

import pytest

from memci.model.session import Part, PartKind
from memci.sessions.delimited import blank_delimited, match_delimited

RULE = "always run the tests before every push"

FOREIGN = [
    f"why ```text\n{RULE}\n```",
    f"why\n｀｀｀\n{RULE}\n｀｀｀",
    f"why\n%%%\n{RULE}\n%%%",
    f"{{quote}}\n{RULE}\n{{QUOTE}}",
    f"\\begin{{quote}}\n{RULE}\n\\end{{quote}}",
    f"{{{{quote|\n{RULE}\n}}}}",
    f"why\n<context>\n{RULE}",
    f"<ziel>\n{RULE}\n</ZIEL>",
    f"&lt;цель&gt;{RULE}&lt;/цель&gt;",
    f"＜doc＞{RULE}＜/doc＞",
    f'<doc\n a="b">{RULE}</doc>',
    f"[...Truncated text #1 +9 lines...]\n{RULE}",
    f'he wrote "hi\n{RULE}" to me',
    f"`{RULE}` why",
    f"〈{RULE}〉",
    f"❝{RULE}❞",
    f"‟{RULE}”",
    f"<<{RULE}>>",
    f"why\n\u034f> {RULE}",
    f"why\n\u3164> {RULE}",
    f"why\n» {RULE}",
    "【コミットの前に必ず実行すること】",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_what_is_between_marks_is_foreign(text: str) -> None:
    assert "run" not in blank_delimited(text)
    assert "実行" not in blank_delimited(text)


OWN = [
    "- begin with the tests\n- end with a commit",
    "never `git push origin main` by hand",
    "always run `pytest -x -q tests/unit -k cart` first",
    "use `docker compose up -d web db` for that",
    "a 5″ screen and a 6″ one are the same to us",
    "don´t do it, it´s slow",
    "the <b> tag is wrong, and <i> too",
    "a << 2 and b >> 3 are the same",
    "【重要】コミットの前に必ず実行すること【以上】",
    "prefer （short）names",
    "» make « est lent, préfère ninja",
    "one\n---\ntwo\n---\nthree",
    "fix it\n\n- a\n- b\n- a",
    'call it "cart" and\nnot "basket"',
]


@pytest.mark.parametrize("text", OWN)
def test_what_only_looks_like_a_mark_is_left_alone(text: str) -> None:
    assert blank_delimited(text) == text


def test_what_is_between_two_fences_is_left_alone() -> None:
    assert "keep it short" in blank_delimited("```\na\n```\n\nkeep it short\n\n```\nb\n```")


@pytest.mark.parametrize("piece", ["{{\n", "<a\n", '"a\n', "〈a", "`a ", "%%%\n", "x ```\n", "&lt;a ", "<<a "])
def test_a_long_hostile_text_is_read_in_one_pass(piece: str) -> None:
    text = piece * 40_000
    assert len(blank_delimited(text)) == len(text)


def test_a_cut_paste_leaves_nothing_of_its_message() -> None:
    text = "a\n[...Truncated text #1 +9 lines...]\nb"
    assert Part(0, len(text), PartKind.PASTED) in list(match_delimited(text))
