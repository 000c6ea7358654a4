"""`memci init`: what it writes is checked by the tools that read it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from memci import HOMEPAGE, __version__
from memci.runs.init import installed_reference, make_cron, render_github
from tests.commands.dreams import make_shop
from tests.commands.run import memci
from tests.gate import in_gate
from tests.repository import make_repository

WORKFLOW = ".github/workflows/memci.yml"
ADDRESS = "https://github.com/acme/shop.git"
ROOT = Path(__file__).parents[2]
# What is installed from a directory or a fork was never released here.
NEWEST = "main"
DREAMS = f"jobs:\n  a:\n    uses: {HOMEPAGE.removeprefix('https://github.com/')}/.github/workflows/dream.yml@main\n"


def validate(schema: str, *files: Path) -> None:
    """Ask the official schema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()


def audit(directory: Path) -> str:
    """Ask the auditor with its strictest persona."""
    program = Path(sys.executable).with_name("zizmor")
    command = [str(program), "--offline", "--no-progress", "--persona=auditor", str(directory)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("path", "text", "arguments"),
    [
        (WORKFLOW, "mine", ()),
        (WORKFLOW, "", ()),
        (".github/workflows/nightly.yaml", DREAMS, ()),
        (".github/workflows/nightly.yml", "jobs: {a: {steps: [{run: memci -q dream --bundle x}]}}", ()),
        (".memci.yml", "fail-on: warning\n", ()),
        ("pyproject.toml", "[tool.memci]\nfail-on = 'warning'\n", ()),
        (".gitlab/memci.yml", "mine", ("--gitlab",)),
        (".gitlab-ci.yml", "mine", ("--gitlab",)),
        (
            ".claude/settings.json",
            '{"hooks": {"SessionEnd": [{"hooks": [{"command": "memci collect"}]}]}}',
            ("--collect",),
        ),
    ],
)
def test_a_file_that_is_there_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, path: str, text: str, arguments: tuple[str, ...]
) -> None:
    target = make_repository(tmp_path).write(path, text)
    for _ in range(2):
        done = memci(capsys, tmp_path, "init", *arguments)
        assert done.code == 0
        assert f"kept   {path}: it " in done.out
        assert target.read_text() == text
    assert len(list((tmp_path / ".github/workflows").glob("*"))) == ("--gitlab" not in arguments)


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [(".memci.yml", "scopess: x\n", 2), (".memci.yaml", "", 2), (".claude/settings.json", "{,}", 5)],
)
def test_nothing_is_written_where_something_is_broken(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, path: str, text: str, code: int
) -> None:
    make_repository(tmp_path).write(path, text)
    assert memci(capsys, tmp_path, "init", "--collect").code == code
    assert not (tmp_path / ".github").exists()


def test_nothing_is_written_through_a_link(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "repo")
    outside = tmp_path / "outside"
    outside.mkdir()
    repo.link(".github", outside)
    done = memci(capsys, repo.root, "init", "--collect")
    assert done.code == 5
    assert "nothing was written" in done.err
    assert list(outside.iterdir()) == []
    assert [path.name for path in repo.root.iterdir() if path.name != ".git"] == [".github"]


def test_outside_of_git_is_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = memci(capsys, tmp_path, "init")
    assert (done.code, done.out) == (2, "")
    assert "git init" in done.err


def test_a_dry_run_shows_everything_and_writes_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    shown = memci(capsys, tmp_path, "init", "--dry-run", "--collect")
    result = memci(capsys, tmp_path, "init", "--dry-run", "--collect", "--format", "json").json
    assert repo.run("status", "--porcelain") == ""
    assert [file["path"] for file in result["files"]] == [WORKFLOW, ".memci.yml", ".claude/settings.json"]
    assert not any(file["written"] for file in result["files"])
    memci(capsys, tmp_path, "init", "--collect")
    for file in result["files"][:2]:
        assert (tmp_path / file["path"]).read_text() == file["text"]
    assert "would write  .memci.yml\n| # yaml-language-server: " in shown.out


def test_in_an_empty_repository_from_a_subdirectory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    (tmp_path / "deep/down").mkdir(parents=True)
    done = memci(capsys, tmp_path / "deep/down", "init")
    assert done.code == 0
    assert repo.run("status", "--porcelain", "--untracked-files=all").split() == ["??", WORKFLOW, "??", ".memci.yml"]
    assert "There is no memory here yet" in done.out
    assert "git remote add origin" in done.out


def test_says_what_only_people_can_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    make_shop(tmp_path).run("remote", "add", "origin", "git@github.com:acme/shop.git")
    done = memci(capsys, tmp_path, "init")
    assert "Allow GitHub Actions to create and approve pull requests" in done.out
    assert "https://github.com/acme/shop/settings/actions" in done.out
    assert "optional: the secret ANTHROPIC_API_KEY" in done.out
    assert "no memory here" not in done.out
    assert memci(capsys, tmp_path, "-q", "init").out.count("\n") == 2


@pytest.mark.parametrize("reference", in_gate(["f" * 40, "v0.1.0"]))
def test_the_workflow_passes_the_schema_and_the_auditor(tmp_path: Path, reference: str) -> None:
    target = tmp_path / WORKFLOW
    target.parent.mkdir(parents=True)
    target.write_text(render_github("17 3 * * *", reference))
    validate("vendor.github-workflows", target)
    validate("custom.github-workflows-require-timeout", target)
    # Only a reference that cannot be pinned is let pass, and the file says how to pin it.
    assert ("ignored" in audit(tmp_path)) is (len(reference) != 40)
    assert target.read_text().count(f"@{reference}") == 2


def test_the_workflow_calls_what_there_is() -> None:
    called = yaml.safe_load(render_github("17 3 * * *", "v1"))["jobs"]
    for job in called.values():
        path = job["uses"].partition("/.github/")[2].partition("@")[0]
        # YAML 1.1 takes `on` for true.
        workflow = yaml.safe_load((ROOT / ".github" / path).read_text())
        declared = workflow[True]["workflow_call"]
        assert job.get("with", {}).keys() <= declared["inputs"].keys()
        assert job.get("secrets", {}).keys() <= declared.get("secrets", {}).keys()
        asked = {name: level for inner in workflow["jobs"].values() for name, level in inner["permissions"].items()}
        assert asked.keys() == job["permissions"].keys()


def test_the_jobs_for_gitlab_pass_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repository(tmp_path)
    repo.run("remote", "add", "origin", "https://gitlab.com/acme/team/shop.git")
    done = memci(capsys, tmp_path, "init", "--format", "json")
    assert done.json["forge"] == "gitlab"
    assert not (tmp_path / ".github").exists()
    validate("vendor.gitlab-ci", tmp_path / ".gitlab-ci.yml", tmp_path / ".gitlab/memci.yml")
    assert "local: .gitlab/memci.yml" in (tmp_path / ".gitlab-ci.yml").read_text()
    assert any("MEMCI_TOKEN" in step and "gitlab.com/acme/team/shop" in step for step in done.json["next"])
    github = memci(capsys, tmp_path, "init", "--github", "--format", "json")
    assert github.json["files"][0]["path"] == WORKFLOW


def note_origin(place: Path, monkeypatch: pytest.MonkeyPatch, noted: object) -> None:
    """Let memci find what pip notes about an installation."""
    noting = place / f"memci-{__version__}.dist-info"
    noting.mkdir(parents=True)
    (noting / "METADATA").write_text(f"Metadata-Version: 2.1\nName: memci\nVersion: {__version__}\n")
    if noted:
        (noting / "direct_url.json").write_text(json.dumps(noted))
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setenv("PYTHONPATH", str(place))


@pytest.mark.parametrize("forge", ["--gitlab", "--github"])
def test_what_init_writes_runs_the_version_that_wrote_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, forge: str
) -> None:
    commit = "a1" * 20
    note_origin(tmp_path / "site", monkeypatch, {"url": HOMEPAGE, "vcs_info": {"commit_id": commit}})
    repo = make_repository(tmp_path / "repo")
    assert memci(capsys, repo.root, "init", forge).code == 0
    written = (repo.root / (".gitlab/memci.yml" if forge == "--gitlab" else WORKFLOW)).read_text()
    assert f"@{commit}" in written
    assert "@main" not in written


def test_the_jobs_for_gitlab_keep_what_they_download(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_repository(tmp_path)
    assert memci(capsys, tmp_path, "init", "--gitlab").code == 0
    jobs = yaml.safe_load((tmp_path / ".gitlab/memci.yml").read_text())
    kept = jobs[".memci"]
    assert [f"$CI_PROJECT_DIR/{path}" for path in kept["cache"]["paths"]] == [kept["variables"]["PIP_CACHE_DIR"]]
    assert all(job.get("extends") == ".memci" for name, job in jobs.items() if name.startswith("memci-"))


def test_at_gitea_nothing_is_promised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_repository(tmp_path).run("remote", "add", "origin", "https://codeberg.org/acme/shop.git")
    done = memci(capsys, tmp_path, "init", "--format", "json")
    assert (done.json["forge"], done.json["files"][0]["path"]) == ("gitea", WORKFLOW)
    assert not any("GitHub Actions" in step for step in done.json["next"])


def test_an_existing_pipeline_gets_a_line_to_add(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_repository(tmp_path).write(".gitlab-ci.yml", "test: {script: [make]}\n")
    done = memci(capsys, tmp_path, "init", "--gitlab")
    assert "add to .gitlab-ci.yml: include: [{local: .gitlab/memci.yml}]" in done.out


def test_the_time_belongs_to_the_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crons = set()
    for name, url in {"a": ADDRESS, "b": "git@github.com:acme/shop.git", "c": "ssh://git@github.com/Acme/Shop"}.items():
        repo = make_repository(tmp_path / name)
        repo.run("remote", "add", "origin", url)
        crons.add(memci(capsys, repo.root, "init", "--format", "json").json["schedule"])
    (cron,) = crons
    assert f'cron: "{cron}"' in (tmp_path / "a" / WORKFLOW).read_text()
    many = [make_cron(f"acme/{number}").split(" ") for number in range(2_000)]
    assert {int(minute) for minute, *_ in many} == set(range(1, 60))
    assert {int(hour) for _, hour, *_ in many} == set(range(1, 6))


def test_collected_sessions_are_what_the_dream_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_shop(tmp_path)
    repo.run("remote", "add", "upstream", ADDRESS)
    done = memci(capsys, tmp_path, "init", "--collect")
    assert "wrote  .claude/settings.json" in done.out
    hook = json.loads((tmp_path / ".claude/settings.json").read_text())["hooks"]["SessionEnd"][0]["hooks"][0]["command"]
    assert "--to git:memci/sessions --push --remote upstream" in hook
    # Before the first session there is no such branch; a nightly dream must not fail for that.
    dream = memci(capsys, tmp_path, "dream", "--engine", "local", "--dry-run")
    assert dream.code == 0
    assert "git:memci/sessions in the settings: no such commit" in dream.err


@pytest.mark.parametrize(
    ("noted", "expected"),
    [
        ({"url": HOMEPAGE, "vcs_info": {"vcs": "git", "commit_id": "a1" * 20}}, "a1" * 20),
        ({"url": f"{HOMEPAGE}.git", "vcs_info": {"commit_id": "a1" * 20}}, "a1" * 20),
        ({"url": "https://github.com/other/memci", "vcs_info": {"commit_id": "a1" * 20}}, NEWEST),
        ({"url": HOMEPAGE, "vcs_info": {"commit_id": "main; rm"}}, NEWEST),
        ({"url": "file:///src", "dir_info": {"editable": True}}, NEWEST),
        (None, f"v{__version__}"),
    ],
)
def test_the_reference_is_the_commit_that_pip_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noted: object, expected: str
) -> None:
    note_origin(tmp_path, monkeypatch, noted)
    assert installed_reference() == expected
