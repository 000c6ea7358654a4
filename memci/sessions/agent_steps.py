"""What the agent said and did right before a message: what the person's words refer to, never evidence."""

import datetime as dt
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memci.model.session import Place
from memci.prose.sentences import TYPED_END
from memci.sessions.dialogs import describe_questions
from memci.sessions.json_lines import decode_quietly
from memci.sessions.record_fields import is_side_thread, list_blocks, name_session, parse_text, parse_time, written_text
from memci.sessions.speaker import SpokenText

_MAX_TEXT = 400
_MAX_VALUE = 200
# Of a longer text `collect` keeps at least this much of both ends.
_MAX_RAW = 500
# Secrets are removed before a text is cut, so that none is cut in two; private keys have up to 4 KB.
_WINDOW = 4_096 + _MAX_RAW
# The client writes these in the name of the agent.
_PLACEHOLDERS = ("No response requested.", "(no content)")
# The main input of the client's tools; that of other tools is not known.
_PATHS = ("file_path", "notebook_path")
_INPUTS = ("command", "url", "query", "pattern", "plan", "skill", "description")
# How far back the agent's last words are looked for.
_MAX_STEPS = 12

Clean = Callable[[str], str]
# A record, or the line of one that is not decoded yet.
StepRecord = Mapping[str, object] | bytes


class RecentSteps:
    """The last records with steps of the agent since the person's last message."""

    def __init__(self) -> None:
        self._records: deque[StepRecord] = deque(maxlen=_MAX_STEPS)
        # Whether a message followed the steps: further steps replace them.
        self._answered = False

    def add(self, record: StepRecord) -> None:
        """Add a record with steps."""
        if self._answered:
            self.clear()
        self._records.append(record)

    def look_back(self) -> Sequence[StepRecord]:
        """Return the records before a message, the last one first, and end the stretch with it."""
        self._answered = True
        return tuple(reversed(self._records))

    def clear(self) -> None:
        """Forget everything."""
        self._records.clear()
        self._answered = False


@dataclass(frozen=True, slots=True)
class AgentCall:
    """A tool call and its main input."""

    id: str
    tool: str
    path: str = ""
    value: str = ""
    # The text that the call writes into a file.
    written: str = ""


@dataclass(frozen=True, slots=True)
class AgentStep:
    """A text or a tool call of the agent in the main thread, not redacted."""

    # Empty, or none, if the record does not name it.
    session: str
    time: dt.datetime | None = None
    text: str = ""
    call: AgentCall | None = None


def parse_steps(record: Mapping[str, object]) -> list[AgentStep]:
    """Return the texts and calls of the agent in a record; thinking, sub-agents and the client's own texts are none."""
    if record.get("type") != "assistant" or is_side_thread(record):
        return []
    if record.get("isMeta") or record.get("isApiErrorMessage"):
        return []
    time = parse_time(record.get("timestamp"))
    session, cwd = name_session(record), record.get("cwd")
    steps: list[AgentStep] = []
    for block in list_blocks(record):
        text = parse_text(block)
        if text and text.strip() and text not in _PLACEHOLDERS:
            steps.append(AgentStep(session, time, text.rstrip()[-_WINDOW:]))
        elif isinstance(block, dict) and block.get("type") == "tool_use":
            steps.append(AgentStep(session, time, call=_parse_call(block, cwd)))
    return steps


def _parse_call(block: Mapping[str, object], cwd: object) -> AgentCall:
    values, tool = block.get("input"), str(block.get("name", ""))
    inputs = values if isinstance(values, dict) else {}
    path = next((value for key in _PATHS if isinstance(value := inputs.get(key), str)), "")
    if isinstance(cwd, str) and cwd and path.startswith((f"{cwd}/", f"{cwd}\\")):
        path = path[len(cwd) + 1 :]
    value = next((value for key in _INPUTS if isinstance(value := inputs.get(key), str)), "")
    if "questions" in inputs:
        value = describe_questions(inputs["questions"])
    written = written_text(tool, inputs) or ""
    return AgentCall(str(block.get("id", "")), tool[:_MAX_VALUE], path[:_MAX_VALUE], value[:_WINDOW], written[:_WINDOW])


def describe_before(
    records: Iterable[StepRecord], said: SpokenText, session: str, time: dt.datetime | None, clean: Clean
) -> str:
    """Return the agent's last words, and the call that a message answers or interrupts, as one line without secrets.

    The last record is the first; `session` and `time` are those of the message, as far as its record has them.
    """
    spoken: AgentStep | None = None
    acted: AgentStep | None = None
    for step in _read_steps(records, session):
        # Clients do not always write records in their order.
        if step.time and time and step.time > time:
            continue
        if acted is None and (not said.call or (step.call and step.call.id == said.call)):
            acted = step
        spoken = spoken or (step if step.text else None)
        if spoken and acted:
            break
    call = acted.call if acted else None
    if said.asked:
        call = AgentCall(said.call, call.tool if call else "", value=said.asked[:_WINDOW])
    elif call and said.place is Place.QUEUED:
        # Words that were typed while the agent worked do not answer what it just writes.
        call = replace(call, written="")
    parts = (_render_text(spoken.text, clean) if spoken else "", _render_call(call, clean) if call else "")
    return " ".join(part for part in parts if part)


def _read_steps(records: Iterable[StepRecord], session: str) -> Iterator[AgentStep]:
    """Yield the steps of a session, the last one first."""
    for record in records:
        values = decode_quietly(record) if isinstance(record, bytes) else [record]
        steps = [step for value in values for step in parse_steps(value)]
        if any(step.session and session and step.session != session for step in steps):
            return
        yield from reversed(steps)


def _render_call(call: AgentCall, clean: Clean) -> str:
    head = f"{call.tool} {call.path}".strip()
    value = call.value or call.written
    cleaned = clean(f"{head}: {value}" if head and value else head or value)
    shown = " ".join(cleaned[: len(head) + _MAX_RAW].split())
    if len(shown) > len(head) + _MAX_VALUE or len(cleaned) > len(head) + _MAX_RAW:
        cut = shown[: len(head) + _MAX_VALUE]
        shown = f"{cut.rpartition(' ')[0] or cut}…"
    return f"[{shown}]"


def _render_text(text: str, clean: Clean) -> str:
    """Return the end of a text on one line, where questions are, from the beginning of a sentence or of a word."""
    cleaned = clean(text)
    line = " ".join(cleaned[-_MAX_RAW:].split())
    if len(cleaned) <= _MAX_RAW and len(line) <= _MAX_TEXT:
        return line
    end = line[-(_MAX_TEXT - len("… ")) :]
    sentence = TYPED_END.search(end, 0, len(end) - 1)
    return f"… {end[sentence.end() :].strip() if sentence else end.partition(' ')[2] or end}"
