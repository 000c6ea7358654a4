"""What a model is told, and how little of it when there is too much."""

import json
from dataclasses import replace

import pytest

from memci.dream.consolidate import open_draft
from memci.engines.claude.calls import Failure, Prompt
from memci.engines.model import prompts
from memci.engines.model.desk import lay_out
from memci.engines.model.material import write_material
from memci.engines.model.prompts import MAX_CONVERSATION, drop_oldest, split_request, write_prompt
from memci.engines.protocol import ConsolidationRequest
from memci.model.conversation import Conversation, Message, Talk
from tests.build import NOW, topic_text
from tests.dream.scenes import make_sources, named_scope
from tests.engines.model.play import Scripted, converse, play, turn
from tests.engines.model.scene import PUSH, TABS, TOPICS, Told, answer_with, read_told

LONG = "the importer reads every row of the table and writes it to the other one. " * 60


def request_of(*talks: Talk, topics: int = 1, scopes: int = 1) -> ConsolidationRequest:
    """Return a request about scopes with short topics."""
    drafts = []
    for number in range(scopes):
        path = f".claude/agent-memory/a{number}"
        files = {f"project_{at}.md": topic_text(f"Fact {at} of {number}.", name=f"f-{at}") for at in range(topics)}
        scope = named_scope(f"agent:a{number}", path, files)
        drafts.append(open_draft(scope, make_sources(scope), ()))
    return ConsolidationRequest(drafts, NOW, conversation=Conversation(talks))


def talk_of(*texts: str, session: str = "s1") -> Talk:
    talk = converse(*texts)
    messages = tuple(replace(one, turn=replace(one.turn, session=session)) for one in talk.messages)
    return replace(talk, session=session, messages=messages)


def split(request: ConsolidationRequest, model: Scripted) -> tuple[list[ConsolidationRequest], list[str]]:
    failures: list[str] = []
    return list(split_request(request, model, str, failures)), failures


def list_said(request: ConsolidationRequest) -> list[str]:
    return [message.turn.text for talk in request.conversation.talks for message in talk.messages]


def test_what_fits_goes_as_it_is_and_nobody_is_asked_to_choose() -> None:
    model = Scripted()
    request = request_of(talk_of(PUSH, TABS))
    assert split(request, model) == ([request], [])
    assert model.phases == []


def test_over_the_budget_the_small_model_chooses_and_surroundings_travel() -> None:
    texts = [f"message {number}. {LONG}" for number in range(60)]
    talk = talk_of(*texts)
    assert sum(map(len, texts)) > 3 * MAX_CONVERSATION

    def choose(_: str, told: Told) -> object:
        return {
            "messages": [entry["id"] for entry in told["messages"] if "message 30." in str(entry["said"])]
            + ["m999", "x"]
        }

    model = Scripted(answer_with(gather=choose))
    (part,), failures = split(request_of(talk), model)
    assert set(model.phases) == {"gather"}
    assert failures == []
    # Two before and two after it, whole.
    assert list_said(part) == texts[28:33]


def test_a_session_of_which_nothing_is_chosen_is_left_out() -> None:
    talks = [talk_of(*(f"{name} {at}. {LONG}" for at in range(30)), session=name) for name in ("one", "two")]

    def choose(_: str, told: Told) -> object:
        return {"messages": [entry["id"] for entry in told["messages"] if "two 0." in str(entry["said"])]}

    (part,), _ = split(request_of(*talks), Scripted(answer_with(gather=choose)))
    assert [talk.session for talk in part.conversation.talks] == ["two"]
    assert [said[:6] for said in list_said(part)] == ["two 0.", "two 1.", "two 2."]


def test_a_failure_is_told_and_the_next_chunk_is_asked() -> None:
    talks = [talk_of(*(f"{name} {at}. {LONG}" for at in range(40)), session=name) for name in ("one", "two")]
    replies: list[object] = [Failure("refusal", "x"), {"messages": ["m1"]}]
    model = Scripted(lambda _: replies.pop(0))
    (part,), failures = split(request_of(*talks), model)
    assert model.phases == ["gather", "gather"]
    assert failures == ["gather: refusal: x"]
    assert [said[:6] for said in list_said(part)] == ["two 0.", "two 1.", "two 2."]


def test_what_was_pasted_is_shown_to_the_chooser_as_such() -> None:
    text = "look at this ticket:\n\nStatus: open\nOwner: Tom\n\nAlways run the migrations with --force."
    model = Scripted()
    split(request_of(talk_of(text, *(f"{at}. {LONG}" for at in range(60)))), model)
    said = json.loads(model.asked[0][1].last)["messages"][0]["said"]
    assert said[0] == "look at this ticket:"
    assert "--force" in said[1]["pasted"]


def test_scopes_that_do_not_fit_together_are_asked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    request = request_of(talk_of(PUSH), topics=20, scopes=3)
    assert len(split(request, Scripted())[0]) == 1
    # Two hundred topics of two kilobytes would do, and take a second.
    monkeypatch.setattr(prompts, "_MAX_MATERIAL", 2_000)
    parts, _ = split(request, Scripted())
    assert [[draft.scope.scope.id for draft in part.drafts] for part in parts] == [[f"agent:a{at}"] for at in range(3)]
    # Each sees what the others hold, and everything that was said.
    for number, part in enumerate(parts):
        assert [scope.scope.id for scope in part.others] == [f"agent:a{at}" for at in range(3) if at != number]
        assert list_said(part) == [PUSH]


def test_everything_has_an_id_and_lines_are_whole() -> None:
    scope = named_scope("project", ".claude/memory", {"MEMORY.md": "# Memory\n\nProse.\n\n## Rules\n", **TOPICS})
    desk = lay_out(ConsolidationRequest([open_draft(scope, make_sources(scope), ())], NOW))
    told = json.loads(write_material(desk, str))
    (shown,) = told["scopes"]
    assert [topic["topic"] for topic in shown["topics"]] == ["t1", "t2", "t3", "t4"]
    assert shown["topics"][0]["lines"] == {"t1.1": "Commit messages: imperative mood, subject under 60 characters."}
    assert [topic.get("pinned", False) for topic in shown["topics"]] == [False, False, True, False]
    assert [next(iter(row)) for row in shown["index"]["rows"]] == ["h1.1", "i1.2", "h1.2"]


def test_the_date_is_in_the_last_block_only() -> None:
    prompt = write_prompt(lay_out(request_of(talk_of(PUSH))), str)
    assert "2026-11-16" in prompt.last
    assert "2026-11-16" not in prompt.system + prompt.material


def test_the_context_of_a_message_travels_and_is_no_evidence() -> None:
    one = turn("no, the other way round", before="The agent wants to put the tax into the lines.")
    model = Scripted()
    talk = replace(converse("x"), person="Ana Lima", agent="reviewer")
    signal = converse("no, the other way round").messages[0].signal
    play({}, replace(talk, messages=(Message(one, signal),)), model)
    (_, prompt), *_ = model.asked
    (shown,) = read_told({"messages": [{"content": [{"text": prompt.material}]}]})["sessions"]
    assert (shown["person"], shown["agent"], shown["on"]) == ("Ana Lima", "reviewer", "2026-11-12 Thursday")
    assert shown["messages"] == [
        {
            "agent_before": "The agent wants to put the tax into the lines.",
            "id": "m1",
            "said": "no, the other way round",
        }
    ]


def test_the_older_half_leaves_until_one_is_left() -> None:
    prompt = Prompt("s", json.dumps({"scopes": [1], "sessions": [1, 2, 3, 4, 5]}), "{}")
    shorter = drop_oldest(prompt)
    assert shorter == replace(prompt, material='{"scopes":[1],"sessions":[3,4,5]}')
    assert drop_oldest(replace(prompt, material='{"sessions":[5]}')) is None
    assert drop_oldest(replace(prompt, material="")) is None
