"""Chooses the pointers that fit into the index, highest rank first; deterministic."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.memory.client_limit import MAX_BYTES, MAX_LINES
from memci.memory.index_rank import rank
from memci.memory.pointers import MAX_POINTER, keep_in_topic, render_pointer, shorten
from memci.model.finding import Edit
from memci.model.memory import IndexLine, IndexLineKind, ScopeSnapshot, Topic


@dataclass(frozen=True, slots=True)
class Filled:
    """The text of the index, edits that move dropped hooks into topics, and topics that were added or left out."""

    text: str
    kept: tuple[Edit, ...]
    added: tuple[Topic, ...]
    left_out: tuple[Topic, ...]


class _Room:
    """The rows of an index, and their size compared with its limits."""

    def __init__(self, rows: list[str]) -> None:
        self.rows: list[str | None] = list(rows)
        self._lines = len(rows)
        self._size = sum(map(_measure, rows))

    def has(self, *pointers: str) -> bool:
        size = sum(map(_measure, pointers))
        return self._lines + len(pointers) <= MAX_LINES and self._size + size <= MAX_BYTES

    def drop(self, place: int) -> None:
        row = self.rows[place]
        if row is not None:
            self.rows[place] = None
            self._lines -= 1
            self._size -= _measure(row)

    def count(self, pointer: str) -> None:
        self._lines += 1
        self._size += _measure(pointer)


def _measure(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def fit_index(scope: ScopeSnapshot) -> Filled:
    """Remove what does not fit: blank lines, then pointers by rank, lowest first; their hooks move into topics."""
    lines = _read_rows(scope)
    room = _Room([line.whole for line in lines])
    for place in (place for place, line in enumerate(lines) if line.kind is IndexLineKind.BLANK):
        if room.has():
            break
        room.drop(place)
    movable = list(_rank_movable(lines, scope))
    dropped: list[tuple[int, Topic]] = []
    while not room.has() and movable:
        dropped.append(movable.pop())
        room.drop(dropped[-1][0])
    text = "".join(row for row in room.rows if row)
    return Filled(text, tuple(_keep_hooks(lines, dropped)), (), tuple(topic for _, topic in dropped))


def fill_index(scope: ScopeSnapshot, kept_out: Container[PurePosixPath] = ()) -> Filled:
    """Add missing pointers; to make room, remove blank lines first, then pointers of lower rank."""
    lines = _read_rows(scope)
    end = "\r\n" if scope.index and "\r\n" in scope.index.text else "\n"
    room = _Room([line.whole if line.whole.endswith("\n") else line.text + end for line in lines])
    pointed = {pointer.path for line in lines for pointer in line.pointers}
    orphans = [topic for topic in scope.topics if topic.path not in pointed and topic.path not in kept_out]
    named = scope.index.text if scope.index else ""
    # An empty file has nothing to point to, and one that the index names otherwise needs no pointer.
    orphans = [topic for topic in orphans if topic.text.strip() and f"`{topic.path.name}`" not in named]
    pointers = {topic.path: render_pointer(topic, scope.scope.path) + end for topic in orphans}
    waiting = [topic for topic in orphans if len(pointers[topic.path].rstrip()) <= MAX_POINTER]
    for place in (place for place, line in enumerate(lines) if line.kind is IndexLineKind.BLANK):
        if room.has(*(pointers[topic.path] for topic in waiting)):
            break
        room.drop(place)
    movable = _drop_needed(list(_rank_movable(lines, scope)), lines)
    added: list[Topic] = []
    # With a path of 150 characters, the pointer would be too long.
    left_out = [topic for topic in orphans if len(pointers[topic.path].rstrip()) > MAX_POINTER]
    for topic in sorted(waiting, key=lambda topic: (rank(topic), topic.path)):
        while not room.has(pointers[topic.path]) and movable and rank(movable[-1][1]) > rank(topic):
            place, leaving = movable.pop()
            room.drop(place)
            left_out.append(leaving)
        if room.has(pointers[topic.path]):
            added.append(topic)
            room.count(pointers[topic.path])
        else:
            left_out.append(topic)
    text = _join(lines, room.rows, [pointers[topic.path] for topic in added])
    unchanged = not added and not any(row is None for row in room.rows)
    return Filled(scope.index.text if scope.index and unchanged else text, (), tuple(added), tuple(left_out))


def _drop_needed(movable: list[tuple[int, Topic]], lines: tuple[IndexLine, ...]) -> list[tuple[int, Topic]]:
    """Drop pointers whose hook adds to their topic, and those of a higher rank than one of these."""
    unsaid = [topic for place, topic in movable if keep_in_topic(topic, lines[place].pointers[0].hook)]
    lowest = max(map(rank, unsaid), default=0)
    return [pair for pair in movable if pair[1] not in unsaid and rank(pair[1]) >= lowest]


def squeeze_hooks(scope: ScopeSnapshot) -> str:
    """Shorten redundant hooks to the same number of bytes until the index fits."""
    lines = _read_rows(scope)
    text = scope.index.text if scope.index else ""
    if _measure(text) <= MAX_BYTES:
        return text
    plain = dict(_plain(lines))
    fixed = sum(_measure(line.whole) for place, line in enumerate(lines) if place not in plain)
    share = max(0, MAX_BYTES - fixed) // max(1, len(plain))
    return "".join(_squeeze(line, scope, share) if place in plain else line.whole for place, line in enumerate(lines))


def _squeeze(line: IndexLine, scope: ScopeSnapshot, share: int) -> str:
    pointer = line.pointers[0]
    topic = scope.topic(pointer.path) if pointer.path else None
    start = line.text.rfind(pointer.hook) if pointer.hook else -1
    if _measure(line.whole) <= share or topic is None or start < 0 or keep_in_topic(topic, pointer.hook):
        return line.whole
    room = share - _measure(line.text[:start] + line.end)
    # The ellipsis has three bytes; a truncated character is dropped.
    part = pointer.hook.encode("utf-8", "replace")[: max(0, room - 3)].decode("utf-8", "ignore")
    hook = shorten(pointer.hook, len(part))
    return line.text[:start] + hook + line.end if hook else line.whole


def _read_rows(scope: ScopeSnapshot) -> tuple[IndexLine, ...]:
    return scope.index.lines if scope.index else ()


def _rank_movable(lines: tuple[IndexLine, ...], scope: ScopeSnapshot) -> Iterator[tuple[int, Topic]]:
    """Yield the removable lines, the last to be removed first; of equal rank, later pointers are kept longer."""
    topics: dict[PurePosixPath, Topic] = {topic.path: topic for topic in scope.topics}
    plain = [(place, topics.get(line.pointers[0].path or scope.index_path)) for place, line in _plain(lines)]
    yield from sorted(
        ((place, topic) for place, topic in plain if topic and not topic.pinned),
        key=lambda pair: (rank(pair[1]), -pair[0]),
    )


def _plain(lines: tuple[IndexLine, ...]) -> Iterator[tuple[int, IndexLine]]:
    return ((place, line) for place, line in enumerate(lines) if line.plain)


def _join(lines: tuple[IndexLine, ...], rows: list[str | None], added: list[str]) -> str:
    """Insert new pointers after the last pointer of a list, else at the end."""
    places = [place for place, _ in _plain(lines) if rows[place] is not None]
    cut = places[-1] + 1 if places else len(rows)
    return "".join(row for row in (*rows[:cut], *added, *rows[cut:]) if row)


def _keep_hooks(lines: tuple[IndexLine, ...], dropped: list[tuple[int, Topic]]) -> Iterator[Edit]:
    for place, topic in dropped:
        edit = keep_in_topic(topic, lines[place].pointers[0].hook)
        if edit:
            yield edit
