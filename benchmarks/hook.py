"""CPU time of the hook that checks a memory file right after the agent wrote it; a session waits for it.

`python -m benchmarks.hook` measures this checkout, `python -m benchmarks.hook DIRECTORY` another one beside it.
"""

import compileall
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.check import write_clean_memory

ROUNDS = 25
ROOT = Path(__file__).resolve().parent.parent
TOPICS = 100
BRANCHES = 20
BRANCH_FILES = 500
STALE = "---\nname: stale\ndescription: {0}\ntype: project\n---\nRun `make build` after {0}, as `src/old.py` does it.\n"


def git(directory: Path, *arguments: str) -> None:
    author = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@example.com")
    subprocess.run(["git", *author, *arguments], cwd=directory, check=True, stdout=subprocess.DEVNULL)


def build(parent: Path) -> dict[str, Path]:
    """Return the files that an agent may have written, by what they are."""
    root = parent / "repository"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    scope = root / ".claude/memory"
    (root / "src").mkdir()
    (root / "src/old.py").write_text("x = 1\n")
    (root / "README.md").write_text("# A file that is no memory\n")
    write_clean_memory(root)
    for number in range(TOPICS):
        (scope / f"topic{number}.md").write_text(STALE.format(f"step {number}"))
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "topics")
    git(root, "mv", "src/old.py", "src/new.py")
    git(root, "commit", "-q", "-m", "move")
    # Branches that are not merged: what they have is compared only for what was never here.
    for number in range(BRANCHES):
        git(root, "checkout", "-q", "-b", f"branch{number}", "main")
        for file in range(BRANCH_FILES):
            (root / f"src/file{file}.py").write_text(f"x = {number}\n")
        git(root, "add", "src")
        git(root, "commit", "-q", "-m", "branch")
    git(root, "checkout", "-q", "main")
    return {
        "a topic without a finding": scope / "database.md",
        "a topic that cites a moved file, of 105": scope / "topic7.md",
        "an index": scope / "MEMORY.md",
        "a Markdown file that is no memory": root / "README.md",
    }


def measure(command: list[str], told: bytes, directory: Path, package: Path) -> float:
    """Return CPU milliseconds of one run, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"PYTHONPATH": str(package)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(command, input=told, cwd=directory, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main(packages: list[Path]) -> None:
    for package in packages:
        compileall.compile_dir(package / "memci", quiet=1)
    print("| written | python -c pass |", " | ".join(str(package) for package in packages), "|")
    print("| --- | --: |", " | ".join("--:" for _ in packages), "|")
    with tempfile.TemporaryDirectory() as place:
        for name, file in build(Path(place)).items():
            root = Path(place) / "repository"
            told = json.dumps({"cwd": str(root), "tool_input": {"file_path": str(file)}}).encode()
            hook = [sys.executable, "-m", "memci", "check", "--hook"]
            commands = {"pass": [sys.executable, "-c", "pass"]} | {str(package): hook for package in packages}
            times: dict[str, list[float]] = {key: [] for key in commands}
            for _ in range(ROUNDS):
                for key, command in commands.items():
                    times[key].append(measure(command, told, root, ROOT if key == "pass" else Path(key)))
            cells = (
                f"{statistics.median(found):.0f} ({min(found):.0f} to {max(found):.0f})" for found in times.values()
            )
            print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main([ROOT, *map(Path, sys.argv[1:])])
