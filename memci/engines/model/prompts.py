"""Prompts: one prefix for drafts, look-ups and repairs; what does not fit is chosen or split."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memci.engines.claude.calls import Failure, Prompt
from memci.engines.model.desk import Desk, lay_out
from memci.engines.model.material import Clean, clean_all, dump, show_parts, write_material
from memci.engines.model.phases import gather_phase, render_system
from memci.engines.model.replies import Model
from memci.engines.protocol import ConsolidationRequest
from memci.model.conversation import Conversation, Message, Talk

# Characters per token of English prose and JSON are above four, of code and other languages below.
_CHARACTERS = 3
# Conversations up to this many tokens go to consolidate as they are.
MAX_CONVERSATION = 60_000
# The most that one call is shown, about 170,000 tokens; larger scopes are asked one by one.
_MAX_MATERIAL = 500_000
# The small model costs more beyond 100,000 tokens.
_MAX_CHUNK = 240_000
# Chosen messages travel with this many before and after them.
_AROUND = 2


def write_prompt(desk: Desk, clean: Clean) -> Prompt:
    """Return the first prompt for drafts."""
    last = {"today": f"{desk.request.now:%Y-%m-%d %A}", "rounds_of_lookups_left": 3}
    return Prompt(render_system("consolidate"), write_material(desk, clean), dump(last))


def write_answers(prompt: Prompt, desk: Desk, left: int, clean: Clean) -> Prompt:
    """Return the prompt with the answers of the repository; only its end differs."""
    answers = [{"id": name, "asked": source, "answer": answer} for name, (source, answer) in desk.answers.items()]
    last = {**json.loads(prompt.last), "rounds_of_lookups_left": left, "answers": answers}
    return replace(prompt, last=dump(clean_all(last, clean)))


def write_repair(prompt: Prompt, refused: Sequence[object], clean: Clean) -> Prompt:
    """Return the prompt that asks to correct refused statements; only its end differs."""
    last = {**json.loads(prompt.last), "rounds_of_lookups_left": 0, "refused": list(refused)}
    return replace(prompt, last=dump(clean_all(last, clean)))


def drop_oldest(prompt: Prompt) -> Prompt | None:
    """Return the prompt without the older half of its sessions; None if there is nothing left to drop."""
    told = json.loads(prompt.material) if prompt.material else {}
    sessions = told.get("sessions", ())
    if len(sessions) < 2:
        return None
    return replace(prompt, material=dump({**told, "sessions": sessions[len(sessions) // 2 :]}))


def split_request(
    request: ConsolidationRequest, model: Model, clean: Clean, failures: list[str]
) -> Iterator[ConsolidationRequest]:
    """Yield what is asked in one call: everything, or scope by scope if that is too much."""
    if _measure(request.conversation.talks) > _CHARACTERS * MAX_CONVERSATION:
        request = replace(request, conversation=_choose(request.conversation, model, clean, failures))
    if len(write_material(lay_out(request), str)) <= _MAX_MATERIAL:
        yield request
        return
    for draft in request.drafts:
        path = draft.scope.scope.path
        others = (*request.others, *(other.scope for other in request.drafts if other is not draft))
        log = tuple(line for line in request.conversation.log if line.scope == path)
        findings = [finding for finding in request.findings if finding.path.is_relative_to(path)]
        conversation = Conversation(request.conversation.talks, log)
        yield replace(request, drafts=(draft,), others=others, findings=findings, conversation=conversation)


def _measure(talks: Sequence[Talk]) -> int:
    return sum(len(message.turn.text) + len(message.turn.before) + 60 for talk in talks for message in talk.messages)


def _choose(conversation: Conversation, model: Model, clean: Clean, failures: list[str]) -> Conversation:
    """Let the small model choose the messages that are worth reading; each travels with its surroundings."""
    kept: list[Talk] = []
    for chunk in _split_chunks(conversation.talks):
        names = {f"m{number}": message for number, message in enumerate(_list_messages(chunk), 1)}
        shown = [{"id": name, "said": show_parts(message.turn)} for name, message in names.items()]
        prompt = Prompt(render_system("gather"), "", dump(clean_all({"messages": shown}, clean)))
        reply = model.ask(gather_phase(), prompt, shorten=lambda _: None)
        if isinstance(reply, Failure):
            failures.append(f"gather: {reply}")
            continue
        chosen = reply.value["messages"]
        wanted = {id(names[name]) for name in chosen if name in names} if isinstance(chosen, list) else set()
        kept += (part for talk in chunk if (part := _keep_around(talk, wanted)).messages)
    return replace(conversation, talks=tuple(kept))


def _list_messages(talks: Sequence[Talk]) -> list[Message]:
    return [message for talk in talks for message in talk.messages]


def _split_chunks(talks: Sequence[Talk]) -> Iterator[list[Talk]]:
    chunk: list[Talk] = []
    size = 0
    for talk in talks:
        length = _measure((talk,))
        if chunk and size + length > _MAX_CHUNK:
            yield chunk
            chunk, size = [], 0
        chunk.append(talk)
        size += length
    if chunk:
        yield chunk


def _keep_around(talk: Talk, wanted: set[int]) -> Talk:
    places = [place for place, message in enumerate(talk.messages) if id(message) in wanted]
    near = {other for place in places for other in range(place - _AROUND, place + _AROUND + 1)}
    kept = tuple(message for place, message in enumerate(talk.messages) if place in near)
    return replace(talk, messages=kept)
