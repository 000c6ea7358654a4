"""date-relative: an added line names days that anybody can find on a calendar."""

from memci.guards.changes import added_numbers, index_path, new_texts
from memci.guards.guard import Ground, Guard
from memci.operation import Operation
from memci.text.relative_dates import find_stated
from memci.text.topic import parse_topic


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse relative dates in added lines and changed descriptions."""
    numbers = added_numbers(operation, ground)
    for path, text in new_texts(operation).items():
        topic = parse_topic(path, text)
        body, offset = (text, 0) if path == index_path(ground) else (topic.body, topic.body_line - 1)
        found = [date.text for date in find_stated(body) if date.line + offset in numbers[path]]
        if topic.description != parse_topic(path, ground.draft.get(path, "")).description:
            found += [date.text for date in find_stated(topic.description)]
        if found:
            return f'{path.name} says "{" ".join(found[0].split())}", which depends on the day it was written'
    return None


GUARD = Guard("date-relative", "Added lines name absolute dates.", check)
