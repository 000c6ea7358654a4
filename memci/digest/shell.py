"""Classifies command lines: their program, whether they are read-only, and what their output says about success."""

import re

from memci.patterns import LazyPattern

# Read-only programs, which are not worth listing in a digest.
_READ_ONLY = {
    "ls", "cat", "head", "tail", "grep", "egrep", "rg", "ag", "find", "fd", "wc", "pwd", "echo", "printf", "which",
    "type", "file", "stat", "tree", "du", "df", "sort", "uniq", "cut", "tr", "jq", "awk", "sed", "diff", "less", "more",
    "env", "date", "whoami", "ps", "sleep", "true", "test", "[", "cd", "export", "set", "basename", "dirname",
    "realpath", "readlink", "column", "xargs", "comm", "nl", "od", "xxd", "hexdump", "sha256sum", "md5sum",
}  # fmt: skip
_READ_ONLY_GIT = {
    "status", "log", "diff", "show", "branch", "blame", "ls-files", "remote", "rev-parse", "reflog", "grep", "describe",
}  # fmt: skip
_CHANGING = (" -exec", " -delete", " -i ", " -i'", " --in-place", " tee ")
# Removed before a line is split: a pipe inside quotation marks is an argument.
_QUOTED = LazyPattern(r"'[^']*'|\"[^\"]*\"")
_PARTS = LazyPattern(r"&&|\|\||[;|\n]")
_ASSIGNMENT = LazyPattern(r"[A-Za-z_]\w{0,60}=\S{0,200}$")
_WORD = LazyPattern(r"[a-z][a-z0-9:_-]{0,40}$")
_CHANGE_DIRECTORY = LazyPattern(r"cd ([^&;|\n]{1,400})&&\s*")
_WRAPPERS = frozenset({"sudo", "time", "timeout", "nohup", "env", "npx", "uvx", "command"})


def strip_cd(command: str, cwd: str = "") -> str:
    """Return a command without a leading `cd` into the directory of the session."""
    command = command.strip()
    moved = _CHANGE_DIRECTORY.match(command)
    if moved and cwd and moved[1].strip().strip("\"'").rstrip("/") == cwd.rstrip("/"):
        command = command[moved.end() :]
    return command


def is_read_only(command: str) -> bool:
    """Tell whether a command is read-only."""
    if len(command) > 4_000 or any(mark in command for mark in _CHANGING):
        return False
    plain = _QUOTED.sub("_", command).replace("2>&1", "").replace("2>/dev/null", "").replace(">/dev/null", "")
    return (
        ">" not in plain and "<<" not in plain and all(_is_read_only_part(part.split()) for part in _PARTS.split(plain))
    )


def _is_read_only_part(words: list[str]) -> bool:
    words = _skip_settings(words)
    if words[:1] == ["git"]:
        return words[1:2] != [] and words[1] in _READ_ONLY_GIT
    return not words or words[0] in _READ_ONLY


def _skip_settings(words: list[str]) -> list[str]:
    """Remove variable assignments before a program, and the global options of git."""
    at = 0
    while at < len(words) and _ASSIGNMENT.match(words[at]):
        at += 1
    words = words[at:]
    while words[:1] == ["git"] and words[1:2] and words[1].startswith("-"):
        words = ["git", *words[3 if words[1] in {"-C", "-c"} else 2 :]]
    return words


def classify_command(command: str) -> str:
    """Return the program of the first part that is not read-only: `go test`, `npm run build`, `python -m pytest`."""
    parts = [_skip_settings(part.split()) for part in _PARTS.split(_QUOTED.sub("_", command[:4_000]))]
    words = next(
        (part for part in parts if part and not _is_read_only_part(part)), next((part for part in parts if part), [])
    )
    while len(words) > 1 and words[0] in _WRAPPERS:
        words = [word for word in words[1:] if not word.startswith("-") and not word.rstrip("smh").isdigit()]
    if not words:
        return command[:40]
    program = words[0].rpartition("/")[2] or words[0]
    if words[1:2] == ["-m"] and len(words) > 2:
        return f"{program} -m {words[2]}"
    taken = 3 if words[1:2] == ["run"] else 2
    named = [word for word in words[1:taken] if _WORD.match(word)]
    return " ".join([program, *named])


def first_line(command: str) -> str:
    """Return the first line of a command, and a note of how many follow."""
    first, _, rest = command.partition("\n")
    more = rest.count("\n") + 1 if rest.strip() else 0
    return f"{first.rstrip()} […{more} more lines]" if more else first.rstrip()


def _outcome_source() -> str:
    number = r"\d{1,7}"
    return (
        rf"\b{number} (?:passed|failed|passing|failing|errors? in)\b"
        rf"|^Ran {number} tests? in|^FAILED \(|^OK(?: \(|$)"
        rf"|^ ?Tests?:? {{1,8}}{number} |^test result: "
        r"|^(?:ok|FAIL|---[ ]FAIL:)\s+\S"
        rf"|\b{number} examples?, {number} failures?|\bFailed: {{1,8}}{number}, Passed:|\bTests run: {number}"
        rf"|\bBUILD (?:SUCCESS|FAIL)|^Found {number} errors?|\u2716 {number} problems?|^All checks passed"
        rf"|^Success: no issues|\b{number} issues?[.:]|^Build (?:succeeded|FAILED)"
    )


_OUTCOME = LazyPattern(_outcome_source)


def find_outcomes(output: str, most: int = 3) -> list[str]:
    """Return the last summary lines of test runners, compilers and linters."""
    found: list[str] = []
    for line in reversed(output.split("\n")):
        text = line.strip().strip("=").strip()
        # A longer line is data, not a summary.
        if 2 <= len(text) <= 300 and _OUTCOME.search(text) and text not in found:
            found.append(text)
            if len(found) == most:
                break
    return found[::-1]


_TROUBLE = LazyPattern(
    "error|fail|exception|traceback|not found|denied|cannot|can't|could not|unable|undefined|invalid|no such|panic"
    "|fatal|refused|missing|timed out|unexpected|expected",
    re.IGNORECASE,
)


def extract_errors(output: str, most: int = 4) -> str:
    """Return the lines of an output that mention an error, or its last lines if none does."""
    text = output.replace("<tool_use_error>", "").replace("</tool_use_error>", "").strip()
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    code = lines[0] if lines and lines[0].startswith("Exit code ") else ""
    rest = lines[1:] if code else lines
    telling = list(dict.fromkeys(line for line in rest if _TROUBLE.search(line[:400])))
    # The first cause and the last conclusion are most useful.
    chosen = telling if len(telling) <= most else [*telling[: most // 2], *telling[-(most - most // 2) :]]
    return "\n".join(chosen or rest[-most:] or lines[:1])


_COMMITTED = LazyPattern(r"^\[([^\]\n]{1,200}) ([0-9a-f]{7,40})\] (.{1,300})", re.MULTILINE)
_MESSAGE = LazyPattern(r"git commit(?: -[a-ln-z-]{1,30}){0,8} -a?m ?([\"'])")
_PULL_REQUEST = LazyPattern(r"https://[\w.-]{1,80}/[\w./-]{1,120}/(?:pull|merge_requests)/\d{1,9}")


def parse_commits(command: str, output: str, *, failed: bool) -> list[str]:
    """Return hash and subject of each commit that git reports, or only the subject where git was run with --quiet."""
    if "git commit" not in command and "git -C" not in command:
        return []
    said = [f"{match[2]} {match[3]}" for match in _COMMITTED.finditer(output)]
    if said or failed:
        return said
    return [_parse_subject(match[1], command[match.end() : match.end() + 400]) for match in _MESSAGE.finditer(command)]


def is_commit(line: str) -> bool:
    """Tell whether a line is the report of a commit by git."""
    return _COMMITTED.match(line) is not None


def _parse_subject(mark: str, text: str) -> str:
    """Return the first line of a commit message, which may be a here-document inside the quotation marks."""
    if text.startswith("$(cat <<"):
        return text.partition("\n")[2].partition("\n")[0].strip()
    return text.partition("\n")[0].partition(mark)[0].strip()


def find_pull_requests(output: str) -> list[str]:
    """Return the URLs of pull requests in an output."""
    return list(dict.fromkeys(_PULL_REQUEST.findall(output)))
