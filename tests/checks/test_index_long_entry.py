import pytest

from memci.checks.rules.index_long_entry import RULE
from memci.model.finding import Severity
from tests.build import fixed, places, run_rule, topic_text

HOOK = "deploys run from the release branch; never on a Friday because nobody watches them, " + " ".join(
    ["not even in the week before a launch;"] * 3
)

# An index that the client wants to be smaller; others are left as they are.
FULL = "\n" * 160 + "# End\n"


def test_leaves_alone() -> None:
    short = "- [A](a.md) — " + "x" * 136
    assert len(short) == 150
    index = f"{short}\n- [A](a.md) {'x' * 80} · [B](b.md) {'y' * 80}\n{'prose ' * 60}\n"
    assert run_rule(RULE, {"a.md": topic_text(), "b.md": topic_text(), "MEMORY.md": index}) == []


def test_reports_the_line_as_information() -> None:
    index = f"- [A](a.md) — x\n- [A](a.md) — {'x' * 150}\n- [A](a.md) — {'日' * 250}\n"
    found = run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": index})
    assert places(found) == [("MEMORY.md", 2), ("MEMORY.md", 3)]
    assert {finding.severity for finding in found} == {Severity.INFO}
    assert found[0].message == "164 characters; a pointer should have at most 150"


def crowd(hook: str, **topics: str) -> dict[str, str]:
    """Return an index that is too large because of its content, and one pointer with this hook."""
    index = f"- [A](a.md) — {hook}\n\n" + f"{'content ' * 30}\n" * 110
    return {"a.md": topic_text(), **topics, "MEMORY.md": index}


def shortened(hook: str) -> str:
    """Return the hook after the fix; it is the same if there is none."""
    changed = fixed(RULE, crowd(hook))
    return changed.get("MEMORY.md", f"- [A](a.md) — {hook}\n").split("\n")[0].partition(" — ")[2]


def test_nothing_is_cut_while_the_index_fits() -> None:
    assert fixed(RULE, {"a.md": topic_text(), "MEMORY.md": f"- [A](a.md) — {HOOK}\n"}) == {}


def test_only_as_many_hooks_are_cut_as_the_index_needs_the_longest_first() -> None:
    names = [f"t{number:03}.md" for number in range(110)]
    hook = "deploys run from the release branch and from nothing else there is; " * 3
    lines = [f"- [T]({name}) — {hook}{'x' * place}\n" for place, name in enumerate(names)]
    index = "".join(lines)
    assert 25_000 < len(index) < 32_000
    changed = fixed(RULE, {**{name: topic_text(name=name[:4]) for name in names}, "MEMORY.md": index})
    after = changed["MEMORY.md"].splitlines(keepends=True)
    cut = [place for place, (new, old) in enumerate(zip(after, lines, strict=True)) if new != old]
    assert 24_700 < len("".join(after)) <= 25_000
    assert cut == list(range(cut[0], len(names)))
    assert all(hook.strip() in changed[names[place]] for place in cut)


def test_the_fix_cuts_at_a_clause_and_moves_the_whole_hook_into_the_topic() -> None:
    head = "deploys run from the release branch and from the hotfix branches that people make"
    hook = f"{head}; {'they take a while and the queue is long ' * 5}"
    changed = fixed(RULE, crowd(hook.strip()))
    assert changed["MEMORY.md"].startswith(f"- [A](a.md) — {head}\n")
    assert changed["a.md"] == f"{topic_text()}\n{hook.strip()}\n"


def test_the_fix_adds_nothing_that_the_topic_already_says() -> None:
    hook = (
        f"deploys run from the release branch and from the hotfix branches that people make; {'and so on ' * 14}the end"
    )
    files = crowd(hook) | {"a.md": topic_text(f"Note: {hook}.")}
    assert set(fixed(RULE, files)) == {"MEMORY.md"}


REST = "and it goes on for quite a while after that, as people do when they write, " * 2


@pytest.mark.parametrize(
    "hook",
    [
        # The only clauses that fit end inside of code, a bracket or bold text.
        f"see `git log; git show a b c d e f g h i j k l m; {REST}` for it",
        f"see the notes (about deploys of the release branch; {REST}) for it",
        # Behind them is a rule.
        f"deploys run from the release branch and take a while; {REST}, never on a Friday",
        f"deploys run from the release branch and take a while; {REST}, but must be announced",
        f"deploys run from the release branch and take a while; {REST}, do not stop them",
    ],
)
def test_a_hook_is_left_alone_where_no_cut_is_honest(hook: str) -> None:
    assert shortened(hook) == hook


def test_words_are_cut_where_no_clause_ends_and_the_cut_is_marked() -> None:
    assert shortened("deploy " * 30 + "it") == ("deploy " * 19).strip() + "…"
    assert shortened("部署" * 60) == "部署" * 33 + "部…"


def test_an_address_is_cut_out_or_kept_whole() -> None:
    address = "https://example.com/a;b,c/page?x=1,2;3"
    assert shortened(f"the runbook is at {address} and has all steps; {REST}") == (
        f"the runbook is at {address} and has all steps"
    )


def test_nothing_is_fixed_without_a_topic_to_keep_the_detail() -> None:
    hook = f"deploys run from the release branch; {REST}"
    for line in (f"- [A](gone.md) — {hook}", f"see [A](a.md) — {hook}"):
        files = crowd("x")
        assert fixed(RULE, files | {"MEMORY.md": files["MEMORY.md"].replace("- [A](a.md) — x", line)}) == {}
