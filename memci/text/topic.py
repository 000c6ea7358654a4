"""Topic files as values."""

from pathlib import PurePosixPath

from memci.model import Topic, TopicType
from memci.text.frontmatter import parse_head


def parse_topic(path: PurePosixPath, text: str) -> Topic:
    """Read a topic; whatever is wrong with it is part of the value."""
    head = parse_head(text)
    return Topic(path, text, head.frontmatter, head.body_line)


def fold_name(name: str) -> str:
    """Return the form in which names and wikilinks are compared: `[[My-Topic]]` means `my_topic`."""
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def find_names(topic: Topic) -> frozenset[str]:
    """Return what a wikilink may call a topic, folded: its name, its file, or its file without the type in front."""
    stem = fold_name(topic.path.stem)
    bare = next((stem.removeprefix(f"{kind}_") for kind in TopicType if stem.startswith(f"{kind}_")), stem)
    return frozenset(name for name in (fold_name(topic.name), stem, bare) if name)
