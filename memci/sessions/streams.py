"""Opens the streams of records in a file: one, or one for each member of a bundle."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.sessions.archives import MAGICS, TAR_NAMES, ZIP_NAMES, decompress, read_members, unpack_limit
from memci.sessions.json_lines import File, Stream, decode_lines, read_array, read_lines
from memci.sessions.other_clients import find_form
from memci.sessions.places import Input, Unopened, is_candidate, is_subagent, is_tool_output, refuse_tool_output
from memci.sessions.read_result import FileStatus, ReadLimits

_COMPRESSED = (".gz", ".zst")
_LINES = (".jsonl", ".ndjson")
_BUNDLES = (*TAR_NAMES, *ZIP_NAMES)
# Files that are used as a whole or not at all.
PACKED = (*_BUNDLES, *_COMPRESSED)
_BLANKS = b"\xef\xbb\xbf \t\r\n"
# Enough to see whether a file is an array of records, however it is indented.
_HEAD = 512


@dataclass(slots=True)
class Opened:
    """A stream of records, to be read once before the next is requested."""

    name: str
    path: PurePosixPath
    stream: Stream
    # How much of the stream counts, and the longest line.
    size: int
    line_bytes: int
    is_array: bool
    # How much at the beginning was skipped.
    truncated: int = 0
    # Which other client wrote it; "" for Claude Code.
    form: str = ""
    # What was no record; known when all were read.
    broken: int = 0

    @property
    def stem(self) -> str:
        """The name of the file without endings: most are named after their session."""
        return self.path.name.partition(".")[0]

    @property
    def is_subagent(self) -> bool:
        """Tell whether the client keeps the work of a sub-agent here."""
        return is_subagent(self.path)

    def read_lines(self) -> Iterator[bytes | int]:
        """Yield the lines; of one that is too long, only its size."""
        return read_lines(self.stream, self.size, self.line_bytes)

    def read_values(self) -> Iterator[object]:
        """Yield the decoded values; a broken one as its error."""
        if self.is_array:
            return read_array(self.stream, self.size)
        return decode_lines(self.read_lines())

    def read_records(self) -> Iterator[Mapping[str, object]]:
        """Yield every valid record."""
        for value in self.read_values():
            if isinstance(value, Mapping):
                yield value
            else:
                self.broken += 1


def open_streams(item: Input, limits: ReadLimits) -> Iterator[Opened | Unopened]:
    """Yield the streams of a file; raise if it must not be used, even after parts were read."""
    name = item.path.name.lower()
    with item.open() as file:
        if name.endswith(_BUNDLES):
            yield from _open_bundle(item, file, limits)
        elif name.endswith(_COMPRESSED):
            allowed = unpack_limit(item.size, limits)
            # One byte more than allowed, so that reading beyond the limit fails.
            yield from _open(item, decompress(file, name, allowed), allowed + 1, limits)
        else:
            yield from _open_plain(item, file, limits)


def _open_bundle(item: Input, file: File, limits: ReadLimits) -> Iterator[Opened | Unopened]:
    others = used = 0
    for member, content in read_members(file, item.path.name.lower(), item.size, limits):
        others += 1
        if is_candidate(member) and is_tool_output(item.path / member):
            yield refuse_tool_output(f"{item.name}!{member}")
        elif is_candidate(member) and not member.lower().endswith(PACKED):
            inner = Input(f"{item.name}!{member}", item.path / member, content.left, item.open)
            for opened in _open(inner, content, content.left + 1, limits):
                used += 1
                yield opened
    if not used:
        yield Unopened(item.name, f"{others} members that are no transcripts")


def _open_plain(item: Input, file: File, limits: ReadLimits) -> Iterator[Opened | Unopened]:
    # Only what was there at the start: an active session may write faster than it is read.
    truncated = max(0, item.size - limits.file_bytes)
    if truncated:
        file.seek(truncated - 1)
        # Skip the rest of the current line.
        truncated += len(file.readline(limits.line_bytes)) - 1
    yield from _open(item, file, item.size - truncated, limits, truncated)


def _open(
    item: Input, stream: Stream, size: int, limits: ReadLimits, truncated: int = 0
) -> Iterator[Opened | Unopened]:
    head = stream.peek(_HEAD)[:_HEAD]
    if head.startswith(MAGICS):
        reason = "compressed data under a name that does not say so"
        yield Unopened(item.name, reason, FileStatus.QUARANTINED)
        return
    start = head.lstrip(_BLANKS)
    name = item.path.name.lower().removesuffix(".gz").removesuffix(".zst")
    is_lines = name.endswith(_LINES)
    is_array = not is_lines and start[:1] == b"[" and start[1:].lstrip(_BLANKS)[:1] == b"{"
    form = "" if is_array or truncated else find_form(start)
    # Other JSON files in a directory are not reported.
    if is_lines or is_array or item.named or form or start.startswith(b'{"type":'):
        yield Opened(item.name, item.path, stream, size, limits.line_bytes, is_array, truncated, form)
