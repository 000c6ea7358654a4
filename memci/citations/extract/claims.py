"""Extracts claims: every statement of a memory about the repository that can be checked against it."""

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memci.citations.extract.command_lines import CommandPart
from memci.citations.extract.fences import parse_fence
from memci.citations.extract.known_names import CSS_HINTS, CSS_PREFIXES
from memci.citations.extract.spans import find_prose, parse_span
from memci.citations.extract.text_blocks import TextSection, split_sections
from memci.citations.wording.cues import ARCHIVES, COMMIT_WORDS, ELSEWHERE, NOT_COMMITS, REPORTS, STRANGE_COMMITS
from memci.citations.wording.mentions import classify_wording, is_banner
from memci.citations.wording.paragraph import Word, find_phrase, sentence_bounds, split_words
from memci.memory.guide_files import find_includes, list_patterns
from memci.memory.snapshot import parse_day
from memci.model.citation import Claim, ClaimKind, Wording
from memci.patterns import LazyPattern
from memci.prose.markdown import Region, RegionKind, mask, parse_regions

# Only beside one of these a plain word is a name: "port 8080", but not "line 12".
_SETTINGS = (".yml", ".yaml", ".toml", ".json", ".env", ".ini", ".cfg", ".conf", ".properties")


def _value_source() -> str:
    number = r"(?<![\w.-])v?\d[\d_,]*(?:\.\d+)*(?:-[a-z]+\.?\d+)?"
    # Between names that stand side by side there is a comma or a word; a text that is a value needs more than that.
    quoted = r"(?:(?<=[=:|(] [`\"'])|(?<=[=:|(][`\"'])|(?<= is [`\"']))[A-Za-z][\w.:@+-]{1,60}(?=[`\"'])"
    value = rf"[`\"']{{0,2}}(?P<value>{number}|{quoted})(?![\w%]|[.,:]\w)"
    # A name as code, or a plain word right before a number. What is in between is free, because the file is the proof.
    code = r"`(?P<code>[A-Za-z_][\w.-]{1,60})(?:`[^`\d\n]{1,25}|\s?(?:=|:=?|=>)\s?)"
    word = r"(?<![\w`/.-])(?P<word>[A-Za-z][A-Za-z_-]{2,30})(?: is| of| to|:| =)? (?=v?\d)"
    return rf"(?:{code}|{word}){value}"


_VALUE = LazyPattern(_value_source)


def find_values(sentence: str, file: str) -> Iterator[CommandPart]:
    """Yield the names of a sentence that it gives a value; `file` is the only one that the sentence names."""
    for found in _VALUE.finditer(sentence):
        # Loading it takes as long as judging a small memory, and few sentences name a value.
        from memci.prose.similar import count_negations

        kind = "code" if found["code"] else "word"
        if kind == "word" and not file.endswith(_SETTINGS):
            continue
        between = sentence[found.end(kind) : found.start("value")]
        if found[kind] not in file and not count_negations(between):
            yield CommandPart(ClaimKind.VALUE, found.start(kind), found[kind], file, value=found["value"])


# More claims than any memory written for people has; later ones are not looked at.
MAX_CLAIMS = 5_000
_NAMED = (ClaimKind.SYMBOL, ClaimKind.ENVIRONMENT, ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.GLOB)
_FILES = (ClaimKind.PATH, ClaimKind.LINES, ClaimKind.DIRECTORY)
# The largest distance, in characters, between a word and the citation it explains.
_NEAR = 60


def find_claims(path: PurePosixPath, text: str, first_line: int = 1) -> list[Claim]:
    """Return the claims of a text that begins on line `first_line` of its file; the first `MAX_CLAIMS` of them."""
    regions = parse_regions(text)
    parts = sorted(_parse_parts(text, regions), key=lambda part: part.start)[:MAX_CLAIMS]
    sections = split_sections(text, regions)
    starts = [section.start for section in sections]
    newlines = [found.start() for found in re.finditer("\n", text)]
    log = _is_log(path) or _is_closed(text, sections)
    claims = []
    for place, group in itertools.groupby(parts, lambda part: bisect.bisect_right(starts, part.start) - 1):
        judged = list(_judge(text, sections[max(0, place)], list(group)))
        # A block that calls a file gone once need not repeat it; a flag or a name may belong to other things, too.
        gone = {part.text for part, wording in judged if wording is Wording.HISTORICAL and part.kind in _FILES}
        for part, wording in judged:
            line = bisect.bisect_left(newlines, part.start)
            column = part.start - (newlines[line - 1] if line else -1)
            said = Wording.HISTORICAL if log or part.text in gone else wording
            at = (path, first_line + line, column)
            claims.append(Claim(part.kind, part.text, *at, said, part.lines, part.context, part.value))
    return claims


def is_archived(path: PurePosixPath) -> bool:
    """Whether a file is in a directory for what is over, or begins with such a name in capitals."""
    named = (
        *(part.strip("_.").lower() for part in path.parts[:-1]),
        re.split("[^A-Z]", path.name, maxsplit=1)[0].lower(),
    )
    return any(part in ARCHIVES.split() for part in named)


def _is_log(path: PurePosixPath) -> bool:
    """Whether a file is a record of one day, or archived: `2026-03-10.md`, `review_2026_03_10.md`, `_archive/x.md`."""
    if is_archived(path):
        return True
    if parse_day(PurePosixPath(path.name)) is not None or re.match(r"\d{4}-\d\d-\d\d[-_ ]", path.name):
        return True
    dated = re.search(r"(?<!\d)\d{4}[-_]\d\d[-_]\d\d(?!\d)", path.stem)
    return dated is not None and bool(set(re.split(r"[-_ \d]+", path.stem.lower())) & set(REPORTS.split()))


def _is_closed(text: str, sections: Sequence[TextSection]) -> bool:
    """Whether a text is marked as history at its top: "> **RESOLVED (2026-07-07)**: …"."""
    blocks = (text[section.start : section.end] for section in sections[:3])
    return is_banner(next((block for block in blocks if not block.startswith("#")), ""))


def _parse_parts(text: str, regions: Sequence[Region]) -> Iterator[CommandPart]:
    for region in regions:
        inside = text[region.start : region.end]
        if region.kind is RegionKind.CODE:
            yield from _shift(parse_span(inside), region.start)
        elif region.kind is RegionKind.TARGET:
            yield from _shift(_parse_target(inside), region.start)
        elif region.kind is RegionKind.FENCE:
            opening = text[text.rfind("\n", 0, max(0, region.start - 1)) + 1 : region.start]
            yield from _shift(parse_fence(opening.strip(), inside), region.start)
    prose = mask(text, regions)
    yield from find_prose(prose)
    yield from _find_commits(mask(text, (region for region in regions if region.kind is not RegionKind.CODE)))


def _shift(parts: Iterator[CommandPart] | list[CommandPart], start: int) -> Iterator[CommandPart]:
    return (part._replace(start=part.start + start) for part in parts)


def _parse_target(target: str) -> list[CommandPart]:
    """Return the file a link leads to; links between topics are pointers, which other rules check."""
    name = target.partition(" ")[0].removeprefix("./")
    if name.endswith(".md") and "/" not in name:
        return []
    kinds = (ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.LINES)
    return [part._replace(start=part.start + target.find(name)) for part in parse_span(name) if part.kind in kinds]


_HEXADECIMAL = LazyPattern(r"(?<![\w#/:.@=+%-])[0-9a-f]{7,40}(?![\w/:@=+%-]|\.\w)")


_SENTENCE_END = LazyPattern(r"[.!?](?=\s)|[。！？]|\n[ \t]*\n")


def _find_commits(text: str) -> Iterator[CommandPart]:
    for found in _HEXADECIMAL.finditer(text):
        if found[0].isdigit() or found[0].isalpha():
            continue
        before = _SENTENCE_END.split(text[max(0, found.start() - _NEAR) : found.start()])[-1]
        after = _SENTENCE_END.split(text[found.end() : found.end() + _NEAR // 2])[0]
        words = split_words(before)
        if words and words[-1].text in NOT_COMMITS.split():
            continue
        if _names_another(before, words):
            continue
        if find_phrase(words, COMMIT_WORDS) >= 0 or find_phrase(split_words(after), COMMIT_WORDS) >= 0:
            yield CommandPart(ClaimKind.COMMIT, found.start(), found[0])


def _names_another(before: str, words: Sequence[Word]) -> bool:
    """Whether a number is a commit of something else ("the parser at commit", "sibling commit"), or a checksum."""
    last = [word.text for word in words[-2:]]
    strange = last[-1:] in (["commit"], ["rev"], ["revision"]) and last[0] in STRANGE_COMMITS.split()
    return strange or re.search(r"(?i)\b(?:sha(?:-?\d+)?|hash)\W{1,3}$", before) is not None


def _judge(text: str, section: TextSection, parts: list[CommandPart]) -> Iterator[tuple[CommandPart, Wording]]:
    """Yield the parts of one section that are claims, with their wording and what they are tied to."""
    block = "" if section.fence else text[section.start : section.end]
    elsewhere = find_phrase(split_words(block), ELSEWHERE)
    styles = any(hint in block.lower() for hint in CSS_HINTS)
    # Where `fix/` and `feat/` are named, `docs/` beside them is the beginning of a branch, too.
    branches = any(f"`{name}/" in block for name in ("feat", "feature", "fix", "bugfix", "hotfix", "chore"))
    # Names that only illustrate a naming rule are no citations.
    illustrates = _NAMING.search(block) is not None or _NAMING.search(section.heading) is not None
    for (low, high), group in itertools.groupby(parts, lambda part: sentence_bounds(block, part.start - section.start)):
        sentence = list(group)
        files = {part.text for part in sentence if part.kind in (ClaimKind.PATH, ClaimKind.LINES)}
        if len(files) == 1 and block:
            sentence += _shift(find_values(block[low:high], *files), section.start + low)
        for part in sentence:
            start = part.start - section.start
            behind = block[start + len(part.text) : max(0, elsewhere)]
            if low <= elsewhere <= start or (behind and _LEADS_THERE.fullmatch(behind)):
                continue
            if branches and part.kind in (ClaimKind.DIRECTORY, ClaimKind.GLOB):
                continue
            if part.kind is ClaimKind.FLAG and _is_style(part, styles=styles):
                continue
            if illustrates and part.kind in _NAMED:
                yield part, Wording.HEDGED
            elif section.fence:
                # Only the headings above describe the content of a fence.
                yield part, classify_wording("", 0, 0, section.heading)
            else:
                wording = classify_wording(block, start, start + len(part.text), section.heading)
                tied = _tie(part, text, section.start + low, files)
                # A line has its number only if the file is there.
                sure = tied.kind is ClaimKind.LINES and wording is Wording.HEDGED
                yield tied, Wording.PLAIN if sure else wording


_NAMING = LazyPattern(
    r"\b(?:camelCase|PascalCase|UpperCamelCase|snake_case|SNAKE_CASE|kebab-case|[Nn]aming|[Dd]escriptive names"
    r"|[Nn]ame (?:\w+ ){1,3}(?:after|by|like))\b"
)
_LEADS_THERE = LazyPattern(r"[`*_)\]]{0,4}\s(?:in|inside|within|into|of)\s(?:(?:the|a|an|all|each|every)\s)?")


def _is_style(part: CommandPart, *, styles: bool) -> bool:
    return not part.context and (styles or part.text.startswith(CSS_PREFIXES))


def _tie(part: CommandPart, text: str, low: int, files: set[str]) -> CommandPart:
    """Add what the sentence names together with this part."""
    if part.kind is ClaimKind.PATH:
        part = _with_lines(part, text)
    if part.context:
        return part
    if part.kind is ClaimKind.SYMBOL and len(files) == 1:
        return part._replace(context=next(iter(files)))
    if part.kind in (ClaimKind.PATH, ClaimKind.LINES):
        named = re.findall(r"`((?:[\w.-]+/)+[\w-]*)`", text[max(low, part.start - 2 * _NEAR) : part.start])
        return part._replace(context=named[-1].rstrip("/")) if named else part
    return part


def _lines_behind_source() -> str:
    words = "(?:(?:at|on|in|ab|à) ?)?(?:lines?|zeilen?|lignes?|líneas?|строк[аи]?|第)"
    numbers = r"(\d{1,7})(?: ?(?:-|–|to) ?(\d{1,7}))?"
    return rf"[`*_)\s]{{0,4}}[(,]?\s?{words} ?{numbers}"


_LINES_BEHIND = LazyPattern(_lines_behind_source, re.IGNORECASE)


_LINES_BEFORE = LazyPattern(r"\blines? (\d{1,7})(?: ?(?:-|–|to) ?(\d{1,7}))? (?:of|in) [`*_]{0,3}$", re.IGNORECASE)


def _with_lines(part: CommandPart, text: str) -> CommandPart:
    """Return the part as a place in its file if lines are named right beside it."""
    end = part.start + len(part.text)
    found = _LINES_BEHIND.match(text[end : end + _NEAR].partition("\n")[0])
    found = found or _LINES_BEFORE.search(text[max(0, part.start - _NEAR) : part.start])
    if not found:
        return part
    lines = (int(found[1]), int(found[2] or found[1]))
    return part._replace(kind=ClaimKind.LINES, lines=lines) if 0 < lines[0] <= lines[1] else part


_GUIDED = (ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.GLOB)


def find_guide_claims(path: PurePosixPath, text: str) -> list[Claim]:
    """Return the claims of a guide in the order of their kinds."""
    claims = find_claims(path, text)
    known = {(claim.line, claim.text) for claim in claims}
    # Rules of Cursor are shared between projects, and their globs are filters.
    patterns = () if path.suffix == ".mdc" else list_patterns(text)
    for line, column, cited in (*patterns, *find_includes(text)):
        for part in parse_span(cited):
            if part.kind in _GUIDED and (line, part.text) not in known:
                claims.append(Claim(part.kind, part.text, path, line, column + part.start))
    return claims
