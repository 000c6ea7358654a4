"""All attacks and secrets at once, through every command: all that is printed, written and sent is searched."""

import html.parser
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from memci.redaction.hidden import find_hidden
from tests.bad_inputs.poison import MARK, SCOPE, make_canaries, poison_memory, write_sessions
from tests.bad_inputs.stage import assert_harmless, read_files
from tests.build import topic_text
from tests.commands.dreams import NOW
from tests.commands.run import Done, memci
from tests.fakes.forge import FakeForge
from tests.publish.stage import clone_memory
from tests.report.pages import TAGS, Parsed
from tests.repository import Repo

# What the templates of Markdown use besides what is plain Markdown.
_MARKDOWN_TAGS = frozenset(
    {"h1", "h2", "h3", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "br", "b", "code", "details", "summary"}
    | {"ul", "ol", "li", "strong", "em", "a", "blockquote", "hr", "pre"}
)
_OWN_COMMAND = re.compile(r"::(?:error|warning|notice) (?:file=[^:,]*,)?[^:]*::|::group::memci|::endgroup::$")


class _Reader(html.parser.HTMLParser):
    """The tags, attributes and links of rendered Markdown, and the text that is not code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.outside = ""
        self._code = 0
        self.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]
        self._code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag == "code"

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.outside += data


@pytest.fixture
def poisoned(tmp_path: Path, forge: FakeForge) -> Repo:
    """Return a repository whose memory was clean in one commit and is poisoned in the next, pushed to a forge."""
    repo = clone_memory(tmp_path / "repo", forge)
    repo.write(f"{SCOPE}/old.md", topic_text("The old office is in Lyon.\nThe new one is in Ghent.", name="old"))
    repo.commit()
    poison_memory(repo, make_canaries(1))
    repo.commit("poison")
    repo.run("push", "--quiet", str(forge.bare), "main")
    write_sessions(tmp_path / "sessions", make_canaries(2))
    return repo


def run_all(capsys: pytest.CaptureFixture[str], repo: Repo, sessions: str, out: Path) -> Iterator[tuple[str, Done]]:
    """Run every command that shows something, in every format; yield its name, with the format, and how it ended."""
    formats = {
        "check": ("text", "json", "sarif", "github", "gitlab", "markdown"),
        "review --base HEAD~1": ("text", "json", "markdown"),
        "status": ("text", "json"),
        "check nowhere\n::add-mask::zq##[group]zq": ("text", "json"),
        "signals --transcripts nowhere\n::add-mask::zq##[group]zq": ("text", "json"),
        "plan": ("text", "json", "github-matrix"),
        "doctor": ("text", "json"),
        "report": ("html",),
        "recall when does the importer run": ("text", "json"),
        f"signals --transcripts {sessions}": ("text", "json"),
        f"digest {sessions}": ("markdown", "json"),
        f"dream --dry-run --engine local --force {' '.join(NOW)} --transcripts {sessions}": ("text", "json"),
        f"dream --engine local --force {' '.join(NOW)} --transcripts {sessions} --bundle {out / 'bundle'}": ("text",),
        f"publish --validate {out / 'bundle'}": ("text",),
        f"publish --dry-run {out / 'bundle'}": ("text", "json"),
        f"publish {out / 'bundle'}": ("text",),
        f"collect --transcript {sessions} --to {out / 'collected'}": ("text", "json"),
        f"dream --engine local --force {' '.join(NOW)} --transcripts {sessions} --report {out / 'dream.html'}": (
            "text",
        ),
    }
    for command, styles in formats.items():
        for style in styles:
            yield f"{command.split(' ')[0]} {style}", memci(capsys, repo.root, *command.split(" "), "--format", style)


def find_commands(name: str, text: str) -> list[str]:
    """Return the lines that a runner of GitHub would obey although memci did not write them."""
    # It takes blanks away before it looks for `::`, and finds `##[` anywhere in a line (ActionCommand.cs).
    rows = [row for row in text.split("\n") if row.lstrip().startswith("::") or "##[" in row]
    return [row[:120] for row in rows if not (name.endswith("github") and _OWN_COMMAND.match(row) and "##[" not in row)]


def find_alive(name: str, text: str) -> list[str]:
    """Return what in a page, or in Markdown, is more than the templates of memci make."""
    if name.endswith("html"):
        page = Parsed(text)
        found = [tag for tag, _ in page.elements if tag not in TAGS]
        found += [key for _, attributes in page.elements for key in attributes if key.startswith("on")]
        found += [link for link in page.values("href") + page.values("src") if not link.startswith("#")]
        return found + page.broken + (["script"] if page.count("script") > 2 else [])
    seen = _Reader(text)
    alive = [*(seen.tags - _MARKDOWN_TAGS), *(seen.attributes - {"href", "align", "style", "open", "start"})]
    alive += [link for link in seen.links if not re.match(r"https?://(?:127\.0\.0\.1|localhost|github\.com)|#", link)]
    return alive + [
        mark for mark in ("@everyone", "fixes #1", "{{ 7", "evil.example", "::error") if mark in seen.outside
    ]


@pytest.mark.slow
def test_nothing_planted_comes_through(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path, poisoned: Repo, forge: FakeForge
) -> None:
    out = tmp_path / "out"
    planted = {str(path) for path, _ in read_files(poisoned.root / SCOPE)}
    shown = list(run_all(capsys, poisoned, str(tmp_path / "sessions"), out))
    pulls = [(f"pull request {field}", getattr(pull, field)) for pull in forge.pulls for field in ("title", "body")]
    assert len(pulls) == 2
    texts = [(name, done.out) for name, done in shown] + [(f"{name} (stderr)", done.err) for name, done in shown]
    pages = [("report html", (out / "dream.html").read_text("utf-8"))]
    wrong: list[tuple[str, object]] = []
    for _, done in shown:
        assert_harmless(done)
    for name, text in texts:
        wrong += ((name, row) for row in find_commands(name, text))
    for name, text in [*texts, *pulls, *pages]:
        if name.endswith(("json", "sarif", "gitlab", "matrix")) and text.startswith("{"):
            assert text.isascii(), name
            json.loads(text)
        if name.endswith(("markdown", "html", "body")) and text:
            wrong += ((name, mark) for mark in find_alive(name, text))
        wrong += ((name, hidden) for hidden in find_hidden(text.replace("\n", " ").replace("\t", " ")))
    written = [
        (str(path), f"{path.name}\n{data.decode('utf-8', 'replace')}")
        for root in (out, home, poisoned.root / SCOPE)
        for path, data in read_files(root)
    ]
    # The secrets that stand in memory stay there, and are in the bundle that holds it, for a person to take out.
    fresh = [(name, text) for name, text in written if name not in planted and "/bundle/" not in name]
    for salt, places in ((1, [*texts, *pulls, *fresh]), (2, [*texts, *pulls, *written])):
        pieces = [canary[len(canary) // 3 :][:12] for canary in make_canaries(salt)]
        wrong += ((name, piece) for name, text in places for piece in pieces if piece in text)
    memory = [(name, text) for name, text in written if name.startswith((str(poisoned.root), str(out / "bundle")))]
    wrong += ((name, MARK) for name, text in memory if MARK in text)
    assert wrong == []
