#!/usr/bin/env python3
"""Build the example: a small shop with a git history and two memory scopes.

Needs Python 3.11 and git. Every commit has the same id on every machine.
"""

import argparse
import datetime as dt
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
BRANCH = "main"


def read_header(text: str) -> tuple[list[tuple[str, str]], str]:
    """Split a `.commit` file into its fields and the message."""
    head, _, message = text.partition("\n\n")
    pairs = (line.partition(": ") for line in head.split("\n"))
    return [(key, value) for key, _, value in pairs], message


def data(content: bytes) -> bytes:
    """Return content as `git fast-import` reads it."""
    return b"data %d\n%s\n" % (len(content), content)


def changes(fields: list[tuple[str, str]], folder: Path) -> Iterator[bytes]:
    """Yield what a commit does to the files: moves and deletions first, then what it writes."""
    for key, value in fields:
        if key == "Rename":
            old, new = value.split(" -> ")
            yield f'R "{old}" "{new}"\n'.encode()
        elif key == "Delete":
            yield f'D "{value}"\n'.encode()
    # What begins with a dot is none of ours, but of an editor or a file manager.
    for source in sorted(path for path in folder.rglob("[!.]*") if path.is_file()):
        # `dot-claude+memory` here is `.claude/memory` there: no tool shall take it for the memory of this repository.
        path = f"/{source.relative_to(folder).as_posix()}".replace("/dot-", "/.").replace("+", "/")[1:]
        yield f'M 100644 inline "{path}"\n'.encode()
        yield data(source.read_bytes())


def stream(history: Path) -> Iterator[bytes]:
    """Yield the commits, oldest first, as `git fast-import` reads them."""
    for header in sorted(history.glob("*.commit")):
        fields, message = read_header(header.read_text(encoding="utf-8"))
        values = dict(fields)
        seconds = int(dt.datetime.fromisoformat(values["Date"]).timestamp())
        who = f"{values['Author']} {seconds} +0000"
        yield f"commit refs/heads/{BRANCH}\nauthor {who}\ncommitter {who}\n".encode()
        yield data(message.encode())
        yield from changes(fields, header.with_suffix(""))


def git(target: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run git with no settings but its own, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }
    # Attributes have a default place in the home directory, which GIT_CONFIG_GLOBAL does not switch off.
    command = ["git", "-c", f"core.attributesFile={os.devnull}", *arguments]
    done = subprocess.run(command, cwd=target, env=environment, input=stdin, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().strip()


def build(target: Path) -> None:
    """Make the repository and check out its last commit."""
    target.mkdir(parents=True, exist_ok=True)
    git(target, "init", "--quiet", "--template=", "--object-format=sha1", f"--initial-branch={BRANCH}")
    git(target, "config", "core.autocrlf", "false")
    git(target, "fast-import", "--quiet", "--date-format=raw", stdin=b"".join(stream(HERE / "history")))
    git(target, "reset", "--quiet", "--hard", BRANCH)


def main() -> int:
    """Build the example in the directory named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", metavar="DIR", type=Path, help="where to build; must be empty or not exist")
    target: Path = parser.parse_args().directory.absolute()
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            parser.error(f"{target} exists and is not an empty directory")
        build(target)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{parser.prog}: {error}\n")
        return 1
    commits = git(target, "rev-list", "--count", "HEAD")
    head = git(target, "rev-parse", "--short=12", "HEAD")
    sys.stdout.write(
        f"shop         {target}: {commits} commits, HEAD {head}\n"
        "memory       .claude/agent-memory/reviewer, .claude/memory\n"
        f"transcripts  {HERE / 'transcripts'}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
