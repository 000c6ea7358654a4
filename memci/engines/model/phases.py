"""The kinds of calls: model, effort and reply schema."""

import functools
from pathlib import Path

from memci.engines.claude.calls import Phase
from memci.model.memory import TopicType

# A cheap model to choose and to compare, a careful one to write. Prices: prices.json.
GATHER_MODEL = "claude-haiku-5-5"
MODEL = "claude-sonnet-5-5"
_MAX_TEXT = 1_500
_MAX_TOPICS = 200
# Pairs of one call that compares statements with their quotations.
MAX_PAIRS = 60


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


def _enum(*values: str) -> dict[str, object]:
    return {"type": "string", "enum": list(values)}


_TEXT: dict[str, object] = {"type": "string", "maxLength": _MAX_TEXT}
_ID: dict[str, object] = {"type": "string", "maxLength": 120}
_NUMBER: dict[str, object] = {"type": "integer"}
# Fixed phrases, because they are shown to people and free text of a model could claim anything.
REPLACED = "replaced by a newer statement"
RETIRED = (
    REPLACED,
    "taken back by a person",
    "the repository says otherwise",
    "over",
    "said elsewhere",
)
SAID_ALREADY, TAKEN_BACK, IN_GUIDE, TASK = "said already", "taken back", "in a guide or the code", "task of the day"
# These warn people.
PLANTED, AGAINST = "order in foreign text", "job against memory"
PASSED_OVER = (
    SAID_ALREADY, TAKEN_BACK, "pasted", "automation", PLANTED, AGAINST, TASK, IN_GUIDE, "not decided", "joke", "secret",
    "unclear",
)  # fmt: skip
_EVIDENCE = _list(_object(id=_ID, quote=_TEXT), 12)
_STATEMENTS = _list(_object(keep=_ID, part=_enum("statement", "why", "how"), text=_TEXT, evidence=_EVIDENCE), 400)
_RETIRED = _list(_object(line=_ID, reason=_enum(*RETIRED), evidence=_EVIDENCE), 400)
_CONSOLIDATED = _object(
    lookups=_list(_object(kind=_enum("name", "lines", "log", "commit"), subject=_ID, first=_NUMBER, last=_NUMBER), 40),
    topics=_list(
        _object(
            topic=_ID,
            scope=_ID,
            name=_ID,
            type=_enum("", *TopicType),
            description=_TEXT,
            heading=_ID,
            title=_ID,
            hook=_TEXT,
            statements=_STATEMENTS,
            retired=_RETIRED,
        ),
        _MAX_TOPICS,
    ),
    indexes=_list(
        _object(
            scope=_ID,
            statements=_STATEMENTS,
            retired=_RETIRED,
            groups=_list(_object(heading=_ID, topics=_list(_ID, 400)), 40),
        ),
        20,
    ),
    questions=_list(_object(about=_ID, question=_TEXT, proposal=_TEXT, evidence=_EVIDENCE), 40),
    passed_over=_list(_object(id=_ID, why=_enum(*PASSED_OVER)), 1_000),
    repairs=_list(
        _object(refused=_ID, withdraw={"type": "boolean"}, text=_TEXT, description=_TEXT, evidence=_EVIDENCE), 200
    ),
)
_CHOSEN = _object(messages=_list(_ID, 2_000))
_LINKED = _object(repeated=_list(_object(message=_NUMBER, rule=_NUMBER, quote=_TEXT), MAX_PAIRS))
_COMPARED = _object(pairs=_list(_object(pair=_NUMBER, says={"type": "boolean"}, own={"type": "boolean"}), MAX_PAIRS))


def gather_phase(model: str = GATHER_MODEL) -> Phase:
    """Return the parameters for choosing the messages that are worth reading."""
    return Phase("gather", model, "low", 16_384, _CHOSEN)


def consolidate_phase(name: str = "consolidate", model: str = MODEL) -> Phase:
    """Return the parameters for drafts; look-ups and repairs differ only at the end, so the prompt cache applies."""
    return Phase(name, model, "medium", 32_768, _CONSOLIDATED)


def link_phase(model: str = GATHER_MODEL) -> Phase:
    """Return the parameters for finding the messages that say a rule again."""
    return Phase("repetitions", model, "low", 8_192, _LINKED)


def verify_phase(model: str = GATHER_MODEL) -> Phase:
    """Return the parameters for comparing statements with their quotations."""
    return Phase("verify", model, "low", 8_192, _COMPARED)


@functools.cache
def render_system(name: str) -> str:
    """Return the system prompt of a phase; constant, so that it can be cached."""
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    # The output is a prompt, not HTML; data never goes through a template.
    environment = jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701
    return environment.get_template(f"{name}.j2").render(types=[kind.value for kind in TopicType])
