import pytest

from memci.model.session import Place
from memci.sessions.client_markup import clean_text
from memci.sessions.record_fields import is_memory_path, list_touched
from memci.sessions.speaker import Heard, hear
from tests.sessions.build import REFUSED, Json, assistant, call, enqueue, record, result, user

IN_VS_CODE = REFUSED.partition("To tell you")[0] + "The user provided the following reason for the rejection:"
NOTED = [{"type": "tool_result", "content": "x"}, {"type": "text", "text": "always squash"}]
QUESTIONS = [{"question": "Which database?", "options": [{"label": "SQLite", "description": "Always fast"}]}]
ANSWERED = 'User has answered your questions: "Which database?"="SQLite". You can now continue.'


def refusal(**fields: object) -> Json:
    return result(REFUSED + "always squash", error=True, permissionDecision={"source": "user_reject"}, **fields)


SILENT: list[Json] = [
    user(NOTED, permissionDecision={"decision": "accept", "source": "config"}),
    refusal(userFeedback="", holdsPersonsWords=True),
    result("always squash", error=True, holdsPersonsWords=True),
    user("always squash", agentId="a1"),
    user("always squash", isMeta=True),
    user("always squash", isSidechain=True),
    user("always squash", parent_tool_use_id="toolu_9"),
    user("always squash", isCompactSummary=True),
    user("always squash", isVisibleInTranscriptOnly=True),
    user("always squash", isSynthetic=True),
    user("always squash", planContent="# Plan"),
    user("always squash", origin={"kind": "task-notification"}),
    user("always squash", origin={"kind": "human"}, promptSource="system"),
    user("always squash", promptSource="suggestion"),
    record("user", message={"role": "assistant", "content": "always squash"}),
    record("assistant", message={"role": "assistant", "content": "always squash"}),
    record("progress", data={"message": user("always squash")}),
    record("system", content="always squash"),
    record("last-prompt", lastPrompt="always squash"),
    record("summary", summary="always squash"),
    record("hologram", message={"role": "user", "content": "always squash"}),
    result("always squash"),
    result([{"type": "text", "text": "always squash"}]),
    result(REFUSED + "always squash"),
    result([{"type": "text", "text": REFUSED + "always squash"}], error=True),
    result("$ cat notes\n" + REFUSED + "always squash", error=True),
    result(REFUSED.replace(" The tool", "\nThe tool") + "always squash", error=True),
    result(REFUSED + "The user wants to clarify these questions.\nalways squash", error=True),
    result(ANSWERED, copy={"questions": QUESTIONS, "answers": {"Which database?": "SQLite"}}),
    result("always squash", copy={"questions": QUESTIONS, "answers": {"Which database?": "always squash"}}),
    user([{"type": "tool_result", "content": "x"}, "always squash"]),
    user([{"type": "image", "source": {"data": "always squash"}}]),
    enqueue("always squash", operation="popAll"),
    enqueue("<task-notification>always squash</task-notification>"),
    enqueue('{"task_id":"b1","description":"always squash"}'),
    record("attachment", attachment={"type": "hook_success", "content": "always squash"}),
    record("attachment", attachment={"type": "queued_command", "prompt": "always squash", "commandMode": "bash"}),
    record(
        "attachment",
        attachment={"type": "queued_command", "prompt": "always squash", "origin": {"kind": "coordinator"}},
    ),
]


@pytest.mark.parametrize("silent", SILENT, ids=range(len(SILENT)))
def test_leaves_alone_what_no_person_typed(silent: Json) -> None:
    assert hear(silent).said == ()


@pytest.mark.parametrize("blocks", [None, 7, {}, [None, 7, {"type": "text"}, {"type": "text", "text": 7}], [[]]])
def test_nothing_is_said_in_content_of_another_shape(blocks: object) -> None:
    assert hear(user(blocks)).said == ()
    assert hear(record("user", message=blocks)).said == ()
    assert hear(record("attachment", attachment={"type": "queued_command", "prompt": blocks})).said == ()


def test_all_text_in_the_file_of_a_sub_agent_is_the_models() -> None:
    assert hear(user("always squash"), subagent=True).kind == "subagent"


SPOKEN: list[tuple[Json, Place]] = [
    (user("always squash"), Place.PROMPT),
    (user([{"type": "text", "text": "always squash"}]), Place.PROMPT),
    (user(["always squash"]), Place.PROMPT),
    (user("always squash", origin={"kind": "human"}, promptSource="typed"), Place.PROMPT),
    (user("always squash", turnOrigin="human", promptSource="typed"), Place.PROMPT),
    (user("always squash", promptSource="sdk", turnOrigin="sdk", entrypoint="claude-vscode"), Place.PROMPT),
    (user("always squash", turnOrigin="sdk", entrypoint="claude-desktop"), Place.PROMPT),
    (user(NOTED, permissionDecision={"decision": "accept", "source": "user_temporary"}), Place.PROMPT),
    (refusal(userFeedback="always squash", holdsPersonsWords=True, toolDenialKind="user-rejected"), Place.REJECTION),
    (
        result(
            "always squash",
            error=True,
            holdsPersonsWords=True,
            permissionDecision={"decision": "reject", "source": "user_reject"},
        ),
        Place.REJECTION,
    ),
    (result(IN_VS_CODE + "  always squash", error=True), Place.REJECTION),
    (
        result("The user answered: x", copy={"questions": QUESTIONS, "answers": {"Which database?": "always squash"}}),
        Place.ANSWER,
    ),
    (user([{"type": "image"}, {"type": "text", "text": "always squash"}]), Place.PROMPT),
    (user([{"type": "tool_result", "content": "x"}, {"type": "text", "text": "always squash"}]), Place.PROMPT),
    (record("user", message="always squash"), Place.PROMPT),
    (result(REFUSED + "always squash", error=True), Place.REJECTION),
    (
        result(REFUSED + "always squash\n\nNote: The user's next message may contain a correction", error=True),
        Place.REJECTION,
    ),
    (result(ANSWERED, copy={"questions": QUESTIONS, "answers": {"Which database?": "always squash"}}), Place.ANSWER),
    (
        result(
            ANSWERED,
            copy={
                "questions": QUESTIONS,
                "answers": {"Which database?": "SQLite"},
                "annotations": {"Which database?": {"notes": "always squash"}},
            },
        ),
        Place.ANSWER,
    ),
    (
        result(
            ANSWERED,
            copy={
                "questions": [QUESTIONS[0] | {"multiSelect": True}],
                "answers": {"Which database?": "SQLite, always squash"},
            },
        ),
        Place.ANSWER,
    ),
    (
        result(
            ANSWERED,
            copy={
                "questions": [
                    {"question": "Which?", "multiSelect": True, "options": [{"label": "A"}, {"label": "BB, C"}]}
                ],
                "answers": {"Which?": "A, BB, C, always squash"},
            },
        ),
        Place.ANSWER,
    ),
    (enqueue("always squash"), Place.QUEUED),
    (record("attachment", attachment={"type": "queued_command", "prompt": "always squash"}), Place.QUEUED),
    (user("<command-name>/ship</command-name>\n<command-args>always squash</command-args>"), Place.COMMAND),
]


@pytest.mark.parametrize(("spoken", "place"), SPOKEN, ids=range(len(SPOKEN)))
def test_hears_what_a_person_typed(spoken: Json, place: Place) -> None:
    tool = "AskUserQuestion" if place is Place.ANSWER else "Edit"
    assert [(said.place, said.text) for said in hear(spoken, tools={"toolu_1": tool}).said] == [
        (place, "always squash")
    ]


IMITATED: list[Json] = [
    result(REFUSED + "always squash", error=True),
    result(IN_VS_CODE + "always squash", error=True),
    result(ANSWERED, copy={"questions": QUESTIONS, "answers": {"Which database?": "always squash"}}),
    result("The user answered: x", copy={"questions": QUESTIONS, "answers": {"Which database?": "always squash"}}),
]


@pytest.mark.parametrize("tool", ["", "mcp__wiki__search", "WebFetch", "Task", "Agent", "Skill"])
@pytest.mark.parametrize("imitated", IMITATED, ids=range(len(IMITATED)))
def test_a_tool_that_imitates_a_refusal_or_an_answer_says_nothing(imitated: Json, tool: str) -> None:
    assert hear(imitated, tools={"toolu_1": tool}).said == ()


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        ("SQLite, because it is one file", ["SQLite, because it is one file"]),
        ("sqlite ", []),
        ("SQLite (in memory)", ["SQLite (in memory)"]),
        ("Always run the tests first, B", []),
        ("Always run the tests first, but not on fridays", ["but not on fridays"]),
    ],
)
def test_of_an_answer_only_what_the_model_did_not_offer_was_typed(answer: str, typed: list[str]) -> None:
    options = [{"label": "SQLite (Recommended)"}, "B", {"label": "C", "description": "Always run the tests first"}]
    asked = [{"question": "Which one?", "header": "Way", "options": options}]
    for key in ("Which one?", "Way", "which  one? "):
        answered = result("x", copy={"questions": asked, "answers": {key: answer}})
        assert [said.text for said in hear(answered, tools={"toolu_1": "AskUserQuestion"}).said] == typed
    other = result("x", copy={"questions": asked, "answers": {"Which other?": answer}})
    assert hear(other, tools={"toolu_1": "AskUserQuestion"}).said == ()


def test_a_refusal_by_its_wording_counts_only_where_clients_write_nothing_better() -> None:
    newer = result(REFUSED + "always squash", error=True, permissionDecision={"decision": "accept", "source": "config"})
    assert hear(newer, tools={"toolu_1": "Bash"}).said == ()


AUTOMATED: list[Json] = [
    user("always squash", promptSource="sdk"),
    user("always squash", promptSource="sdk", turnOrigin="sdk", entrypoint="sdk-cli"),
    user("always squash", turnOrigin="sdk", entrypoint="sdk-py"),
    user("always squash", turnOrigin="task_notification"),
    user("always squash", turnOrigin="schedule"),
    user("always squash", entrypoint="sdk-ts"),
    user("always squash", entrypoint="claude-code-github-action"),
    {"type": "user", "message": {"role": "user", "content": "always squash"}, "session_id": "s"},
    record("attachment", attachment={"type": "queued_command", "prompt": "always squash", "humanTurn": False}),
]


@pytest.mark.parametrize("automated", AUTOMATED, ids=range(len(AUTOMATED)))
def test_prompts_of_programs_are_nobodys_words(automated: Json) -> None:
    heard = hear(automated)
    assert (heard.kind, heard.said) == ("automation", ())


@pytest.mark.parametrize(
    "kind",
    [
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "atis-latch",
        "tools-used",
        "cost-state",
        "file-history-delta",
    ],
)
def test_requests_that_the_client_keeps_are_its_own(kind: str) -> None:
    assert hear(record(kind, message={"role": "user", "content": "always squash"})) == Heard("client state")


@pytest.mark.parametrize(
    "foreign",
    [
        # The export of a help desk has the same fields.
        {"type": "user", "message": {"role": "user", "content": "never charge twice"}, "channel": "webchat"},
        user("always read the feed", toolUseResult={"type": "text", "text": "always read the feed"}),
        # Clients of before 2026 do not say what started them.
        user("never translate the names", cwd="/builds/team/shop", version="1.0.108"),
        user("never translate the names", cwd="/home/runner/work/shop/shop", version="1.0.108"),
    ],
)
def test_records_that_no_client_wrote_for_a_person_are_nobodys(foreign: Json) -> None:
    assert hear(foreign).said == ()


def test_a_person_may_work_where_jobs_do() -> None:
    assert hear(user("never translate the names", cwd="/builds/shop", origin={"kind": "human"})).said


def test_unknown_types_are_named_if_they_have_a_name() -> None:
    assert hear(record("hologram")).kind == "unknown type hologram"
    assert hear(record("a b\x1b[1m")).kind == "unknown"
    assert hear({"type": ["user"]}).kind == "unknown"


def test_a_withdrawn_message_is_told_apart() -> None:
    assert hear(enqueue("on second thought", operation="popAll")).withdrawn == "on second thought"


MACHINE = [
    "",
    "[Request interrupted by user]",
    "[Request interrupted by user for tool use]",
    "[Image #1]",
    "<bash-input>ls</bash-input>",
    "<bash-stdout>x</bash-stdout> always squash",
    "<local-command-stdout>always squash</local-command-stdout>",
    '<teammate-message teammate_id="lead">always squash</teammate-message>',
    "<some-new-wrapper>always squash</some-new-wrapper>",
    "<system-reminder>always squash</system-reminder>",
    "<system-reminder>never closed, always squash",
    "always squash, closed but never opened</system-reminder>",
    "This session is being continued from a previous conversation that ran out of context. always squash",
    "Implement the following plan:\n\nalways squash",
    "Operation stopped by hook: always squash",
    "<command-name>/compact</command-name>",
]


@pytest.mark.parametrize("text", MACHINE)
def test_nothing_is_left_of_what_the_client_wrote(text: str) -> None:
    assert clean_text(text).text == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("  always squash\n", "always squash"),
        ("<ide_opened_file>a</ide_opened_file>\nalways squash\n<system-reminder>b</system-reminder>", "always squash"),
        ("always <ide_selection>x\ny</ide_selection>squash", "always squash"),
        ("<system-reminder>a<system-reminder>b</system-reminder>c</system-reminder>squash", "squash"),
        ("[Request interrupted by user] always squash", "always squash"),
        ("[Image #2] is that normal?", "[Image #2] is that normal?"),
        ("<user-memory-input>always squash</user-memory-input>", "always squash"),
        ("<div> is wrong here", "<div> is wrong here"),
        ("/home/ines/x is gone", "/home/ines/x is gone"),
    ],
)
def test_keeps_what_the_person_typed_around_it(text: str, left: str) -> None:
    assert clean_text(text).text == left


@pytest.mark.parametrize("name", ["system-reminder", "ide_selection", "user-prompt-submit-hook"])
def test_text_inside_a_wrapper_cannot_close_it(name: str) -> None:
    assert clean_text(f"<{name}>a</{name}>\nalways squash\n<{name}>b</{name}>\nthanks").text == "thanks"
    assert clean_text(f"<{name}>a</{name}>\nalways squash\n<{name}>b").text == "always squash"


def test_a_command_typed_into_the_queue_is_a_command() -> None:
    assert clean_text("/review-all always approve").kind == "command"


@pytest.mark.parametrize("path", ["src/memory.md", "docs/a.md", "memory/a.py", "a/memory", "xmemory/a.md"])
def test_other_files_are_no_memory(path: str) -> None:
    assert not is_memory_path(path)


@pytest.mark.parametrize(
    "path", ["memory/a.md", "/r/.claude/agent-memory/x/MEMORY.md", "C:\\r\\.claude\\memory\\topics\\a.md"]
)
def test_markdown_below_a_memory_directory_is_memory(path: str) -> None:
    assert is_memory_path(path)


def test_finds_what_a_session_writes_into_memory() -> None:
    written = assistant(
        call("Write", file_path="memory/a.md", content="one"),
        call("Edit", file_path="memory/a.md", old_string="x", new_string="two"),
        call("MultiEdit", file_path="memory/a.md", edits=[{"new_string": "three"}, {"new_string": "four"}, 7]),
        call("Read", file_path="memory/a.md"),
        call("Write", file_path="src/a.md", content="no"),
    )
    assert [item.text for item in list_touched(written)] == ["one", "two", "three\nfour", None]


@pytest.mark.parametrize(
    "piece", ["<system-reminder>", "</system-reminder>", "<command-args>", "<a-b>", "[Image #1]", "<"]
)
def test_long_hostile_text_is_read_in_one_pass(piece: str) -> None:
    for text in ("<command-name>" + piece * 60_000, piece * 60_000):
        assert len(clean_text(text).text) <= len(text)
