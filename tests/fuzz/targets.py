"""What is fuzzed: everything that reads text from outside, and the properties that hold for any text.

Each target takes a text and fails by an exception that is not one of ours, or by a broken property.
"""

import base64
import contextlib
import datetime as dt
import io
import json
from pathlib import PurePosixPath

from memci.checks.baseline import parse_baseline
from memci.citations.extract.claims import find_claims
from memci.dream.ledger import trace_lines
from memci.dream.state import parse_state, render_state
from memci.engines.claude.check_reply import SchemaError, check, parse_json
from memci.engines.model.phases import consolidate_phase, gather_phase
from memci.errors import ConfigError
from memci.memory.client_limit import MAX_LINES, MAX_UNITS, count_units, cut
from memci.memory.compose import make_name, tidy
from memci.memory.frontmatter import parse_head, repair_quoting
from memci.memory.index import parse_index
from memci.memory.strict_yaml import StrictYamlError, parse_yaml
from memci.memory.topic import parse_topic, split_statements
from memci.model.memory import Absence, Frontmatter
from memci.model.plan import Fate
from memci.model.session import Origin, Place, Turn
from memci.prose.dates.find import find_dates, find_relative, resolve
from memci.prose.markdown import mask_code, parse_regions
from memci.publish.bundle import SCHEMA
from memci.publish.pr_marker import find_marker, render_marker
from memci.publish.read_bundle import check_path, decode_bundle
from memci.redaction.hidden import find_hidden, strip_hidden
from memci.redaction.injection import find_injections
from memci.redaction.secrets import find_secrets, redact
from memci.report.escape import json_text, markdown, visible, workflow_data, workflow_line, workflow_property
from memci.sessions.archives import RefusedError, read_members
from memci.sessions.read_result import ReadLimits
from memci.sessions.record_fields import parse_time
from memci.sessions.speaker import hear
from memci.sessions.typed_parts import split_parts
from memci.settings_file import parse_config, parse_pyproject
from memci.signals.find import find_signals
from tests.fuzz.outside import OUTSIDE
from tests.fuzz.target import JSON, MARKUP, Target

_SCOPE = PurePosixPath(".claude/memory")
_DAY = dt.date(2026, 11, 16)


def _read_head(text: str) -> None:
    head = parse_head(text)
    assert isinstance(head.frontmatter, (Absence, Frontmatter))
    assert 1 <= head.body_line <= text.count("\n") + 2
    repaired = repair_quoting(text)
    assert repaired is None or repair_quoting(repaired) == repaired


def _read_index(text: str) -> None:
    topic = parse_topic(_SCOPE / "a.md", "---\nname: a\n---\nbody\n")
    index = parse_index(_SCOPE / "MEMORY.md", text, [topic])
    assert "".join(line.whole for line in index.lines) == text


def _read_topic(text: str) -> None:
    assert parse_topic(_SCOPE / "t.md", text).text == text
    lines = text.count("\n") + 1
    assert all(1 <= statement.line <= lines for statement in split_statements(text))


def _read_regions(text: str) -> None:
    regions = parse_regions(text)
    assert all(0 <= region.start <= region.end <= len(text) for region in regions)
    assert len(mask_code(text)) == len(text)


def _cut(text: str) -> None:
    loaded = cut(text)
    assert loaded.text.count("\n") < MAX_LINES
    assert count_units(loaded.text) <= MAX_UNITS
    assert bool(loaded.reason) == bool(loaded.lost_from)


def _read_yaml(text: str) -> None:
    with contextlib.suppress(StrictYamlError):
        parse_yaml(text, max_bytes=16_384)


def _read_settings(text: str) -> None:
    for parse in (parse_config, parse_pyproject):
        with contextlib.suppress(ConfigError):
            parse(text, PurePosixPath("settings"))


def _read_state(text: str) -> None:
    path = PurePosixPath("memory/.memci.json")
    try:
        written = render_state(parse_state(text, path))
    except ConfigError:
        return
    assert render_state(parse_state(written, path)) == written


def _read_baseline(text: str) -> None:
    with contextlib.suppress(ConfigError):
        parse_baseline(text, "baseline")


def _strip(text: str) -> None:
    clean = strip_hidden(text)
    assert not find_hidden(clean)
    assert strip_hidden(clean) == clean


def _redact(text: str) -> None:
    clean = redact(text)
    assert not find_secrets(clean)
    assert redact(clean) == clean


def _escape(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    assert all(character.isprintable() or character in "\ufe0e\ufe0f" for character in shown)
    inside = markdown(text).removeprefix("<code>").removesuffix("</code>").replace("<!-- -->", "")
    assert not set(inside) & set("<>@`[]|*_~\n")
    for line in (workflow_line(text), workflow_data(text), workflow_property(text)):
        assert "\n" not in line
        assert "\r" not in line
        assert "##[" not in line
    assert json.loads(json_text(text)) is not None
    assert json_text(text).isascii()


def _inject(text: str) -> None:
    assert all(0 <= found.start < found.end <= len(text) for found in find_injections(text))


def _date(text: str) -> None:
    for found in find_dates(text):
        assert text.startswith(found.text, found.start)
    for relative in find_relative(text):
        assert text.startswith(relative.text, relative.start)
        resolve(relative.text, _DAY)


def _claim(text: str) -> None:
    lines = text.split("\n")
    for claim in find_claims(_SCOPE / "t.md", text):
        name = claim.text.rstrip("/").rpartition("/")[2]
        assert lines[claim.line - 1].startswith((claim.text, name), claim.column - 1)


def _compose(text: str) -> None:
    name = make_name(text)
    assert not set(name) & set("/\\\0\n .")
    assert tidy(tidy(text)) == tidy(text)


def _classify(text: str) -> None:
    said = Turn(
        "s", "u", dt.datetime(2026, 11, 12, tzinfo=dt.UTC), Origin.PERSON, Place.PROMPT, text, parts=split_parts(text)
    )
    found = find_signals([said])
    assert all(signal.text in text for signal in found.signals)
    assert find_signals([said]) == found


def _hear(text: str) -> None:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = {"type": "user", "message": {"role": "user", "content": text}, "timestamp": text}
    if isinstance(record, dict):
        assert all(isinstance(said.text, str) for said in hear(record).said)
        parse_time(record.get("timestamp"))


def _unpack(text: str) -> None:
    data = text.encode("latin-1", "replace")
    with contextlib.suppress(ValueError):
        data = base64.b64decode(text, validate=True) or data
    for name in ("a.zip", "a.tar", "a.tar.gz", "a.tar.zst"):
        with contextlib.suppress(RefusedError):
            for _, member in read_members(io.BufferedReader(io.BytesIO(data)), name, len(data), ReadLimits()):
                while member.read(65_536):
                    pass


def _reply(text: str) -> None:
    for phase in (consolidate_phase(), gather_phase()):
        with contextlib.suppress(SchemaError):
            assert isinstance(check(parse_json(text), phase.schema), dict)


def _unbundle(text: str) -> None:
    with contextlib.suppress(ValueError):
        path = PurePosixPath(text)
        check_path(path, "file")
        assert not path.is_absolute()
        assert not {"..", ".git", "."} & set(path.parts)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return
    # What `read_bundle` turns into a refusal.
    with contextlib.suppress(ValueError, TypeError, OverflowError, RecursionError):
        decode_bundle(
            {
                "schema": SCHEMA,
                "run": {"base": "0" * 40, "now": "2026-11-16T00:00:00Z", "engine": ""},
                "scopes": content,
            }
        )


def _mark(text: str) -> None:
    marker = find_marker(text)
    assert marker is None or find_marker(render_marker(marker)) == marker


def _trace(text: str) -> None:
    before, _, after = text.partition("\x1e")
    path = _SCOPE / "t.md"
    ledger = trace_lines({path: before}, {path: after}, [])
    assert len(ledger.entries) == sum(bool(line.strip()) for line in before.split("\n"))
    assert sum(ledger.count(fate) for fate in Fate) == len(ledger.entries)


_WORDS = (
    "never ", "always ", "remember ", "please ", "actually ", "we ", "don't ", "use ", "from now on ", "tomorrow ",
    "next Friday ", "记住", "以后", "ab jetzt ", ". ", "? ", "! ", "because ", "\n> ", "```\n", "- ", "I am ",
)  # fmt: skip
_SECRET = (
    "gh" + "p_", "sk-" + "ant-api03-", "AKIA", "password: ", "Bearer ", "postgres://a:", "@host", "eyJ", "%41", "==",
    "-----BEGIN PRIVATE KEY-----", "\u200b", "A1b2C3d4E5f6G7h8", "0123456789abcdef",
)  # fmt: skip
_CITED = (
    "`src/a.py`",
    "src/a.py:12",
    "--flag",
    "`npm run x`",
    "a/b/",
    "$HOME",
    "`f()`",
    "deadbeef1",
    "├── a/\n",
    "│   ",
)
_PACKED = ("PK\x03\x04", "PK\x05\x06", "\x1f\x8b\x08\0", "ustar\0", "\x28\xb5\x2f\xfd", "\0" * 512, "0000644\0", "\xff")
_STATE = ('"version": 1', '"sessions": ', '"declined": ', '"evidence": ', '"last_consolidated_at": ')
_SETTINGS = ("scopes:", "ignore:", "fail-on: ", "rule: ", "[tool.memci]\n", "!!python/object:os.system", "&a ", "*a")
_RECORD = ('"type"', '"user"', '"message"', '"content"', '"tool_result"', '"toolUseResult"', '"isMeta"', '"timestamp"')

TARGETS = (
    Target("frontmatter", MARKUP, _read_head),
    Target("index", MARKUP, _read_index),
    Target("topic", MARKUP, _read_topic),
    Target("markdown", MARKUP, _read_regions),
    Target("cut", (*MARKUP, "\n" * 120, "x" * 9_000, "\U0001f600" * 3_000), _cut),
    Target("yaml", (*MARKUP, *_SETTINGS), _read_yaml),
    Target("settings", (*MARKUP, *_SETTINGS), _read_settings),
    Target("state", (*JSON, *_STATE), _read_state),
    Target("baseline", (*JSON, '"format"', '"findings"'), _read_baseline),
    Target("hidden", (*MARKUP, "\u2066", "\ufeff", "\u3164", "\u0600", "क", "👩", "🏴"), _strip),
    Target("redact", (*_SECRET, *JSON), _redact),
    Target("escape", (*MARKUP, "@a", "#1", "::error::", "##[", "%0A", "\x1b[31m", "https://a.b"), _escape),
    Target("injection", (*MARKUP, "ignore ", "previous ", "instructions ", "system: ", "you must "), _inject),
    Target("dates", (*_WORDS, "2026-11-16", "in 3 days ", "vor 2 Wochen", "9999-12-31 ", "99999 years ago "), _date),
    Target("claims", (*MARKUP, *_CITED), _claim),
    Target("names", (*_WORDS, *MARKUP, "CON", "..", "é", "的"), _compose),
    Target("signals", (*_WORDS, *MARKUP), _classify),
    Target("records", (*JSON, *_RECORD), _hear),
    Target("archives", _PACKED, _unpack),
    Target("replies", (*JSON, '"operations"', '"create"', '"quote"', '"signals"'), _reply),
    Target("bundles", (*JSON, '"kind"', '"file"', '"texts"', "../", "/", ".git", "\\"), _unbundle),
    Target("markers", (*JSON, "<!-- memci:v1 ", " -->", '"digest"'), _mark),
    Target("ledger", (*MARKUP, *_WORDS, "\x1e"), _trace),
    *OUTSIDE,
)
