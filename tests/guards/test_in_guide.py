import pytest

from memci.guards.rules.in_guide import GUARD
from memci.model.plan import OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, change, check, make_context

GUIDE = "# Rules\n\n- Use ruff for linting and formatting, line length 100.\n- Never push directly to main.\n"
RULE = "Use ruff for linting and formatting, line length 100."


@pytest.mark.parametrize(
    "body",
    [
        "Use black for formatting, line length 88.",
        f"{RULE}\nLint before every commit of the backend.",
        "Never push directly to release branches of customers.",
    ],
)
def test_what_the_guide_does_not_say_passes(body: str) -> None:
    assert (
        check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": topic_text(body)}), make_context(guides=GUIDE))
        is None
    )


def test_an_update_that_only_touches_other_lines_passes() -> None:
    files = {**FILES, "a.md": topic_text(RULE)}
    operation = change(OperationKind.UPDATE, "a.md", {"a.md": files["a.md"] + "Lint before every commit.\n"})
    assert check(GUARD, operation, make_context(files=files, guides=GUIDE)) is None


def test_without_guides_everything_passes() -> None:
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": topic_text(RULE)}), make_context()) is None


@pytest.mark.parametrize("body", [RULE, f"* {RULE.lower()}", f"{RULE}\n\n**Why:** one tool is enough."])
def test_what_the_guide_says_is_refused(body: str) -> None:
    why = check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": topic_text(body)}), make_context(guides=GUIDE))
    assert why == "a.md would say only what CLAUDE.md:3 already says"


def test_an_update_that_only_adds_what_the_guide_says_is_refused() -> None:
    texts = {"user_zone.md": FILES["user_zone.md"] + f"{RULE}\n"}
    assert check(GUARD, change(OperationKind.UPDATE, "user_zone.md", texts), make_context(guides=GUIDE))
