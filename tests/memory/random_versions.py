"""Random memory files with two random edits of each, for tests of merges."""

import random
from collections.abc import Callable

WORDS = ("deploy", "cache", "billing", "token", "retry", "queue", "schema", "migration", "flaky", "windows", "nightly")


class Author:
    """Writes lines that nobody wrote before, in the forms of real memory."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        # Half of them never move or repeat a line: then it is certain what was deleted.
        self.moves = seed % 2 == 1
        self._number = 0

    def words(self, count: int) -> str:
        """Return a few words, the last of them new."""
        self._number += 1
        return " ".join([*self.random.choices(WORDS, k=count), f"n{self._number}"])

    def block(self) -> list[str]:
        """Return the lines of one pointer, item, paragraph, table or fence."""
        forms: list[Callable[[], list[str]]] = [
            lambda: [f"- [{self.words(1)}]({self.words(1).replace(' ', '-')}.md) — {self.words(4)}"],
            lambda: [f"- {self.words(5)}"],
            lambda: [f"- {self.words(3)}", f"  - {self.words(3)}"],
            lambda: [f"{self.words(6)}."],
            lambda: ["", f"{self.words(5)}", f"{self.words(5)}.", ""],
            lambda: [f"**Why:** {self.words(4)}."],
            lambda: [f"| {self.words(1)} | {self.words(2)} |"],
            lambda: ["```sh", self.words(2), "", self.words(1), "```"],
            lambda: ["", f"{'#' * self.random.choice((2, 2, 3))} {self.words(2)}", ""],
            lambda: ["- the same line again" if self.moves else f"- {self.words(2)}"],
        ]
        return self.random.choice(forms)()

    def base(self) -> list[str]:
        """Return a file: sometimes with a head, sometimes empty."""
        if self.random.random() < 0.08:
            return []
        head = ["---", f"name: {self.words(1)}", f"description: {self.words(4)}", "metadata:", "  type: project"]
        head += ["  modified: 2026-11-01T10:00:00.000Z"] if self.random.random() < 0.5 else []
        body = [line for _ in range(self.random.randrange(2, 14)) for line in self.block()]
        return [*([*head, "---", ""] if self.random.random() < 0.5 else ["# Memory"]), *body]

    def edit(self, lines: list[str]) -> list[str]:
        """Return the file as somebody left it after one to four changes."""
        lines = list(lines)
        for _ in range(self.random.randrange(1, 5)):
            self.random.choice((self._insert, self._insert, self._delete, self._reword, self._move, self._head))(lines)
        return lines

    def _body(self, lines: list[str]) -> int:
        return lines.index("---", 1) + 1 if lines[:1] == ["---"] else min(1, len(lines))

    def _place(self, lines: list[str]) -> int:
        """Return a place that is not inside a fence."""
        free = [
            at
            for at in range(self._body(lines), len(lines) + 1)
            if lines[:at].count("```") >= lines[:at].count("```sh")
        ]
        return self.random.choice(free)

    def _insert(self, lines: list[str]) -> None:
        place = self.random.choice((self._place(lines), len(lines)))
        lines[place:place] = self.block()

    def _pick(self, lines: list[str]) -> int | None:
        plain = [at for at in range(self._body(lines), len(lines)) if lines[at] and not lines[at].startswith("```")]
        return self.random.choice(plain) if plain else None

    def _delete(self, lines: list[str]) -> None:
        if (place := self._pick(lines)) is not None:
            del lines[place]

    def _reword(self, lines: list[str]) -> None:
        if (place := self._pick(lines)) is not None:
            few = self.random.random() < 0.7
            lines[place] = f"{lines[place]} {self.words(1)}" if few else f"- {self.words(6)}"

    def _move(self, lines: list[str]) -> None:
        if self.moves and (place := self._pick(lines)) is not None:
            line = lines.pop(place)
            lines.insert(self._place(lines), line)

    def _head(self, lines: list[str]) -> None:
        if lines[:1] != ["---"]:
            return
        last = lines.index("---", 1)
        if self.random.random() < 0.4:
            lines.insert(last, f"{self.random.choice(('', '  '))}{self.words(1).split()[-1]}: {self.words(2)}")
            return
        place = self.random.randrange(1, last)
        key, _, value = lines[place].partition(": ")
        later = f"2026-11-{self.random.randrange(10, 28)}T10:00:00.000Z"
        lines[place] = f"{key}: {later if 'modified' in key else self.words(2)}" if value else lines[place]


def make_versions(seed: int) -> tuple[str, str, str]:
    """Return a base and what two people made of it."""
    author = Author(seed)
    base = author.base()
    return tuple(_text(author, lines) for lines in (base, author.edit(base), author.edit(base)))  # type: ignore[return-value]


def _text(author: Author, lines: list[str]) -> str:
    end = "" if author.random.random() < 0.1 else "\n"
    return "\n".join(lines) + end if lines else ""
