"""Asks for drafts; a reply may ask the repository first, and code answers from HEAD."""

from collections.abc import Iterator, Mapping
from typing import Any

from memci.citations.lookups import Lookup, LookupKind
from memci.engines.claude.calls import Failure, Prompt, Reply
from memci.engines.model.desk import Desk
from memci.engines.model.material import Clean
from memci.engines.model.phases import consolidate_phase
from memci.engines.model.prompts import drop_oldest, write_answers
from memci.engines.model.replies import Model

MAX_ROUNDS = 3
MAX_LOOKUPS = 40


def ask_for_drafts(model: Model, prompt: Prompt, desk: Desk, clean: Clean) -> tuple[Prompt, Reply | Failure]:
    """Return the reply with the drafts, after at most three rounds of questions to the repository, and its prompt."""
    for left in reversed(range(MAX_ROUNDS + 1)):
        reply = model.ask(consolidate_phase(), prompt, shorten=drop_oldest)
        if isinstance(reply, Failure):
            return prompt, reply
        wanted = list(_read(reply.value, desk))[: MAX_LOOKUPS - len(desk.answers)]
        if not wanted or not left:
            return prompt, reply
        for source, answer in desk.request.look_up(wanted).items():
            desk.answers[f"q{len(desk.answers) + 1}"] = (source, answer)
        prompt = write_answers(prompt, desk, left - 1, clean)
    return prompt, Failure("api", "no drafts")


def _read(reply: Mapping[str, Any], desk: Desk) -> Iterator[Lookup]:
    """Yield the questions that were not answered yet."""
    known = {source for source, _ in desk.answers.values()}
    for told in reply["lookups"]:
        kind = LookupKind(told["kind"])
        lines = (max(1, told["first"]), max(1, told["last"])) if kind is LookupKind.LINES else (0, 0)
        lookup = Lookup(kind, told["subject"].strip(), *lines)
        if lookup.subject and lookup.source not in known:
            known.add(lookup.source)
            yield lookup
