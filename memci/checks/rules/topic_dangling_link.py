"""topic-dangling-link: a wikilink to nothing."""

from collections.abc import Iterator

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.topic import fold_name, list_names
from memci.prose.markdown import mask_code

# Longer names do not occur; the bound keeps a line of open brackets linear.
_MAX_NAME = 200


def check(material: Material) -> Findings:
    """Find `[[name]]` links that no topic of any scope answers to."""
    topics = [topic for scope in material.snapshot.scopes for topic in scope.topics]
    names = frozenset().union(*map(list_names, topics))
    for topic in topics:
        for number, row in enumerate(mask_code(topic.text).split("\n"), 1):
            for column, name in _parse_links(row):
                if fold_name(name) not in names:
                    yield RULE.finding(
                        topic.path,
                        f"no topic is called {name!r}",
                        line=number,
                        column=column,
                        suggestion="write the topic, correct the name, or drop the brackets",
                    )


def _parse_links(row: str) -> Iterator[tuple[int, str]]:
    position = 0
    while (start := row.find("[[", position)) >= 0:
        end = row.find("]]", start, start + _MAX_NAME)
        position = start + 2 if end < 0 else end + 2
        name = row[start + 2 : end].partition("|")[0].partition("#")[0].removesuffix(".md").strip()
        if end >= 0 and name:
            yield start + 1, name.rpartition("/")[2]


RULE = Rule(
    id="topic-dangling-link",
    group=Group.TOPIC,
    severity=Severity.INFO,
    summary="A `[[name]]` link leads to no topic.",
    why="A link to a topic that is yet to be written is allowed; one that outlived its topic is a loose end.",
    example="See [[release-process]].   <- no such topic",
    remedy="Write the topic, correct the name, or drop the brackets.",
    check=check,
)
