"""The end of what was read of a stream; most records of the model in it are not decoded."""

import itertools
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from memci.patterns import LazyPattern
from memci.sessions.agent_steps import StepRecord, parse_steps
from memci.sessions.json_lines import decode_quietly

_CALL_ID = LazyPattern(r"[\w-]{1,100}")
_MODEL, _TEXT, _CALL = b'"assistant"', b'"text"', b'"tool_use"'
# Texts of the client in the name of the agent; they are short.
_MAX_UNSPOKEN = 4_096
_UNSPOKEN = (b'"isApiErrorMessage":true', b'"isMeta":true', b'"No response requested."')
# How far back the agent's last words are looked for.
_MAX_STEPS = 12
# Records of other agents are inside a record of progress, or marked.
_OTHERS = (b'"progress"', b'"isSidechain":true', b'"agentId"')


class RecentRecords:
    """The blocks that were read last, and what the agent said and did since the person's last message."""

    def __init__(self) -> None:
        # Data and end of its lines; keeping more than two takes more time than everything else here.
        self._blocks: tuple[tuple[bytes, int], ...] = ()
        # Where the lines begin in which no step was looked for yet, and the current line.
        self._start = 0
        self._line = (0, 0)
        # Oldest first.
        self._steps: deque[StepRecord] = deque(maxlen=_MAX_STEPS)
        # Whether a message followed the steps: further steps replace them.
        self._answered = False

    def add_block(self, data: bytes, end: int) -> None:
        """Add the lines of a block, which end at `end`."""
        if self._blocks:
            self.move_to(self._blocks[0][1], self._blocks[0][1])
            self.catch_up()
        self._blocks = ((data, end), *self._blocks[:1])
        self._start = 0

    def move_to(self, start: int, end: int) -> None:
        """Note which line of the last block is read."""
        self._line = (start, end)

    def find_calls(self, call: str) -> Iterator[Mapping[str, object]]:
        """Yield the records that may contain a call, the last block first."""
        if not _CALL_ID.fullmatch(call):
            return
        name = b'"' + call.encode() + b'"'
        for data, size in self._blocks:
            at = data.find(name, 0, size)
            while at >= 0:
                start, end = _line_around(data, at, 0, size)
                # Output may contain the same words, so the line must be a record of the model.
                if data.find(_CALL, start, end) >= 0:
                    yield from decode_quietly(data[start:end])
                at = data.find(name, end, size)

    def note(self, record: Mapping[str, object]) -> None:
        """Note the steps in a decoded record."""
        if parse_steps(record):
            self._add([record])

    def catch_up(self) -> None:
        """Note the last steps before the current line; the line itself is left to the caller."""
        found: list[StepRecord] = []
        for line in itertools.islice(self._read_backwards(), _MAX_STEPS):
            found.append(line)
            # The client writes each text into a record of its own.
            if _CALL not in line:
                break
        self._start = self._line[1]
        self._add(found[::-1])

    @contextmanager
    def look_back(self) -> Iterator["LazySteps"]:
        """Give the last steps before the person's message on the current line, and end the stretch with it."""
        found: list[StepRecord] = []
        yield LazySteps(itertools.islice(self._find_steps(found), _MAX_STEPS))
        self._start = self._line[1]
        self._add(found[::-1])
        self._answered = True

    def _find_steps(self, found: list[StepRecord]) -> Iterator[StepRecord]:
        for line in self._read_backwards():
            found.append(line)
            yield line
        if not (found and self._answered):
            yield from reversed(self._steps)

    def clear(self) -> None:
        """Forget everything."""
        self._blocks = ()
        self._steps.clear()

    def _add(self, steps: list[StepRecord]) -> None:
        if steps and self._answered:
            self._steps.clear()
            self._answered = False
        self._steps.extend(steps)

    def _read_backwards(self) -> Iterator[bytes]:
        """Yield the lines before the current one that may contain a step of the agent."""
        end = self._line[0]
        data = self._blocks[0][0] if self._blocks else b""
        while (at := data.rfind(_MODEL, self._start, end)) >= 0:
            start, stop = _line_around(data, at, self._start, end)
            line = data[start:stop]
            if (_CALL in line or (_TEXT in line and not _is_unspoken(line))) and not _is_of_other(line):
                yield line
            end = start


def _is_unspoken(line: bytes) -> bool:
    return len(line) < _MAX_UNSPOKEN and any(mark in line for mark in _UNSPOKEN)


def _is_of_other(line: bytes) -> bool:
    """Tell whether a record says before its first nested object that it is another agent's."""
    inner = line.find(b"{", 1)
    return any(line.find(mark, 0, inner) >= 0 for mark in _OTHERS)


class LazySteps:
    """Steps of the agent, the last one first, found when they are needed."""

    def __init__(self, source: Iterator[StepRecord]) -> None:
        self._source = source
        self._found: list[StepRecord] = []

    def __iter__(self) -> Iterator[StepRecord]:
        """Yield the steps; what was found before is not searched again."""
        yield from self._found
        for step in self._source:
            self._found.append(step)
            yield step


def _line_around(data: bytes, at: int, start: int, end: int) -> tuple[int, int]:
    stop = data.find(b"\n", at, end)
    return max(data.rfind(b"\n", start, at) + 1, start), stop if stop >= 0 else end
