import random
import string

import pytest

from memci.guards.rules.secret import GUARD
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, at, change, check, make_context

TOKEN = "ghp_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))
HELD = {**FILES, "a.md": topic_text(f"The token is {TOKEN}."), "b.md": topic_text("B.")}


@pytest.mark.parametrize(
    "body",
    [
        "Ask Dana for the token of staging.",
        "The password is kept in the vault.",
        "Pinned to 9fceb02d0ae598e95dc970b74767f19372d61af8.",
        "The example key is AKIAIOSFODNN7EXAMPLE.",
        "Session 3f2504e0-4f89-41d3-9a0c-0305e82c3301.",
    ],
)
def test_what_only_looks_like_a_secret_passes(body: str) -> None:
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": topic_text(body)}), make_context()) is None


def test_taking_a_secret_out_passes() -> None:
    operation = change(OperationKind.REPAIR, "a.md", {"a.md": topic_text("The token is [REDACTED:github].")})
    assert check(GUARD, operation, make_context(files=HELD)) is None


def test_a_secret_that_was_there_does_not_stop_another_edit() -> None:
    operation = change(OperationKind.UPDATE, "a.md", {"a.md": HELD["a.md"] + "More.\n"})
    assert check(GUARD, operation, make_context(files=HELD)) is None


@pytest.mark.parametrize(
    "operation",
    [
        change(OperationKind.CREATE, "c.md", {"c.md": topic_text(f"The token is {TOKEN}.")}),
        change(OperationKind.CREATE, "c.md", {"c.md": topic_text("C.", description=TOKEN)}),
        change(
            OperationKind.CREATE,
            "c.md",
            {"c.md": topic_text("C.", description=f'"\\x{ord(TOKEN[0]):02x}{TOKEN[1:]}"')},
        ),
        change(OperationKind.CREATE, "c.md", {"c.md": topic_text(f"The token is {TOKEN[:20]}\u200b{TOKEN[20:]}.")}),
        change(OperationKind.CREATE, f"{TOKEN}.md", {f"{TOKEN}.md": topic_text("C.")}),
        change(OperationKind.UPDATE, "b.md", {"b.md": topic_text("B.")}, reason=f"because {TOKEN}"),
        Operation(
            OperationKind.UPDATE, at("b.md"), {at("b.md"): "B"}, "why", (Evidence(EvidenceKind.SIGNAL, "s", TOKEN),)
        ),
        # A second copy.
        change(OperationKind.UPDATE, "a.md", {"a.md": HELD["a.md"] + f"Again: {TOKEN}\n"}),
    ],
)
def test_a_secret_that_is_brought_in_is_refused_and_not_repeated(operation: Operation) -> None:
    why = check(GUARD, operation, make_context(files=HELD))
    assert why
    assert TOKEN not in why
