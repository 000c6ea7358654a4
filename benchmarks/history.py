"""What the questions about the past cost, against the one git command that each cannot do without."""

import resource
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from memci.drift.history import History, Written
from memci.drift.removals import Removals
from memci.drift.worktree import iter_worktree
from memci.git import find_repository

FILES = 20_000
COMMITS = 5_000
ROUNDS = 12
LOG = ("log", "-c", "--no-renames", "--diff-filter=D", "--name-status", "-z", "--format=%x00/%H %ct %s", "HEAD", "--")


def name(number: int) -> str:
    return f"src/p{number % 50}/d{number % 400}/module_{number}.py"


def text(number: int) -> str:
    return "".join(f"def function_{number}_{line}(): return {line}\n" for line in range(20))


def make_history(root: Path) -> None:
    """Commit edits; every tenth commit renames a file with an edit, every tenth removes one."""
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=root, check=True)
    process = subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE)
    assert process.stdin is not None

    def put(path: str, content: str) -> str:
        return f"M 644 inline {path}\ndata {len(content)}\n{content}\n"

    for number in range(COMMITS):
        head = f"commit refs/heads/main\ncommitter A <a@b.c> {1_700_000_000 + number * 600} +0000\ndata 7\nchange \n"
        match number % 10:
            case _ if number == 0:
                body = "".join(put(name(file), text(file)) for file in range(FILES))
            case 3:
                body = f"D {name(number)}\n" + put(f"lib/moved_{number}.py", text(number) + "edited = True\n")
            case 7:
                body = f"D {name(number)}\n"
            case _:
                body = put(name(FILES - number), text(number))
        process.stdin.write((head + body).encode())
    process.stdin.close()
    assert process.wait() == 0
    subprocess.run(["git", "reset", "--quiet", "--hard"], cwd=root, check=True)


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
        written = [Written(commit, -rank) for rank, commit in enumerate(out.decode().split()) if rank % 80 == 0]
        gone = [name(number) for number in range(3, COMMITS, 10)]
        removed = [name(number) for number in range(7, COMMITS, 10)]

        # What HEAD has is asked for anyway, by whoever looks for paths.
        history = History(repository)
        assert history.present

        def ask(cited: list[str]) -> Callable[[], object]:
            return lambda: Removals(history).find_fates(cited)

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
            ("removals, 1 renamed path", "the log", ask(gone[:1]), git(root, *LOG)),
            ("removals, 20 renamed, 20 removed", "the log", ask(gone[:20] + removed[:20]), git(root, *LOG)),
            ("removals, 400 paths", "the log", ask(gone[:200] + removed[:200]), git(root, *LOG)),
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


if __name__ == "__main__":
    main()
