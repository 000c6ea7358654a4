"""Reads the pages of the documentation: blocks, links and anchors."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent.parent
# Generated from the rules and guards; the examples in them are not commands.
GENERATED = frozenset({"docs/rules.md", "docs/guards.md", "docs/pull-request.md"})


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def list_pages() -> list[str]:
    """List the pages, as paths relative to the root of the repository."""
    return sorted(str(path.relative_to(ROOT)) for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")))


def read_page(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def list_blocks(*languages: str, page: str | None = None) -> list[Block]:
    """List the fenced blocks, in these languages or in any, on one page or on all."""
    return [
        Block(name, token.map[0] + 1, token.info, token.content)
        for name in ([page] if page else list_pages())
        for token in _parse(read_page(name))
        if token.type == "fence" and token.map and (not languages or token.info in languages)
    ]


def list_links(page: str) -> Iterator[str]:
    """Yield the targets of the links and pictures of a page."""
    for token in _parse(read_page(page)):
        for child in token.children or ():
            if child.type in {"link_open", "image"}:
                yield str(child.attrs["href" if child.type == "link_open" else "src"])
        if token.type in {"html_block", "html_inline"}:
            yield from re.findall(r'(?:src|srcset|href)="([^"]+)"', token.content)


def list_anchors(page: str) -> set[str]:
    """Return the anchors that forges generate for the headings of a page."""
    tokens = _parse(read_page(page))
    headings = [after.content for before, after in itertools.pairwise(tokens) if before.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _parse(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)
