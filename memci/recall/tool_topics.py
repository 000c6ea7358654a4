"""Recognises manuals of tools in use: such a session needs no usage notes, but it does need warnings."""

from collections.abc import Iterable

from memci.model.memory import TopicType
from memci.patterns import LazyPattern
from memci.prose.similar import count_negations
from memci.recall.listing import TopicEntry
from memci.recall.query_words import listed_roots, word_roots

# A command in a list or at a prompt.
_COMMAND = LazyPattern(r"(?:[-*+] |\d{1,3}\. )?[`$]")
_WARNING_CJK = LazyPattern("注意|警告|小心|问题|問題|错误|危険|バグ|不具合|失敗|失败|주의|경고")


def tool_roots(name: str) -> frozenset[str]:
    """Split the name of a tool into roots: `mcp__github__get_issue` gives github, `Bash(docker ps:*)` docker."""
    if name.startswith("mcp__"):
        name = name.split("__")[1]
    elif "(" in name:
        name = (name.partition("(")[2].split() or [name])[0].rstrip(":*)")
    return word_roots(name)


def is_manual_of(entry: TopicEntry, tools: Iterable[frozenset[str]]) -> bool:
    """Tell whether a topic only explains how to use one of these tools, without any warning."""
    # Corrections, decisions and people are never manuals.
    if entry.type not in {TopicType.REFERENCE, ""}:
        return False
    title = word_roots(f"{entry.name} {entry.description} {entry.hook}")
    if not any(tool and tool <= title for tool in tools):
        return False
    return (bool(title & listed_roots("manual")) or _is_mostly_code(entry.head)) and not _warns(entry)


def _warns(entry: TopicEntry) -> bool:
    text = f"{entry.name}\n{entry.description}\n{entry.hook}\n{entry.head}"
    return bool(count_negations(text) or _WARNING_CJK.search(text) or word_roots(text) & listed_roots("warning"))


def _is_mostly_code(head: str) -> bool:
    lines = [line.strip() for line in head.split("\n") if line.strip()]
    fenced = False
    code = 0
    for line in lines:
        fence = line.startswith(("```", "~~~"))
        code += fenced or fence or bool(_COMMAND.match(line))
        fenced ^= fence
    return code * 2 > len(lines)
