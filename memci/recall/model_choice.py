"""Chooses topics with a model; names that are not on the list are ignored."""

import json
from collections.abc import Sequence

from memci.engines.claude.calls import Failure, Phase, Prompt
from memci.engines.model.phases import GATHER_MODEL, render_system
from memci.engines.model.replies import Model
from memci.recall.listing import TopicEntry, render_entry
from memci.recall.local_choice import LocalRanker

_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"files": {"type": "array", "items": {"type": "string", "maxLength": 500}, "maxItems": 5}},
    "required": ["files"],
    "additionalProperties": False,
}


class ModelRanker:
    """Asks a model which topics help, and falls back to `LocalRanker` if it fails."""

    name = "claude"

    def __init__(self, model: Model, tools: Sequence[str] = ()) -> None:
        self._model = model
        self._tools = tools
        # Why the fallback was used; "" if it was not.
        self.failure = ""

    def rank(self, query: str, manifest: Sequence[TopicEntry]) -> list[str]:
        """Return the ids that the model names, without unknown ones."""
        listed = json.dumps({"topics": [render_entry(entry) for entry in manifest]}, ensure_ascii=False)
        asked = json.dumps({"query": query, "tools": list(self._tools)}, ensure_ascii=False)
        phase = Phase("recall", GATHER_MODEL, "low", 2_048, _SCHEMA)
        reply = self._model.ask(phase, Prompt(render_system("recall"), listed, asked), shorten=lambda _: None)
        if isinstance(reply, Failure):
            self.failure = str(reply)
            return LocalRanker().rank(query, manifest)
        known = {entry.id for entry in manifest}
        files = reply.value["files"]
        return [name for name in files if name in known] if isinstance(files, list) else []
