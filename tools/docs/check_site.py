"""Checks the built documentation: every link inside of it leads somewhere, and nothing is loaded from elsewhere."""

import sys
import urllib.parse
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

# What a browser loads by itself, by element and attribute.
_LOADED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
}


class _Page(HTMLParser):
    """The ids of a page, and where it leads: an address, and whether a browser loads it by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif value and name in {"href", "src", "data"} and dict(attrs).get("rel") != "canonical":
                self.links.append((value, (tag, name) in _LOADED))


def find_problems(site: Path) -> Iterator[str]:
    """Yield each link of a site that leads nowhere, and each file that would be loaded from another server."""
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        # The page for addresses that do not exist is shown at any of them, so its links begin at the root.
        for link, loaded in page.links if path.name != "404.html" else ():
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    yield f"{path}: loads {link}"
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.exists() or (anchor and target in pages and anchor not in pages[target].ids):
                yield f"{path}: {link} leads nowhere"


if __name__ == "__main__":
    found = [*find_problems(Path(sys.argv[1]))]
    sys.exit("\n".join(found) or 0)
