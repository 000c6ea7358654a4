"""The page in a real browser: nothing is loaded, nothing comes alive, and everything on it works.

Needs a `chromium` on PATH and the Python package playwright; axe-core is installed from npm for these tests only.
"""

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memci.report.page.render import render_page
from tests.report.pages import WEB, make_report
from tests.report.results import HOSTILE
from tests.report.test_page import MORE

AXE = "axe-core@4.14.0"
# No services of the browser's own; no sandbox, because root has none.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
ROOT = Path(__file__).parents[2]
WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = shutil.which("chromium")
    if not program:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def axe() -> Iterator[str]:
    """Give the source of the accessibility checker."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed")
    with tempfile.TemporaryDirectory() as name:
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        command += ["--cache", f"{name}/cache", "--prefix", name, AXE]
        environment = os.environ | {"HOME": name}
        done = subprocess.run(command, env=environment, cwd=name, capture_output=True, check=False, timeout=200)
        if done.returncode:
            pytest.skip(f"npm cannot install {AXE}: {done.stderr.decode(errors='replace').partition(chr(10))[0]}")
        yield (Path(name) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


class Opened:
    """A page in the browser, and everything it did that it must not do."""

    def __init__(self, browser: Any, target: Path, text: str, *, width: int = 1280, scheme: str = "light") -> None:
        target.write_text(text, encoding="utf-8")
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.bad: list[str] = []
        self.page.on("console", lambda message: self.bad.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.bad.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.bad.append(f"dialog: {dialog.message}"))
        self.page.on(
            "request", lambda request: self.bad.append(request.url) if request.url != target.as_uri() else None
        )
        # A policy that is violated says so to the page, before any script of it runs.
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.log('policy', event.violatedDirective))"
        )
        started = time.monotonic()
        self.page.goto(target.as_uri(), wait_until="load")
        self.seconds = time.monotonic() - started

    def count(self, selector: str) -> int:
        return len([one for one in self.page.query_selector_all(selector) if one.is_visible()])

    def close(self) -> None:
        self.context.close()
        assert self.bad == []


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    made = Opened(browser, tmp_path / "page.html", render_page(make_report("plain text", operations=8, topics=6)))
    yield made
    made.close()


# Nothing comes alive.


@pytest.mark.parametrize("text", [*HOSTILE, *MORE, "y" * 1_000_000], ids=lambda text: repr(text[:20]))
def test_hostile_text_stays_text_and_violates_nothing(browser: Any, tmp_path: Path, text: str) -> None:
    plain = Opened(browser, tmp_path / "plain.html", render_page(make_report("plain")))
    tags = "new Set([...document.querySelectorAll('*')].map((one) => one.tagName))"
    usual = set(plain.page.evaluate(f"[...{tags}]"))
    plain.close()
    made = Opened(browser, tmp_path / "page.html", render_page(make_report(text)))
    assert set(made.page.evaluate(f"[...{tags}]")) <= usual | {"I", "B"}
    assert made.page.evaluate("document.scripts.length") == 1
    assert made.page.evaluate("document.querySelectorAll('[onload],[onerror],[onclick],[src],iframe,img').length") == 0
    links = made.page.evaluate("[...document.links].map((one) => one.getAttribute('href'))")
    assert [link for link in links if not link.startswith(WEB)] == ["#main"]
    made.page.click("#unfold")
    made.page.fill("#find", text[:50].replace("\n", " "))
    made.close()


def test_a_script_that_gets_in_all_the_same_does_not_run(browser: Any, tmp_path: Path) -> None:
    page = render_page(make_report()).replace("</body>", "<script>document.title = 'owned'</script></body>")
    made = Opened(browser, tmp_path / "page.html", page)
    assert made.page.title() != "owned"
    assert any("policy script-src" in one for one in made.bad)
    made.bad.clear()
    made.close()


# Everything works.


def test_search_shows_what_has_the_words(opened: Opened) -> None:
    page = opened.page
    before = opened.count(".item")
    page.fill("#find", "TEXT-3.md plain")
    page.wait_for_selector("#count:has-text(' of ')")
    shown = [one.inner_text() for one in page.query_selector_all(".item") if one.is_visible()]
    assert 0 < len(shown) < before
    assert all("plain text-3.md" in text for text in shown)
    page.fill("#find", "no such word")
    page.wait_for_selector("#nothing", state="visible")
    page.click("#reset")
    assert opened.count(".item") == before
    assert page.evaluate("document.activeElement.id") == "find"


@pytest.mark.parametrize(
    ("by", "value", "kinds"),
    [
        ("kind", "refused", {"refused"}),
        ("kind", "question", {"question"}),
        ("rule", "supported", {"refused"}),
        ("rule", "secret", {"error"}),
        ("type", "feedback", {"learned", "corrected", "tidied", "refused", "question", "topic"}),
        ("scope", "agent:reviewer", {"learned", "corrected", "tidied", "refused", "question"}),
    ],
)
def test_a_filter_shows_what_it_says(opened: Opened, by: str, value: str, kinds: set[str]) -> None:
    opened.page.select_option(f"select[data-by={by}]", value)
    shown = [one for one in opened.page.query_selector_all(".item") if one.is_visible()]
    assert {one.get_attribute("data-kind") for one in shown} == kinds
    assert opened.page.inner_text("#count").startswith(f"{len(shown)} of ")


def test_a_difference_is_shown_below_or_beside(opened: Opened) -> None:
    page = opened.page
    places = """() => [...document.querySelector('#change-3 .diff').querySelectorAll('del, ins')].slice(0, 2)
        .map((one) => one.getBoundingClientRect()).map((box) => [box.x, box.y])"""
    (old, new) = page.evaluate(places)
    assert old[0] == new[0]
    assert old[1] < new[1]
    assert page.inner_text("#change-3 .diff del:has-text('line') b").strip() == "old"
    page.click("#split")
    assert page.get_attribute("#split", "aria-pressed") == "true"
    (old, new) = page.evaluate(places)
    assert old[0] < new[0]
    assert old[1] == new[1]
    page.click("#split")
    (old, new) = page.evaluate(places)
    assert old[0] == new[0]


def test_the_theme_follows_the_system_and_the_button(browser: Any, tmp_path: Path) -> None:
    colours = {}
    for scheme in SCHEMES:
        made = Opened(browser, tmp_path / "page.html", render_page(make_report()), scheme=scheme)
        colour = "getComputedStyle(document.body).backgroundColor"
        colours[scheme] = made.page.evaluate(colour)
        made.page.click("#theme")
        colours[f"not {scheme}"] = made.page.evaluate(colour)
        made.close()
    assert colours["light"] == colours["not dark"] != colours["dark"] == colours["not light"]


def test_the_keyboard_reaches_and_opens_everything(opened: Opened) -> None:
    page = opened.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    page.focus("#change-1 > summary")
    assert page.evaluate("document.querySelector('#change-1').open") is True
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector('#change-1').open") is False
    page.focus("#unfold")
    page.keyboard.press("Space")
    assert page.evaluate("[...document.querySelectorAll('main details')].every((one) => one.open)")
    assert page.inner_text("#unfold") == "Close all"
    page.keyboard.press("Space")
    assert page.evaluate("[...document.querySelectorAll('main details')].every((one) => !one.open)")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "theme"


def test_paper_shows_what_is_folded(browser: Any, tmp_path: Path) -> None:
    made = Opened(browser, tmp_path / "page.html", render_page(make_report("plain text", operations=30)))
    assert made.page.evaluate("document.querySelector('#change-24').open") is False
    made.page.emulate_media(media="print")
    body = made.page.query_selector("#change-24 .body")
    made.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert body.is_visible()
    assert not made.page.query_selector("#tools").is_visible()
    made.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert made.page.evaluate("document.querySelector('#change-24').open") is False
    paper = made.page.pdf()
    assert paper.startswith(b"%PDF-")
    assert paper.count(b"/Type /Page\n") > 10
    made.close()


def test_without_scripts_everything_is_there(browser: Any, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.write_text(render_page(make_report("plain text", operations=30)), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(target.as_uri())
    assert not page.query_selector("#tools").is_visible()
    page.click("#change-24 > summary")
    assert page.query_selector("#change-24 .diff").is_visible()
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(browser: Any, tmp_path: Path, width: int) -> None:
    made = Opened(browser, tmp_path / "page.html", render_page(make_report("wide_" * 60)), width=width)
    made.page.click("#unfold")
    assert made.page.evaluate("document.documentElement.scrollWidth") == width
    made.close()


def test_a_large_page_opens_and_scrolls(browser: Any, tmp_path: Path) -> None:
    page = render_page(make_report("a sentence about the checkout", operations=1_000, topics=500))
    made = Opened(browser, tmp_path / "page.html", page)
    print(f"1,000 operations, 500 topics: {len(page):,} characters, load {made.seconds:.2f} s")  # noqa: T201
    made.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert made.page.query_selector("footer").is_visible()
    assert made.page.evaluate("scrollY") > 10_000
    made.page.fill("#find", "checkout-999.md")
    made.page.wait_for_selector("#count:has-text('1 of ')")
    made.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(browser: Any, axe: str, tmp_path: Path, width: int, scheme: str) -> None:
    page = render_page(make_report("plain text", operations=8, topics=6))
    made = Opened(browser, tmp_path / "page.html", page, width=width, scheme=scheme)
    made.page.click("#unfold")
    for summary in made.page.query_selector_all(".numbers > summary"):
        summary.click()
    made.page.evaluate(axe)
    found = made.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found["violations"]] == []
    made.close()


@pytest.mark.timeout(500)
def test_the_documentation_as_a_site_requests_nothing_and_violates_nothing(browser: Any, axe: str) -> None:
    subprocess.run(["make", "site"], cwd=ROOT, check=True, capture_output=True)
    pages = sorted(place for place in (ROOT / "build" / "site").rglob("*.html") if place.name != "404.html")
    assert len(pages) > 15
    for place in pages:
        for width, scheme in itertools.product(WIDTHS, SCHEMES):
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(place.as_uri())
            page.evaluate(axe)
            found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
            assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found] == [], (place.name, width, scheme)
            assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
            assert page.evaluate("document.documentElement.scrollWidth") == width, place.name
            context.close()
