"""All rules, in the order of the documentation."""

import importlib

from memci.checks.rule import Rule
from memci.report.check_result import RuleInfo

_NAMES = """
    index_dangling index_orphan index_duplicate index_over_lines index_over_bytes index_long_entry index_prose
    index_escapes_scope topic_no_frontmatter topic_bad_yaml topic_bad_type topic_no_description topic_no_name
    topic_oversized topic_dangling_link conflict_marker symlink_escape bad_encoding unreadable guide_not_loaded
    ignore_unused path_missing path_moved symbol_missing symbol_moved flag_missing line_out_of_range script_missing
    env_missing commit_missing value_changed date_relative date_expired log_future duplicate_topic contradiction
    duplicates_claude_md secret injection hidden_text memory_vanished memory_shrunk config_changed
"""
RULES: tuple[Rule, ...] = tuple(importlib.import_module(f"memci.checks.rules.{name}").RULE for name in _NAMES.split())
# What is known about each rule, as several commands report it.
RULE_INFOS = {rule.id: RuleInfo(rule.id, rule.severity, rule.summary, rule.remedy, rule.group) for rule in RULES}
