#!/usr/bin/env python3
"""Take the pictures in docs/images from the bundled example: terminal output, and pages in a browser.

Needs memci, git, a `chromium` on PATH and the Python package playwright:

    python tools/screenshots.py
"""

import contextlib
import fcntl
import html
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
NOW = "2026-11-16T03:00:00Z"
COLUMNS, ROWS = 104, 40
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-lcd-text",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
]
# A limit for pictures in a README.
MAX_BYTES = 200_000
COLOURS = {"1": "b", "2": "d", "31": "r", "32": "g", "33": "y", "36": "c"}
STYLE = """
body { margin: 0; background: #14171c; color: #dfe4ea; }
pre { margin: 0; padding: 22px 26px; display: inline-block; }
pre { font: 14px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
.b { font-weight: 700; } .d { color: #8f99a5; } .p { color: #79b8f7; }
.r { color: #f28379; } .g { color: #4fbf87; } .y { color: #dba94a; } .c { color: #6fc3c9; }
"""


# What forges do with the text of a pull request.
FORGE = """
body { margin: 0; background: #fff; color: #1f2328; font: 16px/1.5 "Noto Sans", Helvetica, Arial, sans-serif; }
main { padding: 16px; overflow-wrap: break-word; } li { margin-top: .25em; } a { color: #0969da; }
code { font: 85% ui-monospace, monospace; background: #818b981f; padding: .2em .4em; border-radius: 6px; }
blockquote { margin: 0 0 8px; padding: 0 1em; color: #59636e; border-left: .25em solid #d1d9e0; }
"""


def run_memci(shop: Path, *arguments: str) -> str:
    """Run memci on a pseudo-terminal and return its output."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
    command = [sys.executable, "-m", "memci", "-C", str(shop), *arguments]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=other, stderr=subprocess.DEVNULL, env=kept | {"TERM": "xterm-256color"}
    )
    os.close(other)
    shown = b""
    # Linux reports a terminal without writers as an error.
    with contextlib.suppress(OSError):
        while chunk := os.read(main, 65_536):
            shown += chunk
    os.close(main)
    process.wait()
    return shown.decode().replace("\r\n", "\n")


def render_terminal(command: str, shown: str) -> str:
    """Render terminal output as a page; colours become classes."""
    parts = [f'<span class="p">$</span> {html.escape(command)}\n']
    opened = 0
    for text, code in re.findall(r"([^\x1b]*)(?:\x1b\[([0-9;]*)m)?", shown):
        parts.append(html.escape(text))
        if code in {"0", ""}:
            parts.append("</span>" * opened if code == "0" else "")
            opened = 0 if code == "0" else opened
        else:
            parts.append(f'<span class="{" ".join(COLOURS[one] for one in code.split(";") if one in COLOURS)}">')
            opened += 1
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><pre>{''.join(parts)}</pre>"


def cut(shown: str, lines: int) -> str:
    """Return the first lines, and a note of how many are left out."""
    rows = shown.rstrip("\n").split("\n")
    return "\n".join(rows) if len(rows) <= lines else "\n".join([*rows[:lines], f"… {len(rows) - lines} more lines"])


class Camera:
    """Takes pictures with one browser."""

    def __init__(self, browser: Any, directory: Path) -> None:
        self._browser = browser
        self._directory = directory

    def take_terminal(self, name: str, command: str, shown: str) -> None:
        """Take a picture of the output of a command, in full size."""
        target = self._directory / f"terminal-{name}.html"
        target.write_text(render_terminal(command, shown), encoding="utf-8")
        page = self._browser.new_page(viewport={"width": 1_000, "height": 600}, device_scale_factor=1.25)
        page.goto(target.as_uri())
        self._save(page.query_selector("pre").screenshot(), name)
        page.close()

    def take_page(self, name: str, target: Path, size: tuple[int, int], scheme: str, anchor: str = "") -> None:
        """Take a picture of one part of the page, in the size of a window."""
        view = {"width": size[0], "height": size[1]}
        page = self._browser.new_page(viewport=view, color_scheme=scheme)
        page.goto(target.as_uri())
        if anchor:
            # The filter bar covers the top of the page.
            page.evaluate("(id) => scrollTo(0, document.getElementById(id).getBoundingClientRect().top - 64)", anchor)
            page.wait_for_timeout(300)
        self._save(page.screenshot(), name)
        page.close()

    def take_pull_request(self, name: str, size: tuple[int, int], number: int = 1) -> None:
        """Take a picture of the text of a pull request, as wide as forges show it, and check that nothing is cut."""
        from markdown_it import MarkdownIt

        text = (ROOT / "docs" / "pull-request.md").read_text(encoding="utf-8").split("\n---\n")[number]
        text = re.sub(r"(?m)^- \[ \] ", '- <input type="checkbox"> ', text.partition("\n## ")[0])
        body = MarkdownIt("commonmark", {"html": True}).render(text)
        page = self._browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.set_content(f"<!doctype html><meta charset=utf-8><style>{FORGE}</style><main>{body}</main>")
        if page.evaluate("document.documentElement.scrollWidth") > size[0]:
            raise SystemExit(f"{name}: wider than {size[0]} pixels")
        self._save(page.screenshot(), name)
        page.close()

    def _save(self, picture: bytes, name: str) -> None:
        if len(picture) > MAX_BYTES:
            raise SystemExit(f"{name}.png has {len(picture):,} bytes, more than {MAX_BYTES:,}")
        IMAGES.mkdir(parents=True, exist_ok=True)
        (IMAGES / f"{name}.png").write_bytes(picture)
        sys.stdout.write(f"{name}.png  {len(picture):,} bytes\n")


def main() -> None:
    """Build the example, dream over it, and take the pictures."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        directory, shop = Path(name), Path(name) / "shop"
        subprocess.run([sys.executable, ROOT / "examples" / "shop" / "build.py", shop], check=True, capture_output=True)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        camera = Camera(browser, directory)
        camera.take_terminal("status", "memci status", run_memci(shop, "status", "--now", NOW))
        run_memci(shop, "report", "--now", NOW, "--out", str(directory / "health.html"))
        sessions = str(ROOT / "examples" / "shop" / "transcripts")
        options = ("--engine", "local", "--force", "--now", NOW, "--transcripts", sessions)
        run_memci(shop, "dream", *options, "--dry-run", "--report", str(directory / "dream.html"))
        scope = ".claude/agent-memory/reviewer"
        shown = run_memci(shop, "dream", scope, *options)
        camera.take_terminal("dream", f"memci dream {scope} --transcripts transcripts", cut(shown, 26))
        camera.take_page("page-dream", directory / "dream.html", (1_200, 860), "light")
        camera.take_page("page-dream-dark", directory / "dream.html", (1_200, 860), "dark", "change-1")
        camera.take_page("page-health", directory / "health.html", (1_200, 860), "light", "scope-2")
        camera.take_pull_request("pull-request", (880, 860))
        camera.take_pull_request("pull-request-phone", (390, 844))
        camera.take_pull_request("pull-request-local", (880, 860), 2)
        browser.close()


if __name__ == "__main__":
    main()
