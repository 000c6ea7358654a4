"""Entries as tests need them."""

from memci.recall.listing import TopicEntry


def entry(
    name: str, description: str = "", head: str = "", *, kind: str = "project", hook: str = "", scope: str = "m"
) -> TopicEntry:
    """Return one entry of a manifest."""
    return TopicEntry(f"{scope}/{name}.md", kind, name, description, head, hook)


def names(ids: list[str]) -> list[str]:
    """Return ids without directory and suffix."""
    return [id_.rpartition("/")[2].removesuffix(".md") for id_ in ids]
