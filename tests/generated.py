"""The generated pages of the documentation; `python -m tests.generated` writes them."""

from collections.abc import Callable
from pathlib import Path

from memci.checks.pages import render_rules
from memci.checks.registry import RULES
from memci.guards.pages import render_guards
from memci.guards.registry import GUARDS

DOCS = Path(__file__).parents[1] / "docs"
PAGES: dict[str, Callable[[], str]] = {
    "rules.md": lambda: render_rules(RULES),
    "guards.md": lambda: render_guards(GUARDS),
}


def main() -> None:
    DOCS.mkdir(exist_ok=True)
    for name, render in PAGES.items():
        (DOCS / name).write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
