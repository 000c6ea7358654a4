"""What the questions about the past cost, against the one git command that each cannot do without."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from memci.citations.code.code_files import iter_worktree
from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import History, LineOrigin
from memci.git.repository import find_repository

FILES = 20_000
COMMITS = 5_000
ROUNDS = 12
LONG = 210_000
# What removals cannot be known without, and the one command that names renames as well.
LOG = ("log", "-c", "--no-renames", "--diff-filter=D", "--name-status", "-z", "--format=%x00/%H %ct %s", "HEAD", "--")
RENAMES = ("log", "-M", "--diff-filter=RD", "--name-status", "-z", "--format=%x00/%H %ct %s", "HEAD", "--")


def name(number: int) -> str:
    return f"src/p{number % 50}/d{number % 400}/module_{number}.py"


def text(number: int) -> str:
    return "".join(f"def function_{number}_{line}(): return {line}\n" for line in range(20))


class FastImport:
    """A history that is being written."""

    def __init__(self, root: Path) -> None:
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=root, check=True)
        self.root = root
        self.process = subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE)

    def __enter__(self) -> Self:
        return self

    def commit(self, number: int, files: Mapping[str, str], gone: str = "") -> None:
        when = 1_500_000_000 + number * 600
        parts = [f"commit refs/heads/main\ncommitter A <a@b.c> {when} +0000\ndata 7\nchange \n".encode()]
        parts += [f"D {gone}\n".encode()] if gone else []
        for path, content in files.items():
            data = content.encode()
            parts.append(b"M 644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(parts))

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait() == 0
        subprocess.run(["git", "reset", "--quiet", "--hard"], cwd=self.root, check=True)


def make_history(root: Path) -> None:
    """Commit edits; every tenth commit renames a file with an edit, every tenth removes one."""
    with FastImport(root) as history:
        history.commit(0, {name(file): text(file) for file in range(FILES)})
        for number in range(1, COMMITS):
            match number % 10:
                case 3:
                    history.commit(number, {f"lib/moved_{number}.py": text(number) + "edited = True\n"}, name(number))
                case 7:
                    history.commit(number, {}, name(number))
                case _:
                    history.commit(number, {name(FILES - number): text(number)})


def used() -> float:
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in spent)


def measure(*works: Callable[[], object]) -> list[float]:
    """Return the least CPU seconds of each, children included; they take turns, because the machine has moods."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            before = used()
            work()
            best[place] = min(best[place], used() - before)
    return best


def git(root: Path, *arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        make_history(root)
        repository = find_repository(root)
        assert repository is not None
        out = subprocess.run(["git", "rev-list", "HEAD"], cwd=root, capture_output=True, check=True).stdout
        written = [LineOrigin(commit, -rank) for rank, commit in enumerate(out.decode().split()) if rank % 80 == 0]
        gone = [name(number) for number in range(3, COMMITS, 10)]
        removed = [name(number) for number in range(7, COMMITS, 10)]

        # What HEAD has is asked for anyway, by whoever looks for paths.
        history = History(repository)
        assert history.present

        def ask(cited: list[str]) -> Callable[[], object]:
            return lambda: Removals(history).find_fates(cited)

        some, many = gone[:20] + removed[:20], gone[:200] + removed[:200]
        rows: list[tuple[str, str, Callable[[], object], Callable[[], object]]] = [
            ("paths now", "git ls-files", lambda: frozenset(repository.list_tracked()), git(root, "ls-files", "-z")),
            (
                "paths of HEAD",
                "git ls-tree",
                lambda: History(repository).present,
                git(root, "ls-tree", "-rz", "HEAD"),
            ),
            (
                f"trees of {len(written)} commits",
                "a git ls-tree for each",
                lambda: History(repository).read_trees(written),
                lambda: [git(root, "ls-tree", "-rz", one.commit)() for one in written],
            ),
            ("removals, 1 path that never was", "the log", ask(["never.py"]), git(root, *LOG)),
            ("the same", "the log with renames", ask(["never.py"]), git(root, *RENAMES)),
            ("removals, 20 renamed, 20 removed", "the log", ask(some), git(root, *LOG)),
            ("the same", "the log with renames", ask(some), git(root, *RENAMES)),
            ("removals, 400 paths", "the log", ask(many), git(root, *LOG)),
            ("the same", "the log with renames", ask(many), git(root, *RENAMES)),
            (
                "contents of the work tree",
                "git grep for an absent word",
                lambda: sum(len(data) for _, data in iter_worktree(root, repository.list_tracked(), 1_000_000)),
                lambda: subprocess.run(["git", "grep", "-q", "-F", "absent word"], cwd=root, check=False),
            ),
        ]
        print("| question | CPU ms | against | CPU ms | ratio |\n|---|---|---|---|---|")
        for label, against, work, reference in rows:
            ours, theirs = measure(work, reference)
            print(f"| {label} | {ours * 1000:.0f} | {against} | {theirs * 1000:.0f} | {ours / theirs:.2f} |")
        repository.close()
        print(f"\npeak MB {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")


def make_long_history(root: Path) -> None:
    """Commit one small edit after the other; memory from the beginning cites what goes and moves later on."""
    cited = range(100, 160)
    lines = "".join(f"- See `{name(number)}` and `function_{number}_3`.\n" for number in cited)
    head = "---\nname: a\ndescription: about a\nmetadata:\n  type: project\n---\n"
    moments = {LONG // 2 + (number - 100) * 1_000: number for number in cited}
    with FastImport(root) as history:
        for number in range(LONG):
            if number == 0:
                files = {name(file): text(file) for file in range(2_000)}
                memory = {".claude/memory/a.md": head + lines, ".claude/memory/MEMORY.md": "- [A](a.md) — about a\n"}
                history.commit(number, files | memory)
            elif number in moments:
                gone = moments[number]
                moved = {f"lib/moved_{gone}.py": text(gone) + "edited = True\n"} if gone % 2 else {}
                history.commit(number, moved, name(gone))
            else:
                history.commit(number, {name(200 + number % 1_800): f"value = {number}\n"})


def show_long() -> None:
    """Check a repository whose history is longer than what memci reads."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        make_long_history(root)
        code = (
            "import resource, sys; from memci.cli import main; main(sys.argv[1:]);"
            " print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)"
        )
        report = {}
        for run in ("first", "second"):
            before, started = used(), time.monotonic()
            command = [sys.executable, "-c", code, "-C", str(root), "check", "--format", "json"]
            done = subprocess.run(command, capture_output=True, check=True)
            wall, spent, peak = time.monotonic() - started, used() - before, done.stderr.split()[-1].decode()
            print(f"\n{LONG:,} commits, {run} check: {wall:.1f} s, {spent:.1f} CPU s, peak MB {peak}")
            report = json.loads(done.stdout)
        print(report["claims"], *(skipped["why"] for skipped in report["skipped"]), sep="\n")


if __name__ == "__main__":
    main()
    show_long()
