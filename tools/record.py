"""Records the output of memci on many repositories, to prove that a move, a rename or a library does not change it.

    python -m tools.record record before.json --scenes DIR --keep build/before
    python -m tools.record record after.json --scenes DIR --keep build/after
    python -m tools.record compare before.json after.json

A scene is a directory with a work tree in `repo` and optional sessions in `transcripts`, or a work tree itself. The
bundled example is always recorded.
"""

import hashlib
import json
import multiprocessing
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

_ROOT = Path(__file__).resolve().parent.parent
_NOW = "2026-11-16T03:00:00Z"
# The durations of the phases, which differ between runs.
_TIMINGS = re.compile(r'"timings": \{[^}]*\}')
# Most repositories have changes of memory within this many commits, and it is quick.
_COMMITS_BACK = 20


class Scene(NamedTuple):
    """One repository to run the commands on."""

    name: str
    repository: Path
    transcripts: Path | None


class Answer(NamedTuple):
    """What one command answered."""

    key: str
    exit_code: int
    output: str
    complaints: str


@click.group()
def main() -> None:
    """Record and compare the answers of memci."""


@main.command()
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--scenes", multiple=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="Also write the answers here.")
@click.option("--jobs", default=2, show_default=True)
def record(target: Path, scenes: tuple[Path, ...], keep: Path | None, jobs: int) -> None:
    """Run the commands on all scenes and write the hashes of their answers to TARGET."""
    _import_everything()
    with tempfile.TemporaryDirectory() as scratch:
        tasks = [(scene, Path(scratch)) for scene in [_build_example(Path(scratch)), *_list_scenes(scenes)]]
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            answers = sorted(answer for group in pool.imap_unordered(_answer_scene, tasks) for answer in group)
    target.write_text(json.dumps({answer.key: _hash(answer) for answer in answers}, indent=1) + "\n")
    if keep:
        for answer in answers:
            _keep(answer, keep / answer.key)
    click.echo(f"{len(tasks)} scenes, {len(answers)} answers")


@main.command()
@click.argument("before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def compare(before: Path, after: Path) -> None:
    """Name the answers that differ; exit 1 if there are any."""
    old, new = (json.loads(path.read_text()) for path in (before, after))
    different = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    for key in different:
        one, other = old.get(key, {}), new.get(key, {})
        click.echo(f"{key}: {', '.join(part for part in ('exit', 'out', 'err') if one.get(part) != other.get(part))}")
    click.echo(f"{len(different)} of {len(old)} answers differ")
    sys.exit(bool(different))


def _import_everything() -> None:
    """Import all of memci, so that the forked children do not have to."""
    import memci

    for module in pkgutil.walk_packages(memci.__path__, "memci."):
        if not module.name.endswith("__main__"):
            __import__(module.name)


def _build_example(scratch: Path) -> Scene:
    repository = scratch / "example"
    script = _ROOT / "examples/shop/build.py"
    subprocess.run([sys.executable, str(script), str(repository)], check=True, stdout=subprocess.DEVNULL)
    return Scene("example", repository, _ROOT / "examples/shop/transcripts")


def _list_scenes(directories: tuple[Path, ...]) -> Iterator[Scene]:
    for directory in sorted(path.resolve() for parent in directories for path in parent.iterdir()):
        if (directory / ".git").exists():
            yield Scene(directory.name, directory, None)
        elif (directory / "repo/.git").exists():
            transcripts = directory / "transcripts"
            yield Scene(directory.name, directory / "repo", transcripts if transcripts.is_dir() else None)


def _answer_scene(task: tuple[Scene, Path]) -> list[Answer]:
    scene, scratch = task
    own = scratch / f"run-{scene.name}"
    # Work on a copy: state and caches of an earlier recording would hide a difference.
    repository = own / "repo"
    shutil.copytree(scene.repository, repository, symlinks=True)
    transcripts = () if scene.transcripts is None else ("--transcripts", str(scene.transcripts))
    commands = {
        "check": ("check", "--format", "json", "--now", _NOW),
        "signals": ("signals", "--format", "json", "--now", _NOW, *transcripts),
        "dream": (
            "dream",
            "--format",
            "json",
            "--now",
            _NOW,
            "--engine",
            "local",
            "--force",
            "--dry-run",
            *transcripts,
        ),
        "review": ("review", "--format", "json", "--now", _NOW, "--base", _read_base(repository)),
    }
    answers = [_answer(f"{scene.name}/{name}", arguments, own) for name, arguments in commands.items()]
    shutil.rmtree(own)
    return answers


def _read_base(repository: Path) -> str:
    """Return the id of an older commit among the first parents of HEAD."""
    options = ("rev-list", "--first-parent", f"--max-count={_COMMITS_BACK}", "HEAD")
    done = subprocess.run(["git", *options], cwd=repository, capture_output=True, text=True, check=False)
    return (done.stdout.split() or ["HEAD"])[-1]


def _answer(key: str, arguments: tuple[str, ...], own: Path) -> Answer:
    """Run one command in a forked child."""
    out, err = own / "out", own / "err"
    child = os.fork()
    if child == 0:
        _run_child(arguments, own, out, err)
    _, status = os.waitpid(child, 0)
    texts = [path.read_text("utf-8", "surrogateescape") for path in (out, err)]
    texts = [text.replace(str(own), "SCENE").replace(str(_ROOT), "ROOT") for text in texts]
    return Answer(key, os.waitstatus_to_exitcode(status), _TIMINGS.sub('"timings": {}', texts[0]), texts[1])


def _run_child(arguments: tuple[str, ...], own: Path, out: Path, err: Path) -> None:
    """Run memci in this child; never returns."""
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.chdir(own / "repo")
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "CLAUDE_", "GIT_", "MEMCI_"))]:
        del os.environ[name]
    homes = {name: str(own / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    os.environ.update(homes, NO_COLOR="1", COLUMNS="100")
    sys.argv = ["memci", *arguments]
    from memci.__main__ import run

    code: object = 70
    try:
        run()
    except SystemExit as error:
        code = error.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 70)


def _hash(answer: Answer) -> dict[str, object]:
    texts = {"out": answer.output, "err": answer.complaints}
    hashes = {name: hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest() for name, text in texts.items()}
    return {"exit": answer.exit_code, **hashes}


def _keep(answer: Answer, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    for suffix, text in ((".json", answer.output), (".err", answer.complaints)):
        place.with_name(place.name + suffix).write_bytes(text.encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main()
