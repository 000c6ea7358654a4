"""What a command line does: which program it runs, whether it only looks, and what its output says of success."""

import functools
import re

# They show something and change nothing; a person does not want to read them again.
_LOOKING = {
    "ls", "cat", "head", "tail", "grep", "egrep", "rg", "ag", "find", "fd", "wc", "pwd", "echo", "printf", "which",
    "type", "file", "stat", "tree", "du", "df", "sort", "uniq", "cut", "tr", "jq", "awk", "sed", "diff", "less", "more",
    "env", "date", "whoami", "ps", "sleep", "true", "test", "[", "cd", "export", "set", "basename", "dirname",
    "realpath", "readlink", "column", "xargs", "comm", "nl", "od", "xxd", "hexdump", "sha256sum", "md5sum",
}  # fmt: skip
_LOOKING_GIT = {
    "status", "log", "diff", "show", "branch", "blame", "ls-files", "remote", "rev-parse", "reflog", "grep", "describe",
}  # fmt: skip
_CHANGING = (" -exec", " -delete", " -i ", " -i'", " --in-place", " tee ")
# A pipe inside of quotation marks is none.
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_PARTS = re.compile(r"&&|\|\||[;|\n]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,60}=\S{0,200}$")
_WORD = re.compile(r"[a-z][a-z0-9:_-]{0,40}$")
_CHANGE_DIRECTORY = re.compile(r"cd ([^&;|\n]{1,400})&&\s*")
_WRAPPERS = frozenset({"sudo", "time", "timeout", "nohup", "env", "npx", "uvx", "command"})


def tidy(command: str, cwd: str = "") -> str:
    """Return a command without the change into the directory where the session is anyway."""
    command = command.strip()
    moved = _CHANGE_DIRECTORY.match(command)
    if moved and cwd and moved[1].strip().strip("\"'").rstrip("/") == cwd.rstrip("/"):
        command = command[moved.end() :]
    return command


def is_looking(command: str) -> bool:
    """Whether a command only shows something."""
    if len(command) > 4_000 or any(mark in command for mark in _CHANGING):
        return False
    plain = _QUOTED.sub("_", command).replace("2>&1", "").replace("2>/dev/null", "").replace(">/dev/null", "")
    return ">" not in plain and "<<" not in plain and all(_looks(part.split()) for part in _PARTS.split(plain))


def _looks(words: list[str]) -> bool:
    words = _skip_settings(words)
    if words[:1] == ["git"]:
        return words[1:2] != [] and words[1] in _LOOKING_GIT
    return not words or words[0] in _LOOKING


def _skip_settings(words: list[str]) -> list[str]:
    """Leave out variables in front of a program, and what git is told about where and how to run."""
    at = 0
    while at < len(words) and _ASSIGNMENT.match(words[at]):
        at += 1
    words = words[at:]
    while words[:1] == ["git"] and words[1:2] and words[1].startswith("-"):
        words = ["git", *words[3 if words[1] in {"-C", "-c"} else 2 :]]
    return words


def find_program(command: str) -> str:
    """Return what kind of command it is: `go test`, `npm run build`, `python -m pytest`; not the part that looks."""
    parts = [_skip_settings(part.split()) for part in _PARTS.split(_QUOTED.sub("_", command[:4_000]))]
    words = next((part for part in parts if part and not _looks(part)), next((part for part in parts if part), []))
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


def one_line(command: str) -> str:
    """Return the first line of a command, and how many follow."""
    first, _, rest = command.partition("\n")
    more = rest.count("\n") + 1 if rest.strip() else 0
    return f"{first.rstrip()} […{more} more lines]" if more else first.rstrip()


@functools.cache
def _outcomes() -> re.Pattern[str]:
    number = r"\d{1,7}"
    return re.compile(
        rf"\b{number} (?:passed|failed|passing|failing|errors? in)\b"
        rf"|^Ran {number} tests? in|^FAILED \(|^OK(?: \(|$)"
        rf"|^ ?Tests?:? {{1,8}}{number} |^test result: "
        r"|^(?:ok|FAIL|---[ ]FAIL:)\s+\S"
        rf"|\b{number} examples?, {number} failures?|\bFailed: {{1,8}}{number}, Passed:|\bTests run: {number}"
        rf"|\bBUILD (?:SUCCESS|FAIL)|^Found {number} errors?|\u2716 {number} problems?|^All checks passed"
        rf"|^Success: no issues|\b{number} issues?[.:]|^Build (?:succeeded|FAILED)"
    )


def find_outcomes(output: str, most: int = 3) -> list[str]:
    """Return the last lines in which test runners, compilers and linters sum up what they found."""
    found: list[str] = []
    for line in reversed(output.split("\n")):
        text = line.strip().strip("=").strip()
        # Nobody sums up in a paragraph; what is longer is data.
        if 2 <= len(text) <= 300 and _outcomes().search(text) and text not in found:
            found.append(text)
            if len(found) == most:
                break
    return found[::-1]


@functools.cache
def _troubles() -> re.Pattern[str]:
    words = (
        "error", "fail", "exception", "traceback", "not found", "denied", "cannot", "can't", "could not", "unable",
        "undefined", "invalid", "no such", "panic", "fatal", "refused", "missing", "timed out", "unexpected",
        "expected",
    )  # fmt: skip
    return re.compile("|".join(words), re.IGNORECASE)


def find_trouble(output: str, most: int = 4) -> str:
    """Return the lines of an error that say what is wrong; its last lines if none does."""
    text = output.replace("<tool_use_error>", "").replace("</tool_use_error>", "").strip()
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    code = lines[0] if lines and lines[0].startswith("Exit code ") else ""
    rest = lines[1:] if code else lines
    telling = list(dict.fromkeys(line for line in rest if _troubles().search(line[:400])))
    # The first cause and the last conclusion say most.
    chosen = telling if len(telling) <= most else [*telling[: most // 2], *telling[-(most - most // 2) :]]
    return "\n".join(chosen or rest[-most:] or lines[:1])


_COMMITTED = re.compile(r"^\[([^\]\n]{1,200}) ([0-9a-f]{7,40})\] (.{1,300})", re.MULTILINE)
_MESSAGE = re.compile(r"git commit(?: -[a-ln-z-]{1,30}){0,8} -a?m ?([\"'])")
_PULL_REQUEST = re.compile(r"https://[\w.-]{1,80}/[\w./-]{1,120}/(?:pull|merge_requests)/\d{1,9}")


def find_commits(command: str, output: str, *, failed: bool) -> list[str]:
    """Return commit and subject where git says that it committed; only the subject where it was told to be quiet."""
    if "git commit" not in command and "git -C" not in command:
        return []
    said = [f"{match[2]} {match[3]}" for match in _COMMITTED.finditer(output)]
    if said or failed:
        return said
    return [_find_subject(match[1], command[match.end() : match.end() + 400]) for match in _MESSAGE.finditer(command)]


def is_commit(line: str) -> bool:
    """Whether git says in a line that it committed."""
    return _COMMITTED.match(line) is not None


def _find_subject(mark: str, text: str) -> str:
    """Return the first line of a message, which may be a document of its own inside of the quotation marks."""
    if text.startswith("$(cat <<"):
        return text.partition("\n")[2].partition("\n")[0].strip()
    return text.partition("\n")[0].partition(mark)[0].strip()


def find_pull_requests(output: str) -> list[str]:
    """Return the addresses of pull requests."""
    return list(dict.fromkeys(_PULL_REQUEST.findall(output)))
