"""Tools in use: a session that runs a tool needs no manual of it, but what went wrong with it before."""

import functools
import re
from collections.abc import Iterable

from memci.model.memory import TopicType
from memci.prose.similar import count_negations
from memci.recall.listing import TopicEntry
from memci.recall.query_words import find_roots

_MANUAL = find_roots("""
    usage use manual reference api cli command syntax option flag parameter argument example cheatsheet cheat docs
    documentation guide howto how tutorial
    befehl aufruf anleitung dokumentation commande uso comando справка команда
""")
_WARNING = find_roots("""
    warning careful caution beware danger dangerous gotcha pitfall trap caveat quirk bug broken break fail failure error
    crash hang corrupt lose lost leak wrong workaround issue problem instead but must
    achtung vorsicht warnung falle fehler kaputt attention piège erreur cuidado aviso trampa внимание осторожно ошибка
""")
_WARNING_CJK = re.compile("注意|警告|小心|问题|問題|错误|危険|バグ|不具合|失敗|失败|주의|경고")


def find_tool_words(name: str) -> frozenset[str]:
    """Return the roots of what a tool is called: `mcp__github__get_issue` is github, `Bash(docker ps:*)` docker."""
    if name.startswith("mcp__"):
        name = name.split("__")[1]
    elif "(" in name:
        name = (name.partition("(")[2].split() or [name])[0].rstrip(":*)")
    return find_roots(name)


def is_manual_of(entry: TopicEntry, tools: Iterable[frozenset[str]]) -> bool:
    """Whether a topic only says how to use one of these tools, and warns of nothing."""
    # Corrections, decisions and people are never manuals.
    if entry.type not in {TopicType.REFERENCE, ""}:
        return False
    title = find_roots(f"{entry.name} {entry.description} {entry.hook}")
    if not any(tool and tool <= title for tool in tools):
        return False
    return (bool(title & _MANUAL) or _is_mostly_code(entry.head)) and not _warns(entry)


def _warns(entry: TopicEntry) -> bool:
    text = f"{entry.name}\n{entry.description}\n{entry.hook}\n{entry.head}"
    return bool(count_negations(text) or _WARNING_CJK.search(text) or find_roots(text) & _WARNING)


def _is_mostly_code(head: str) -> bool:
    lines = [line.strip() for line in head.split("\n") if line.strip()]
    fenced = False
    code = 0
    for line in lines:
        fence = line.startswith(("```", "~~~"))
        code += fenced or fence or bool(_command().match(line))
        fenced ^= fence
    return code * 2 > len(lines)


@functools.cache
def _command() -> re.Pattern[str]:
    return re.compile(r"(?:[-*+] |\d{1,3}\. )?[`$]")
