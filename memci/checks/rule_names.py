"""The names of all rules, in the order of the documentation, and what loads them.

Loading all takes a third of the time of a check of one file, which a session waits for.
"""

import importlib
from collections.abc import Iterable
from pathlib import PurePosixPath

from memci.checks.rule import Rule
from memci.model.memory import INDEX_NAME

_NAMES = """
    index_dangling index_orphan index_duplicate index_over_lines index_over_bytes index_long_entry index_prose
    index_escapes_scope topic_no_frontmatter topic_bad_yaml topic_bad_type topic_no_description topic_no_name
    topic_oversized topic_dangling_link conflict_marker symlink_escape bad_encoding unreadable guide_not_loaded
    ignore_unused path_missing path_moved symbol_missing symbol_moved flag_missing line_out_of_range script_missing
    env_missing commit_missing value_changed date_relative date_expired log_future duplicate_topic contradiction
    duplicates_claude_md secret injection hidden_text memory_vanished memory_shrunk config_changed
"""
# These compare files, memory with guides, or two versions of a memory.
_BETWEEN_FILES = """
    index_orphan guide_not_loaded duplicate_topic contradiction duplicates_claude_md memory_vanished memory_shrunk
    config_changed
"""
NAMES = tuple(_NAMES.split())
RULE_IDS = frozenset(name.replace("_", "-") for name in NAMES)


def suggest_rule(name: str, known: Iterable[str] = RULE_IDS) -> str:
    """Return what to do about a name that is no rule."""
    from difflib import get_close_matches

    return (
        "".join(f"did you mean {one}?" for one in get_close_matches(name, sorted(known), 1)) or "memci rule lists all"
    )


def load_rule(name: str) -> Rule:
    """Return the rule of a module."""
    rule: Rule = importlib.import_module(f"memci.checks.rules.{name}").RULE
    return rule


def load_file_rules(path: PurePosixPath) -> tuple[Rule, ...]:
    """Return the rules that judge one file by itself: an index, or a topic or log."""
    others = "topic_" if path.name == INDEX_NAME else "index_"
    wanted = (name for name in NAMES if not name.startswith(others) and name not in _BETWEEN_FILES.split())
    return tuple(map(load_rule, wanted))
