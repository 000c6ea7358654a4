"""Reads command lines and their output: the command without its directory, commits, and how it ended."""

from memci.patterns import LazyPattern

_CHANGE_DIRECTORY = LazyPattern(r"cd ([^&;|\n]{1,400})&&\s*")
_COMMITTED = LazyPattern(r"(?m)^\[([^\]\n]{1,200}) ([0-9a-f]{7,40})\] (.{1,300})")
_MESSAGE = LazyPattern(r"git commit(?: -[a-ln-z-]{1,30}){0,8} -a?m ?([\"'])")


def strip_cd(command: str, cwd: str = "") -> str:
    """Return a command without a leading `cd` into the directory of the session."""
    command = command.strip()
    moved = _CHANGE_DIRECTORY.match(command)
    if moved and cwd and moved[1].strip().strip("\"'").rstrip("/") == cwd.rstrip("/"):
        command = command[moved.end() :]
    return command


def first_line(command: str) -> str:
    """Return the first line of a command, and a note of how many follow."""
    first, _, rest = command.partition("\n")
    more = rest.count("\n") + 1 if rest.strip() else 0
    return f"{first.rstrip()} […{more} more lines]" if more else first.rstrip()


def last_lines(output: str, most: int = 4) -> str:
    """Return the last lines of an output, where errors and summaries are."""
    text = output.replace("<tool_use_error>", "").replace("</tool_use_error>", "")
    return "\n".join([line.rstrip() for line in text.split("\n") if line.strip()][-most:])


def parse_commits(command: str, output: str, *, failed: bool) -> list[str]:
    """Return hash and subject of each commit that git reports, or only the subject where git was run with --quiet."""
    if "git commit" not in command and "git -C" not in command:
        return []
    said = [f"{match[2]} {match[3]}" for match in _COMMITTED.finditer(output)]
    if said or failed:
        return said
    return [_parse_subject(match[1], command[match.end() : match.end() + 400]) for match in _MESSAGE.finditer(command)]


def _parse_subject(mark: str, text: str) -> str:
    """Return the first line of a commit message, which may be a here-document inside the quotation marks."""
    if text.startswith("$(cat <<"):
        return text.partition("\n")[2].partition("\n")[0].strip()
    return text.partition("\n")[0].partition(mark)[0].strip()
