import subprocess
from pathlib import Path

import yaml

from tools.docs.check_site import find_problems
from tools.docs.reading import ROOT, list_pages


def test_the_gate_builds_the_site_and_follows_its_links() -> None:
    done = subprocess.run(["make", "--dry-run", "test"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert "mkdocs build" in done.stdout
    assert "check_site build/site" in done.stdout


def test_every_page_is_in_the_menu_and_can_be_searched() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    menu = str(settings["nav"])
    assert settings["plugins"] == ["search"]
    assert [page for page in list_pages() if page.startswith("docs/") and page not in menu] == []


def test_links_that_lead_nowhere_and_files_from_elsewhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h2 id="here">x</h2><a href="b.html#there">fine</a><a href="https://example.com">fine</a>'
        '<img src="data:image/png;base64,x"><a href="#here">fine</a><link rel="canonical" href="https://example.com">'
    )
    (tmp_path / "b.html").write_text('<p id="there"></p>')
    assert [*find_problems(tmp_path)] == []
    (tmp_path / "b.html").write_text(
        '<p id="there"></p><a href="a.html#gone">x</a><a href="c.html">x</a><script src="https://cdn.example/x.js"></script>'
    )
    found = [problem.rpartition("/b.html: ")[2] for problem in find_problems(tmp_path)]
    assert found == ["a.html#gone leads nowhere", "c.html leads nowhere", "loads https://cdn.example/x.js"]
