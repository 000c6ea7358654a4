"""Says what may work better than a note for a rule that people had to repeat; a person decides."""

import re
from collections.abc import Iterable

from memci.memory.compose import make_slug
from memci.patterns import LazyPattern
from memci.prose.compare import read
from memci.prose.similar import stem_words
from memci.use.repeated_rules import KnownRule

# A command with an argument; a single word in code may be anything.
_COMMAND = LazyPattern(r"`([a-z][\w.-]*(?: [\w./:=@-]+)+)`")
_CALL = LazyPattern(r"`([A-Za-z_][\w.:]*)\(\)`")
_PLACE = LazyPattern(r"`(?:\./)?((?:[\w.@-]+/)+[\w.@-]*)`")


def advise(rule: KnownRule, tracked: Iterable[str]) -> str:
    """Say what may work better than a note: what a program can enforce, or what a session reads at the right moment."""
    said, commands = read(rule.text), _COMMAND.findall(rule.text)
    for command in commands if said.negated else ():
        # In "use `pnpm add`, never `npm add`" only one of them is forbidden.
        if said.denied.issuperset(stem_words(command)):
            deny = f'{{"permissions": {{"deny": ["Bash({command}:*)"]}}}}'
            return f"a permission can enforce it, in .claude/settings.json: {deny}"
    for call in _CALL.findall(rule.text) if said.denied else ():
        if said.denied.issuperset(stem_words(call)):
            entry = f"language: pygrep, entry: '{re.escape(call)}\\(', types: [text]"
            hook = f"{{id: no-{make_slug(call)}, name: no {call}, {entry}}}"
            return f"a lint rule can enforce it, in .pre-commit-config.yaml: {{repo: local, hooks: [{hook}]}}"
    if commands and not said.negated:
        hook = f'{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "{commands[0]}"}}]}}]}}}}'
        return f"a hook can do it, in .claude/settings.json: {hook}"
    if glob := _find_glob(rule.text, tracked):
        file = f".claude/rules/{make_slug(rule.path.stem)}.md"
        return (
            f'a rule is loaded whenever such a file is read, {file}: `paths: ["{glob}"]` in its head, then: {rule.text}'
        )
    if rule.is_guide:
        return "word it sharper: first in the file, one sentence, with what to do instead; or make it a lint rule"
    return f"make it a line of CLAUDE.md, which every session loads: {rule.text}"


def _find_glob(text: str, tracked: Iterable[str]) -> str:
    """Return the files that a rule names in code, if the repository has them; "" if it names none."""
    places = [place.rstrip("/") for place in _PLACE.findall(text)]
    for path in tracked if places else ():
        for place in places:
            if path == place or path.startswith(f"{place}/"):
                return place if path == place else f"{place}/**"
    return ""
