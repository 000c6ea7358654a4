"""The kinds of calls: model, effort and reply schema."""

import functools
from pathlib import Path

from memci.engines.claude.calls import Phase
from memci.model.memory import TopicType
from memci.model.session import SignalKind

# A cheap model for many excerpts, a careful one for few changes. Prices: prices.json.
GATHER_MODEL = "claude-haiku-5-5"
MODEL = "claude-sonnet-5-5"
_MAX_SIGNALS = 40
_MAX_OPERATIONS = 40
_MAX_TEXT = 2_000


def _object(**properties: object) -> dict[str, object]:
    # The service requires every key, and no others.
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: dict[str, object], most: int) -> dict[str, object]:
    return {"type": "array", "items": items, "maxItems": most}


_TEXT: dict[str, object] = {"type": "string", "maxLength": _MAX_TEXT}
_TYPE: dict[str, object] = {"type": "string", "enum": [kind.value for kind in TopicType]}
_GATHERED = _object(
    signals=_list(
        _object(
            message={"type": "integer"},
            quote=_TEXT,
            why=_TEXT,
            how=_TEXT,
            kind={"type": "string", "enum": [kind.value for kind in SignalKind]},
            type=_TYPE,
            own={"type": "boolean"},
        ),
        _MAX_SIGNALS,
    )
)
# Fixed phrases, because they are shown to people and free text of a model could claim anything.
PASSED_OVER = (
    "memory says it already",
    "it disagrees with memory",
    "the code, git or CLAUDE.md tell it",
    "it is only about the task of the day",
    "it is not clear what is meant",
)
_CONSOLIDATED = _object(
    operations=_list(
        _object(
            kind={"type": "string", "enum": ["create", "update", "merge", "retire"]},
            file=_TEXT,
            merged=_list(_TEXT, 5),
            replaces=_TEXT,
            name=_TEXT,
            description=_TEXT,
            type=_TYPE,
            rule=_TEXT,
            why=_TEXT,
            how=_TEXT,
            evidence=_list(_object(signal=_TEXT, quote=_TEXT), 10),
        ),
        _MAX_OPERATIONS,
    ),
    passed_over=_list(_object(signal=_TEXT, why={"type": "string", "enum": list(PASSED_OVER)}), 200),
)


def gather_phase(model: str = GATHER_MODEL) -> Phase:
    """Return the parameters of the search in messages."""
    return Phase("gather", model, "low", 8_192, _GATHERED)


def consolidate_phase(model: str = MODEL, name: str = "consolidate") -> Phase:
    """Return the parameters for proposals; a repair differs only at its end, so the prompt cache applies."""
    return Phase(name, model, "medium", 32_768, _CONSOLIDATED)


@functools.cache
def render_system(name: str) -> str:
    """Return the system prompt of a phase; constant, so that it can be cached."""
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    # The output is a prompt, not HTML; data never goes through a template.
    environment = jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701
    return environment.get_template(f"{name}.j2").render(types=[kind.value for kind in TopicType])
