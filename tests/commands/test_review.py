"""`memci review` as people and workflows call it: formats, exit codes, what is said about what was not looked at."""

import json
import random
from pathlib import Path

import pytest

from tests.commands.run import Done, memci
from tests.repository import Repo, make_repository
from tests.review.scenes import SCOPE, Scene, build, index, topic

_BODY = "# Deploys\n\n- Deploy on Tuesdays, because support is staffed then.\n- Keep 30 connections open.\n"
_FILES: dict[str, str | bytes] = {"MEMORY.md": index("deploys"), "deploys.md": topic(_BODY)}


def _make(root: Path, body: str, **others: str) -> Repo:
    return build(root, Scene("a change", _FILES, {**_FILES, "deploys.md": topic(body), **others}))


def _review(capsys: pytest.CaptureFixture[str], repo: Repo, *arguments: str) -> Done:
    return memci(capsys, repo.root, "review", "--base", "main", "--now", "2026-11-16", *arguments)


def test_nothing_to_say_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = _review(capsys, _make(tmp_path, _BODY))
    assert done.code == 0
    assert done.out.startswith("nothing changes in what memory says\n")


def test_a_harmless_change_is_safe_to_merge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = _review(capsys, _make(tmp_path, f"{_BODY}- The queue is drained before an upgrade.\n"))
    assert done.code == 0
    assert done.out.startswith("nothing stands out\n1 added, ")
    assert "The queue is drained" in done.out


def test_words_that_changed_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = _make(tmp_path, _BODY.replace("30", "60"))
    assert "Keep [-30-] {+60+} connections open." in _review(capsys, repo).out
    page = _review(capsys, repo, "--format", "markdown").out
    assert "<del><code>30</code></del> <ins><code>60</code></ins>" in page


def test_the_fail_level_decides_about_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = _make(tmp_path, _BODY.replace("30", "60"))
    codes = {level: _review(capsys, repo, "--fail-on", level).code for level in ("error", "warning", "never")}
    assert codes == {"error": 0, "warning": 1, "never": 0}
    repo.write(".memci.yml", "fail_on: never\n")
    repo.delete(f"{SCOPE}/deploys.md")
    repo.commit()
    # The settings of the base are in force, not those of the change.
    assert _review(capsys, repo).code == 1


def test_secrets_are_found_and_never_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789"
    secret = "ghp_" + "".join(random.Random(9).choices(letters, k=36))
    repo = _make(tmp_path, f"{_BODY}- The token of the bot is {secret} until spring.\n")
    for style in ("text", "json", "markdown"):
        done = _review(capsys, repo, "--format", style)
        assert done.code == 1
        assert secret not in done.out
        assert "secret" in done.out
        assert "token of the bot" in done.out.replace("&#x20;", " ")


def test_nothing_from_memory_becomes_markup_or_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "- Hi @octocat ::error::x ##[error] <script>alert(1)</script> ![x](https://evil.example/x.png) #1 \x1b[31m\n"
    repo = _make(tmp_path, _BODY + line)
    page = _review(capsys, repo, "--format", "markdown").out
    for raw in ("@octocat", "<script", "![x]", "](http", " #1", "\x1b"):
        assert raw not in page


def test_a_huge_change_fits_into_a_comment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "# A\n\n" + "".join(f"- Fact {n} of many & <more> about the {n * 7} things.\n" for n in range(3_000))
    page = _review(capsys, _make(tmp_path, body), "--format", "markdown").out
    assert page.startswith("<!-- memci:review -->\n### ")
    assert len(page) <= 58_000
    assert "2 lost, 1 reworded, 3,000 added" in page
    assert page.count("<details") == page.count("</details>")


def test_a_huge_change_does_not_fill_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "# A\n\n" + "".join(f"- Fact {n} of many about the {n * 7} things.\n" for n in range(3_000))
    repo = _make(tmp_path, body)
    assert len(_review(capsys, repo).out.split("\n")) < 70
    assert len(_review(capsys, repo, "-v").out.split("\n")) > 3_000


def test_a_finding_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = _review(capsys, _make(tmp_path, f"{_BODY}- The cellar is closed until 2026-01-31.\n")).out
    assert "The cellar is closed" in shown
    assert " ".join(shown.split()).count("that day is over") == 1


def test_the_runner_names_the_pull_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = _make(tmp_path, _BODY.replace("30", "60"))
    assert _review(capsys, repo, "--format", "json").json["pull"] is None
    monkeypatch.setenv("CI_MERGE_REQUEST_IID", "12")
    assert _review(capsys, repo, "--format", "json").json["pull"] == 12
    monkeypatch.setenv("GITHUB_REF", "refs/pull/34/merge")
    assert _review(capsys, repo, "--format", "json").json["pull"] == 34


def test_what_is_not_committed_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = _make(tmp_path, _BODY)
    repo.write(f"{SCOPE}/deploys.md", topic(_BODY.replace("30", "60")))
    done = _review(capsys, repo)
    assert "not committed" in done.out
    assert "30" not in done.out


def test_another_head_is_compared_without_asking_the_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = _make(tmp_path, f"{_BODY}- The retry logic is in `src/retry_policy.py`.\n")
    repo.run("checkout", "--quiet", "main")
    done = _review(capsys, repo, "--head", "work")
    assert "1 added" in done.out
    assert "only about what is checked out" in done.out


def test_what_a_dream_wrote_down_as_evidence_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = json.dumps(
        {
            "version": 1,
            "last_consolidated_at": None,
            "sessions": {},
            "declined": [],
            "evidence": {"deploys.md": ["s1/u1"]},
        }
    )
    repo = _make(tmp_path, f"{_BODY}- The queue is drained before an upgrade.\n", **{".memci.json": state})
    (change,) = _review(capsys, repo, "--format", "json").json["changes"]
    assert change["evidence"] == ["s1/u1"]


def test_a_fact_that_is_dropped_with_the_file_that_it_cites_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cited = f"{_BODY}- The retry logic is in `src/retry.py`.\n"
    repo = build(
        tmp_path,
        Scene(
            "a file and what is said of it",
            {**_FILES, "deploys.md": topic(cited), "/src/retry.py": "x = 1\n"},
            {**_FILES, "deploys.md": topic(_BODY)},
        ),
    )
    (change,) = _review(capsys, repo, "--format", "json").json["changes"]
    assert change["notes"] == ["it cites src/retry.py, which is not in the repository"]


def test_a_name_that_is_not_of_this_repository_is_named_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = _make(tmp_path, f"{_BODY}- All of it ends in a `NoClassDefFoundError` without the daemon.\n")
    (change,) = _review(capsys, repo, "--format", "json").json["changes"]
    assert change["notes"] == ["never in this repository: NoClassDefFoundError"]


def test_each_fact_gets_its_own_notes_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # A line may hold the end of one sentence and the beginning of the next.
    body = (
        "The job starts in `src/deploy.py` and\nends in `README.md`. What it does again after\n"
        "a failure is in `src/retry_policy.py`. Nobody\nwatches it at night.\n"
    )
    after = {**_FILES, "MEMORY.md": index("deploys", "jobs"), "jobs.md": topic(body, "jobs")}
    repo = build(tmp_path, Scene("a topic", _FILES, after))
    changes = _review(capsys, repo, "--format", "json").json["changes"]
    assert [change["notes"] for change in changes if change["form"] == "sentence"] == [
        ["verified: src/deploy.py, README.md"],
        ["path-missing: src/retry_policy.py does not exist and never did"],
        [],
    ]


def test_what_concerns_a_file_is_no_note_on_a_fact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = "".join(f"- Pool {name} keeps its slots open.\n" for name in "abcdefghijkl")
    before = {**_FILES, "deploys.md": topic(long)}
    after = {
        **_FILES,
        "deploys.md": "# Workers of the night shift drain every queue\n",
        "jobs.md": "Workers drain the queue.\n",
    }
    found = _review(capsys, build(tmp_path, Scene("a topic", before, after)), "--format", "json").json
    rules = {point["rule"] for point in found["points"]}
    assert {"index-orphan", "topic-no-frontmatter", "memory-shrunk"} <= rules
    assert [change["notes"] for change in found["changes"] if change["kind"] == "added"] == [[], []]


def test_what_was_false_before_is_no_news(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Git cannot name the commit that made a citation of lines, or a pattern, wrong.
    cited = f"{_BODY}- The retries are in `src/retry.py:40-60`.\n- Types are in `src/types/*.py`.\n"
    repo = make_repository(tmp_path)
    for name, content in {**_FILES, "deploys.md": topic(cited)}.items():
        repo.write(f"{SCOPE}/{name}", content)
    repo.write("src/retry.py", "".join(f"x{n} = {n}\n" for n in range(90)))
    repo.write("src/types/order.py", "x = 1\n")
    repo.commit("all is true", "2026-01-01T12:00:00Z")
    broken = repo.run("rev-parse", "HEAD")
    repo.write("src/retry.py", "x = 1\n")
    repo.delete("src/types/order.py")
    repo.commit("nothing is true", "2026-03-01T12:00:00Z")
    repo.run("checkout", "--quiet", "-b", "work")
    repo.write(f"{SCOPE}/deploys.md", topic(f"{cited}- The queue is drained before an upgrade.\n"))
    repo.commit("say more", "2026-04-01T12:00:00Z")
    done = _review(capsys, repo, "--format", "json")
    assert done.json["points"] == []
    assert done.json["claims"] == {}
    # The change that breaks it is told.
    told = memci(capsys, repo.root, "review", "--base", broken, "--now", "2026-11-16", "--format", "json")
    assert {point["rule"] for point in told.json["points"]} == {"line-out-of-range", "path-missing"}


def test_what_was_said_to_be_pinned_is_named_when_it_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "  pinned: true\n"
    repo = build(
        tmp_path,
        Scene(
            "a pinned topic",
            {**_FILES, "deploys.md": topic(_BODY, head=head)},
            {**_FILES, "deploys.md": topic(_BODY.replace("Keep", "Hold"), head=head)},
        ),
    )
    assert "pinned-changed" in _review(capsys, repo).out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 2),
        (("--base", "nowhere"), 2),
        (("--base", "main", "--head", "nowhere"), 2),
        (("--base", "main", "--from", "x.json"), 2),
        (("--from", "absent.json"), 2),
    ],
)
def test_nonsense_is_refused(
    arguments: tuple[str, ...], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert memci(capsys, _make(tmp_path, _BODY).root, "review", *arguments).code == code


def test_outside_of_a_repository_there_is_nothing_to_compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert memci(capsys, tmp_path, "review", "--base", "main").code == 2


def test_a_repository_without_commits_has_nothing_to_compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = memci(capsys, make_repository(tmp_path).root, "review", "--base", "main")
    assert (done.code, "there is none yet" in done.err) == (2, True)
