import datetime as dt
from pathlib import Path

import pytest

from memci.checks.rule import Material
from memci.checks.rules.log_future import RULE
from memci.errors import Exit
from tests.build import NOW, places, run_rule, snapshot_of, topic_text
from tests.commands.dreams import INDEX, SAID, TOPIC, make_shop
from tests.commands.run import memci


@pytest.mark.parametrize(
    "name",
    [
        "logs/2026/11/2026-11-16.md",
        "logs/2020-01-01.md",
        # No daily log.
        "2099-01-01-plan.md",
        "notes/2099-01-01.md",
    ],
)
def test_leaves_alone(name: str) -> None:
    assert run_rule(RULE, {name: topic_text()}) == []


def test_leaves_alone_what_is_of_today_somewhere_on_earth() -> None:
    files = snapshot_of({"logs/2026-11-17.md": "- note\n"})
    at_nine, at_ten = (NOW.replace(hour=hour) for hour in (9, 10))
    assert len(list(RULE.check(Material(files, at_nine)))) == 1
    assert list(RULE.check(Material(files, at_ten))) == []
    assert list(RULE.check(Material(files, at_ten.astimezone(dt.timezone(dt.timedelta(hours=-8)))))) == []


@pytest.mark.parametrize("name", ["logs/2026/11/2026-11-17.md", "logs/2026-11-17.md", "2099-01-01.md"])
def test_finds_a_log_of_a_day_to_come(name: str) -> None:
    (found,) = run_rule(RULE, {"a.md": topic_text(), name: "- note\n"})
    assert places([found]) == [(name, 1)]
    assert found.message == f"the log of {Path(name).stem}, a day that has not come"


def test_a_dream_uses_its_words_when_the_day_has_come(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = "logs/2026/12/2026-12-01.md"
    repo = make_shop(tmp_path, {"MEMORY.md": INDEX, "warehouse.md": TOPIC, log: f"- 09:00 user: {SAID}\n"})
    arguments = ("dream", "--engine", "local", "--force", "--format", "json", "--now")
    early = memci(capsys, repo.root, *arguments, "2026-11-16")
    # Something else changed meanwhile, so that the state is written with all that was read.
    repo.write(".claude/memory/orphan.md", topic_text("The shop opens at nine.", name="hours"))
    changed = memci(capsys, repo.root, *arguments, "2026-11-17")
    late = memci(capsys, repo.root, *arguments, "2026-12-02")
    assert [done.code for done in (early, changed, late)] == [Exit.DONE] * 3
    created = [[operation["kind"] for operation in done.json["scopes"][0]["operations"]] for done in (early, late)]
    assert "create" not in created[0]
    assert "mock" not in changed.out
    assert "create" in created[1]
    signals = [memci(capsys, repo.root, "signals", "--now", day).out for day in ("2026-11-16", "2026-12-01")]
    assert ["mock the database" in out for out in signals] == [False, True]
