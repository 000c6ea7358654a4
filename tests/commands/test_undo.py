from pathlib import Path

import pytest

from memci.errors import Exit
from tests.commands.dreams import CREATED, INDEX, NOW, SAID, SCOPE, TOPIC, make_shop, read_tree, write_session
from tests.commands.run import memci
from tests.repository import Repo

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def shop(tmp_path: Path) -> Repo:
    write_session(tmp_path / "sessions", "s1", SAID)
    return make_shop(tmp_path / "shop")


def dream(capsys: Capture, repo: Repo) -> None:
    done = memci(capsys, repo.root, "dream", *NOW, "--transcripts", str(repo.root.parent / "sessions"))
    assert done.code == Exit.DONE


def test_without_a_dream_there_is_nothing_to_undo(capsys: Capture, shop: Repo) -> None:
    before = read_tree(shop.root)
    done = memci(capsys, shop.root, "undo")
    assert (done.code, done.out, read_tree(shop.root)) == (Exit.DONE, "nothing to undo\n", before)


@pytest.mark.parametrize(("name", "mode"), [("MEMORY.md", 0o600), ("warehouse.md", 0o640)])
def test_undo_restores_bytes_and_modes(capsys: Capture, shop: Repo, name: str, mode: int) -> None:
    (shop.root / SCOPE / name).chmod(mode)
    before = read_tree(shop.root)
    dream(capsys, shop)
    assert read_tree(shop.root) != before
    done = memci(capsys, shop.root, "undo")
    assert (done.code, read_tree(shop.root)) == (Exit.DONE, before)
    assert done.out.split("\n") == [
        f"restored  {SCOPE}/MEMORY.md", f"removed   {SCOPE}/.memci.json", f"removed   {SCOPE}/{CREATED}", "",
    ]  # fmt: skip
    assert memci(capsys, shop.root, "undo").out == "nothing to undo\n"


def test_a_dream_that_only_made_files_is_undone_too(capsys: Capture, tmp_path: Path) -> None:
    repo = make_shop(tmp_path, {"warehouse.md": TOPIC})
    before = read_tree(tmp_path)
    assert memci(capsys, tmp_path, "dream", *NOW).code == Exit.DONE
    assert (repo.root / SCOPE / "MEMORY.md").exists()
    done = memci(capsys, tmp_path, "undo")
    assert (f"removed   {SCOPE}/MEMORY.md" in done.out, read_tree(tmp_path)) == (True, before)


@pytest.mark.parametrize("name", ["MEMORY.md", CREATED])
def test_what_somebody_changed_since_is_not_overwritten(capsys: Capture, shop: Repo, name: str) -> None:
    dream(capsys, shop)
    shop.write(f"{SCOPE}/{name}", "mine\n")
    before = read_tree(shop.root)
    done = memci(capsys, shop.root, "undo")
    assert (done.code, done.out, name in done.err) == (Exit.UNSAFE, "", True)
    assert read_tree(shop.root) == before


def test_after_an_undo_a_dream_proposes_the_same_again(capsys: Capture, shop: Repo) -> None:
    dream(capsys, shop)
    after = read_tree(shop.root)
    memci(capsys, shop.root, "undo")
    dream(capsys, shop)
    assert read_tree(shop.root) == after


def test_only_the_scope_that_is_named_is_restored(capsys: Capture, shop: Repo) -> None:
    agent = ".claude/agent-memory/reviewer"
    shop.write(f"{agent}/push.md", TOPIC)
    shop.commit()
    dream(capsys, shop)
    done = memci(capsys, shop.root, "undo", agent)
    assert (f"removed   {agent}/MEMORY.md" in done.out, SCOPE in done.out) == (True, False)
    assert (shop.root / SCOPE / "MEMORY.md").read_text() != INDEX


def test_a_scope_that_does_not_exist_is_named(capsys: Capture, shop: Repo) -> None:
    done = memci(capsys, shop.root, "undo", "nowhere")
    assert (done.code, "nowhere" in done.err) == (Exit.USAGE, True)


def test_other_scopes_are_restored_although_one_was_changed_since(capsys: Capture, shop: Repo) -> None:
    other = ".claude/agent-memory/writer"
    shop.write(f"{other}/MEMORY.md", "- [Gone](gone.md)\n")
    shop.commit()
    dream(capsys, shop)
    shop.write(f"{SCOPE}/MEMORY.md", "mine\n")
    done = memci(capsys, shop.root, "undo")
    assert done.code == Exit.UNSAFE
    assert f"restored  {other}/MEMORY.md" in done.out
    assert (shop.root / other / "MEMORY.md").read_text() == "- [Gone](gone.md)\n"
    assert SCOPE in done.err


def test_json_says_what_was_restored_and_what_was_refused(capsys: Capture, shop: Repo) -> None:
    nothing = {"schema": "memci/undo/1", "restored": [], "removed": [], "refused": []}
    assert memci(capsys, shop.root, "undo", "--format", "json").json == nothing
    dream(capsys, shop)
    after = (shop.root / SCOPE / "MEMORY.md").read_text()
    shop.write(f"{SCOPE}/MEMORY.md", "mine\n")
    refused = memci(capsys, shop.root, "undo", "--format", "json")
    assert (refused.code, "MEMORY.md" in refused.json["refused"][0]) == (Exit.UNSAFE, True)
    shop.write(f"{SCOPE}/MEMORY.md", after)
    done = memci(capsys, shop.root, "undo", "--format", "json")
    assert (done.code, done.json["restored"]) == (Exit.DONE, [f"{SCOPE}/MEMORY.md"])
    assert done.json["removed"] == [f"{SCOPE}/.memci.json", f"{SCOPE}/{CREATED}"]
