"""`memci dream --max-changes`: what people said never waits, then the most valuable first; the next night goes on."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memci.errors import Exit
from tests.build import topic_text
from tests.commands.dreams import SCOPE, make_shop, write_session
from tests.commands.run import Done, memci
from tests.repository import Repo

Capture = pytest.CaptureFixture[str]
RULES = (
    "never mock the database in integration tests, because mocks hid a broken migration",
    "always squash commits before merging, because bisecting needs whole changes",
    "never deploy on a Friday, because nobody watches the dashboards at the weekend",
    "always run the linter before pushing, because the server rejects warnings",
    "never log customer addresses, because the logs leave the country",
    "always name the ticket in the branch, because the release notes are made of it",
)
TOPICS = {
    "queries.md": topic_text("Queries are built in `lib/search.py`.", name="queries", description="where queries are"),
    "stock.md": topic_text("Stock is in `lib/search.py`, too.", name="stock", description="where: the stock is"),
    "orphan.md": topic_text("The printer is in the cellar.", name="printer", description="where the printer is"),
}
INDEX = "- [Queries](queries.md) — where queries are\n- [Stock](stock.md) — where the stock is\n"


@pytest.fixture
def shop(tmp_path: Path) -> Repo:
    repo = make_shop(tmp_path / "shop", {})
    repo.write("lib/search.py", "def search():\n    return []\n\n\ndef order():\n    return sorted(search())\n")
    repo.commit("the code")
    for name, text in {"MEMORY.md": INDEX, **TOPICS}.items():
        repo.write(f"{SCOPE}/{name}", text)
    repo.commit("the memory")
    repo.rename("lib/search.py", "lib/query/builder.py")
    repo.commit("move it")
    for number, text in enumerate(RULES, 1):
        write_session(tmp_path / "sessions", f"s{number}", f"no, {text}")
    return repo


def dream(capsys: Capture, repo: Repo, day: int, *arguments: str) -> Done:
    sessions = ("--transcripts", str(repo.root.parent / "sessions"))
    moment = ("--now", f"2026-11-{day}T03:00:00Z")
    return memci(capsys, repo.root, "dream", "--engine", "local", *moment, *sessions, *arguments)


def read_topics(repo: Repo) -> dict[str, str]:
    return {path.name: path.read_text() for path in (repo.root / SCOPE).glob("*.md") if path.name != "MEMORY.md"}


def count(done: Done, groups: tuple[str, ...] = ("corrected", "removed", "tidied")) -> int:
    total = done.out.partition("\n")[0].removeprefix("total").partition("; ")[0]
    return sum(int(part.split()[0]) for part in total.split(",") if part.split()[-1] in groups)


def test_every_night_has_few_changes_and_the_last_one_nothing_to_do(capsys: Capture, shop: Repo) -> None:
    whole = Repo(shutil.copytree(shop.root, shop.root.parent / "whole"))
    assert count(dream(capsys, whole, 16, "--max-changes", "100")) > 2
    nights = []
    for day in range(16, 30, 2):
        done = dream(capsys, shop, day, "--max-changes", "2")
        nights.append((count(done), "later " in done.out))
        if day == 16:
            assert count(done, ("learned",)) == len(RULES)
        shop.commit(f"night {day}")
    assert max(changes for changes, _ in nights) <= 3
    assert nights[0][1]
    assert nights[-1] == (0, False)
    assert [waits for _, waits in nights] == sorted((waits for _, waits in nights), reverse=True)
    assert read_topics(shop) == read_topics(whole)
    lines = [sorted((repo.root / SCOPE / "MEMORY.md").read_text().splitlines()) for repo in (shop, whole)]
    assert lines[0] == lines[1]


def test_what_people_said_and_wrong_facts_come_first(capsys: Capture, shop: Repo) -> None:
    first = dream(capsys, shop, 16, "--max-changes", "2").out
    assert "corrected  queries.md" in first
    assert "later     " in first
    kinds = first.partition("next dreams: ")[2].partition(" (")[0]
    assert "tidied" in kinds or "corrected" in kinds
    assert "learned" not in kinds


def test_what_is_corrected_only_beside_another_line_comes_in_a_later_night(capsys: Capture, shop: Repo) -> None:
    # Text about the past is corrected only because plain text of the same scope cites the same old place.
    told = {f"r{n}": f"Report {n} was slow, so we added an index in `lib/query/builder.py`." for n in range(3)}
    told["plain"] = "Prices are in `lib/query/builder.py`."
    for name, text in told.items():
        shop.write(f"{SCOPE}/{name}.md", topic_text(text, name=name, description="a note"))
    pointers = "".join(f"- [{name}]({name}.md) — a note\n" for name in told)
    shop.write(f"{SCOPE}/MEMORY.md", INDEX + pointers)
    shop.commit("notes")
    shop.rename("lib/query/builder.py", "lib/prices.py")
    shop.commit("move it again")
    whole = Repo(shutil.copytree(shop.root, shop.root.parent / "whole"))
    dream(capsys, whole, 16, "--max-changes", "100")
    assert "builder.py" not in "".join(read_topics(whole).values())
    for day in range(16, 26, 2):
        bundle = str(shop.root.parent / f"night{day}")
        dream(capsys, shop, day, "--max-changes", "2", "--bundle", bundle)
        moment = ("--now", f"2026-11-{day}T03:00:00Z")
        assert memci(capsys, shop.root, "publish", bundle, "--validate", *moment).code == Exit.DONE
        dream(capsys, shop, day, "--max-changes", "2")
        shop.commit(f"night {day}")
    assert read_topics(shop) == read_topics(whole)
    assert "waiting" not in (shop.root / SCOPE / ".memci.json").read_text()


def test_a_limited_dream_is_the_same_twice_and_passes_all_guards_again(capsys: Capture, shop: Repo) -> None:
    bundles = [shop.root.parent / name for name in ("one", "two")]
    for bundle in bundles:
        assert dream(capsys, shop, 16, "--max-changes", "1", "--bundle", str(bundle)).code == Exit.DONE
    manifests = [(bundle / "manifest.json").read_text() for bundle in bundles]
    assert manifests[0] == manifests[1]
    assert json.loads(manifests[0])["scopes"][0]["waiting"]
    done = memci(capsys, shop.root, "publish", str(bundles[0]), "--validate", "--now", "2026-11-16T03:00:00Z")
    assert done.code == Exit.DONE, done.err


def test_a_change_that_waits_is_no_question(capsys: Capture, shop: Repo) -> None:
    done = dream(capsys, shop, 16, "--max-changes", "1", "--format", "json")
    (scope,) = json.loads(done.out)["scopes"]
    assert scope["needs_person"] == []
    assert scope["waiting"]


def test_without_a_limit_nothing_waits(capsys: Capture, shop: Repo) -> None:
    assert "later" not in dream(capsys, shop, 16).out


def test_one_repair_of_many_files_counts_as_many_changes(capsys: Capture, tmp_path: Path) -> None:
    files = {f"t{n:02}.md": topic_text(f"Note {n} of the shop.", name=f"t{n}", description="a: b") for n in range(60)}
    index = "".join(f"- [T{name[1:3]}]({name}) — a note\n" for name in files)
    repo = make_shop(tmp_path / "shop", {"MEMORY.md": index, **files})
    (tmp_path / "sessions").mkdir()
    changed = []
    for day in (16, 18, 20, 22):
        dream(capsys, repo, day)
        changed.append(len([name for name in repo.run("status", "--porcelain").split() if name.endswith(".md")]))
        repo.run("add", "--all")
        repo.run("commit", "--quiet", "--allow-empty", "--message", "night")
    assert changed == [25, 25, 10, 0]


def test_a_limited_dream_with_a_model_leaves_index_and_topics_consistent(capsys: Capture, tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "shop"
    shop = tmp_path / "shop"
    subprocess.run([sys.executable, str(example / "build.py"), str(shop)], check=True, capture_output=True)
    places = ("--replay", str(example / "replies"), "--transcripts", str(example / "transcripts"))
    moment = ("--now", "2026-11-16T03:00:00Z")
    done = memci(capsys, shop, "dream", *places, *moment, "--force", "--max-changes", "4")
    assert done.code == Exit.DONE
    assert count(done, ("learned",)) == 11
    assert "later" in done.out
    found = json.loads(memci(capsys, shop, "check", *moment, "--format", "json").out)["rules"]
    # What is left is what waits; no pointer is missing or leads nowhere.
    assert not {"index-orphan", "index-dangling", "index-duplicate"} & set(found)
