"""in-guide: an operation does not write into memory what a CLAUDE.md says already."""

from memci.guards.changes import new_topics, old_texts
from memci.guards.context import Ground, Guard
from memci.guards.facts import find_facts
from memci.memory.guides import find_main, find_place, match_guides, read_guides
from memci.memory.topic import parse_topic
from memci.model.plan import Operation, OperationKind
from memci.prose.similar import normalise
from memci.prose.statements import split_body


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse a create or update that adds only statements, reasons aside, which stand in a guide."""
    if operation.kind not in {OperationKind.CREATE, OperationKind.UPDATE} or not ground.guides:
        return None
    known = {fact.key for path, text in old_texts(operation, ground).items() for fact in find_facts(path, text)}
    guides = read_guides(ground.guides)
    for path, text in new_topics(operation, ground).items():
        topic = parse_topic(path, text)
        statements = split_body(topic.body, topic.body_line)
        added = find_main(found for found in statements if normalise(found.text) not in known)
        alike = match_guides(added, guides)
        places = [find_place(found, guides, alike) for found in added]
        if places and all(places):
            return f"{path.name} would say only what {places[0]} already says"
    return None


GUARD = Guard("in-guide", "Memory does not repeat what a CLAUDE.md says.", check)
