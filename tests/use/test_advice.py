from pathlib import PurePosixPath

import pytest

from memci.use.advice import advise
from memci.use.repeated_rules import KnownRule

TRACKED = ("README.md", "src/api/errors.py", "src/api/orders.py")


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("Use `pnpm add`, never `npm add`.", "Bash(npm add:*)"),
        ("Never run `git push --force` on a shared branch.", "Bash(git push --force:*)"),
        ("Run `make lint` before every commit.", '"command": "make lint"'),
        ("Never call `time.sleep()` in a test.", "language: pygrep, entry: 'time\\.sleep\\(', types: [text]"),
        ("Every handler below `src/api/` returns problem details.", '.claude/rules/a.md: `paths: ["src/api/**"]`'),
        ("Keep `src/api/errors.py` free of imports.", 'paths: ["src/api/errors.py"]'),
        # The call that is wanted is not forbidden, and nobody knows which files are meant.
        ("Use `clock.wait()`, never a loop.", "make it a line of CLAUDE.md"),
        ("Every handler below `src/web/` returns problem details.", "make it a line of CLAUDE.md"),
        # Which of them is meant is not clear, or there is no command.
        ("`git push --force` is never right.", "make it a line of CLAUDE.md"),
        ("Never use `any` in a type.", "make it a line of CLAUDE.md"),
    ],
)
def test_what_a_program_can_enforce_is_proposed_as_such(text: str, advice: str) -> None:
    assert advice in advise(KnownRule(PurePosixPath("m/a.md"), 1, text, is_guide=False), TRACKED)


def test_a_rule_of_a_guide_is_in_a_guide_already() -> None:
    assert "sharper" in advise(KnownRule(PurePosixPath("CLAUDE.md"), 1, "Keep functions short.", is_guide=True), ())
