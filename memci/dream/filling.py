"""Filling an index: which pointers it has room for, the weightiest first, the same ones every night."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.model import Edit, IndexLine, IndexLineKind, ScopeSnapshot, Topic
from memci.text.cut import MAX_BYTES, MAX_LINES
from memci.text.fit import rank
from memci.text.pointers import keep_in_topic, render_pointer, shorten


@dataclass(frozen=True, slots=True)
class Filled:
    """The text of the index, what moved from dropped hooks into topics, and who came in or stayed out."""

    text: str
    kept: tuple[Edit, ...]
    added: tuple[Topic, ...]
    left_out: tuple[Topic, ...]


class _Room:
    """The rows of an index within its limits."""

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


def fill_index(scope: ScopeSnapshot) -> Filled:
    """Give every topic a pointer; where there is no room, blank lines leave first and then pointers of lower rank."""
    lines = _read_rows(scope)
    end = "\r\n" if scope.index and "\r\n" in scope.index.text else "\n"
    room = _Room([line.whole if line.whole.endswith("\n") else line.text + end for line in lines])
    pointed = {pointer.path for line in lines for pointer in line.pointers}
    waiting = [topic for topic in scope.topics if topic.path not in pointed]
    pointers = {topic.path: render_pointer(topic, scope.scope.path) + end for topic in scope.topics}
    for place in (place for place, line in enumerate(lines) if line.kind is IndexLineKind.BLANK):
        if room.has(*(pointers[topic.path] for topic in waiting)):
            break
        room.drop(place)
    movable = list(_find_movable(lines, scope))
    dropped: list[tuple[int, Topic]] = []
    while not room.has() and movable:
        dropped.append(movable.pop())
        room.drop(dropped[-1][0])
    added: list[Topic] = []
    left_out: list[Topic] = []
    for topic in sorted([*waiting, *(topic for _, topic in dropped)], key=lambda topic: (rank(topic), topic.path)):
        while not room.has(pointers[topic.path]) and movable and rank(movable[-1][1]) > rank(topic):
            dropped.append(movable.pop())
            room.drop(dropped[-1][0])
        if room.has(pointers[topic.path]):
            added.append(topic)
            room.count(pointers[topic.path])
        else:
            left_out.append(topic)
    left_out += [topic for _, topic in dropped if topic not in added and topic not in left_out]
    text = _join(lines, room.rows, [pointers[topic.path] for topic in added])
    kept = tuple(_keep_hooks(lines, dropped))
    unchanged = not added and not any(row is None for row in room.rows)
    return Filled(scope.index.text if scope.index and unchanged else text, kept, tuple(added), tuple(left_out))


def squeeze_hooks(scope: ScopeSnapshot) -> str:
    """Shorten hooks that their topics say as well until the index has its size, all to the same number of bytes."""
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
    # A character has up to four bytes; the mark that says it goes on has three.
    characters = next((n for n in range(len(pointer.hook), 0, -1) if _measure(pointer.hook[:n]) + 3 <= room), 0)
    hook = shorten(pointer.hook, characters)
    return line.text[:start] + hook + line.end if hook else line.whole


def _read_rows(scope: ScopeSnapshot) -> tuple[IndexLine, ...]:
    return scope.index.lines if scope.index else ()


def _find_movable(lines: tuple[IndexLine, ...], scope: ScopeSnapshot) -> Iterator[tuple[int, Topic]]:
    """Yield the lines that may leave, those that leave last first: new pointers are appended, so lower ones stay."""
    topics: dict[PurePosixPath, Topic] = {topic.path: topic for topic in scope.topics}
    plain = [(place, topics.get(line.pointers[0].path or scope.index_path)) for place, line in _plain(lines)]
    yield from sorted(
        ((place, topic) for place, topic in plain if topic and not topic.pinned),
        key=lambda pair: (rank(pair[1]), -pair[0]),
    )


def _plain(lines: tuple[IndexLine, ...]) -> Iterator[tuple[int, IndexLine]]:
    return ((place, line) for place, line in enumerate(lines) if line.plain)


def _join(lines: tuple[IndexLine, ...], rows: list[str | None], added: list[str]) -> str:
    """Put new pointers behind the last one that stands in a list, else at the end."""
    places = [place for place, _ in _plain(lines) if rows[place] is not None]
    cut = places[-1] + 1 if places else len(rows)
    return "".join(row for row in (*rows[:cut], *added, *rows[cut:]) if row)


def _keep_hooks(lines: tuple[IndexLine, ...], dropped: list[tuple[int, Topic]]) -> Iterator[Edit]:
    for place, topic in dropped:
        edit = keep_in_topic(topic, lines[place].pointers[0].hook)
        if edit:
            yield edit
