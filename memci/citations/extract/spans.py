"""What one code span, or one word of prose, cites: a path, a symbol, a variable, a flag, a script."""

import re
from collections.abc import Iterator

from memci.citations.extract.command_lines import (
    CommandPart,
    executed_file,
    parse_bare_flags,
    parse_command,
    split_commands,
)
from memci.citations.extract.known_names import (
    CODE_EXTENSIONS,
    COMMON_SYMBOLS,
    ENVIRONMENT_PLACEHOLDERS,
    EXAMPLE_FILES,
    EXTENSIONS,
    FILES,
    HOST_ENDINGS,
    KEYWORDS,
    NOT_DIRECTORIES,
    PLACEHOLDERS,
    PRODUCTS,
)
from memci.citations.wording.paragraph import MAX_SPAN
from memci.model.citation import ClaimKind
from memci.patterns import LazyPattern

# Longer words are addresses, keys and digests.
_MAX_SYMBOL = 80
# Of files that are cited by their name alone, besides those of code.
_BARE_ENDINGS = ("log", "env", "example", "sample", "template", "m", "r", "ex")
_PLACEHOLDER_NAMES = "VAR VARIABLE FOO BAR NAME KEY VALUE BAZ ID ENV ENV_VAR"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"


# `:12`, `:12-30`, `:12:5`, `:12,40`, `#L12-L30`
_PLACE = LazyPattern(r"(?::L?|#L)(\d{1,7})(?:[-–](?:L)?(\d{1,7}))?(?:[:,+/]L?\d[\d,:+/–-]*)?$")


_PATH_SHAPE = LazyPattern(r"[\w.@+$()\[\]/ -]+")


def _placeholder_source() -> str:
    marks = r"(?:^|[-_./])(?:N{2,}|X{2,}|x{3,}|n{3,}|Y{4}|M{2}|D{2}|[A-Z])(?=[-_./]|$)"
    return rf"{marks}|YYYY|path/to|^(?:my|your|some)[-_]|/(?:my|your|some)[-_]|^\w/\w/|(?:^|/)(?:My|Your|Some)[A-Z]"


_PLACEHOLDER = LazyPattern(_placeholder_source)


_SYMBOL = LazyPattern(lambda: rf"[*&@]{{0,2}}({_NAME}(?:(?:\.|::|->|#){_NAME})*)([!?]?)")


def _environment_source() -> str:
    name = r"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"
    access = r"(?:process|import\.meta|Deno)\.env\.|(?:os\.environ|ENV|process\.env|os\.[gG]etenv|env!)[(\[](?:\"|')"
    return rf"(?:(\$\{{?|{access})?){name}(=|:?[-?][^}}\s]*\}}|\}}|(?:\"|')[)\]])?"


_ENVIRONMENT = LazyPattern(_environment_source)


def parse_span(span: str) -> list[CommandPart]:
    """Return what the text of a code span cites."""
    body = span.strip()
    if not body or len(body) > MAX_SPAN:
        return []
    shift = len(span) - len(span.lstrip())
    found = _parse_words(body) if re.search(r"\s", body) else _parse_token(body)
    return [part._replace(start=part.start + shift) for part in found]


def _parse_words(body: str) -> list[CommandPart]:
    """Read a span of several words: a call, an assignment or a command line."""
    symbol = _parse_symbol(body)
    if symbol:
        return [symbol]
    if body.startswith("--"):
        return [] if body.startswith("-- ") else list(parse_bare_flags(body))
    if any(mark in body for mark in "{}<>()[]\\\"'`") and not re.match(r"[\w./:= -]+(?: [<\"'\[]|$)", body):
        return []
    if not re.match(r"\$ |[A-Z][A-Z0-9_]+=|(?:\./)?[a-z][\w./-]*(?: |$)", body):
        return []
    return _parse_command(body)


def _parse_command(body: str) -> list[CommandPart]:
    parts = [part for part in parse_command(body) if part.kind is not ClaimKind.ENVIRONMENT or "_" in part.text]
    for words in split_commands(body):
        executed = executed_file(words)
        if executed:
            parts += [part._replace(start=part.start + executed[0]) for part in _parse_path(executed[1])]
    return sorted(parts, key=lambda part: part.start)


def _parse_token(body: str) -> list[CommandPart]:
    """Read a span of one word."""
    if body.startswith("--"):
        return list(parse_bare_flags(body))
    if "://" in body:
        return []
    for find in (_parse_path, _parse_glob, _parse_environment):
        parts = find(body)
        if parts:
            return parts
    symbol = None if "/" in body.partition("(")[0] else _parse_symbol(body)
    return [symbol] if symbol else list(_parse_inserted(body))


def _parse_inserted(token: str) -> Iterator[CommandPart]:
    """Yield the variables that a longer word inserts: `compose.${APP_TIER}.yml`."""
    for found in re.finditer(r"\$\{([A-Z][A-Z0-9_]{0,80})[}:?-]", token):
        name = found[1]
        if "_" in name and not name.startswith(ENVIRONMENT_PLACEHOLDERS):
            yield CommandPart(ClaimKind.ENVIRONMENT, found.start(1), name)


def _parse_path(token: str) -> list[CommandPart]:
    file, mark, tail = token.partition("::")
    place = _PLACE.search(token)
    if not place and not mark:
        file, mark, tail = token.partition(":")
    if place:
        lines = (int(place[1]), int(place[2] or place[1]))
        return [
            CommandPart(ClaimKind.LINES, part.start, part.text, lines=lines)
            for part in _parse_file(token[: place.start()])
            if part.kind is ClaimKind.PATH and 0 < lines[0] <= lines[1]
        ]
    parts = _parse_file(file)
    if not mark or len(parts) != 1 or parts[0].kind is not ClaimKind.PATH:
        return [] if mark else parts
    inner = re.fullmatch(rf"(?:{_NAME}(?:::|\.))*({_NAME})(?:\(\))?", tail)
    if not inner:
        return []
    return [*parts, CommandPart(ClaimKind.SYMBOL, len(file) + len(mark) + inner.start(1), inner[1], parts[0].text)]


def _parse_file(token: str) -> list[CommandPart]:
    start = 2 if token.startswith("./") else 0
    name = token[start:]
    if not _is_plain(name):
        return []
    if name.endswith("/"):
        segments = name[:-1].split("/")
        # `s/old/new/` is a command of sed.
        good = segments[0] not in NOT_DIRECTORIES and len(segments[0]) > 1 and re.search(r"[^\W\d]{2}", name)
        return [CommandPart(ClaimKind.DIRECTORY, start, name)] if good and not any(map(is_file, segments)) else []
    segments = name.split("/")
    if len(segments) > 1 and is_file(segments[0]):
        # `setup.py/pyproject.toml` is two files, `types.h/.cpp` one and an ending.
        return [CommandPart(ClaimKind.PATH, start, segments[0])] if "/." in name or is_file(segments[1]) else []
    return [CommandPart(ClaimKind.PATH, start, name)] if is_file(name) else []


def _is_plain(name: str) -> bool:
    """Whether a name could be a path inside the repository, not outside of it and not a placeholder."""
    if not name or (name[0] in "/~$-@+(" and not name.startswith("@/")):
        return False
    if not _PATH_SHAPE.fullmatch(name) or " " in name or ".." in name or "//" in name or _PLACEHOLDER.search(name):
        return False
    segments = name.rstrip("/").split("/")
    if any(
        segment.lower() in PLACEHOLDERS or segment.partition(".")[0].lower() in PLACEHOLDERS for segment in segments
    ):
        return False
    if any("@" in segment[1:] for segment in segments):
        return False
    host = segments[0].rpartition(".")
    return not (len(segments) > 1 and host[0] and host[2] in HOST_ENDINGS) and all(segments)


def is_file(name: str) -> bool:
    """Whether the last part of a path is the name of a file."""
    base = name.rpartition("/")[2]
    stem, dot, ending = base.rpartition(".")
    if base in FILES or base.startswith(".env.") or (base.startswith("Dockerfile.") and stem):
        return True
    if not dot or not stem or ending.lower() not in EXTENSIONS or not re.search(r"[^\W_]", stem):
        return False
    if re.match(r"[._](?:test|spec|server|client|stories|module|d|types|mock|e2e|\d+)\.", base):
        return False
    if stem == "example" and ending in EXAMPLE_FILES:
        return False
    return "/" in name or _is_bare_file(stem, ending)


def _is_bare_file(stem: str, ending: str) -> bool:
    if ending in ("mod", "sum"):
        return stem == "go"
    if (ending == "env" and stem.endswith(("process", "meta"))) or (
        ending == "log" and stem in ("console", "logger", "Math")
    ):
        return False
    if ending == "json" and stem in ("res", "req", "response", "request", "r", "c", "ctx", "Response"):
        return False
    # `d.key` and `opts.h` are fields more often than files.
    if len(ending) == 1 and len(stem) < 3:
        return False
    if ending == "js" and stem.lower() in PRODUCTS:
        return False
    return ending.lower() in CODE_EXTENSIONS or ending in _BARE_ENDINGS


def _parse_glob(token: str) -> list[CommandPart]:
    start = 2 if token.startswith("./") else 0
    name = token[start:]
    if "*" not in name or not re.fullmatch(r"[\w.@+*/{},\[\]-]+", name) or name[0] in "/~@-{" or ".." in name:
        return []
    first, slash, _ = name.partition("/")
    ending = name.rpartition(".")[2]
    known = (ending.lower() in EXTENSIONS and re.search(r"[*\w]\.\w+$", name)) or re.search(r"\.\{[\w,]+\}$", name)
    if not re.search(r"[A-Za-z]{2}", name) or not (known or (slash and name.endswith(("/*", "/**", "*/", "/")))):
        return []
    if (
        first in NOT_DIRECTORIES
        or first.rpartition(".")[2] in HOST_ENDINGS
        or _PLACEHOLDER.search(name.replace("*", ""))
    ):
        return []
    return [CommandPart(ClaimKind.GLOB, start, name)]


def _parse_environment(token: str) -> list[CommandPart]:
    found = _ENVIRONMENT.match(token)
    if not found or (found.end() < len(token) and found[3] != "="):
        return []
    access, name, mark = found[1], found[2], found[3]
    if len(name) < 2 or name in _PLACEHOLDER_NAMES.split():
        return []
    if not (access or mark == "=" or "_" in name) or name.startswith(ENVIRONMENT_PLACEHOLDERS):
        return []
    # `ALL_X` stands for any of them.
    if re.search(r"_(?:X+|N+|Y{4})(?:_|$)", name) or (mark == "=" and re.search(r"[<>{}()]|==", token)):
        return []
    return [CommandPart(ClaimKind.ENVIRONMENT, found.start(2), name)]


def _parse_symbol(body: str) -> CommandPart | None:
    found = _SYMBOL.match(body)
    if not found:
        return None
    rest = body[found.end() :]
    called = bool(re.fullmatch(r"(?:<[\w:, *&\[\]]*>)?\([^()]*(?:\([^()]*\)[^()]*){0,4}\)", rest))
    generic = bool(re.fullmatch(r"<[\w:, *&|\[\]]*>", rest))
    assigned = bool(
        re.fullmatch(r" ?(?:=|:|==|!=|===) ?(?:\"[^\"]*\"|'[^']*'|true|false|null|nil|None|nullptr|\d+)", rest)
    )
    if rest and not (called or generic or assigned):
        return None
    if not _is_symbol(found[1], called=called, marked=bool(found[2])):
        return None
    return CommandPart(ClaimKind.SYMBOL, found.start(1), found[1])


def _is_symbol(name: str, *, called: bool, marked: bool) -> bool:
    parts = re.split(r"\.|::|->|#", name)
    if (
        len(name) > _MAX_SYMBOL
        or name in COMMON_SYMBOLS
        or parts[-1].lower() in KEYWORDS
        or re.match(r"(?:my|your|some|My|Your|Some)[A-Z_]", name)
    ):
        return False
    # `notes.txt.bak` is never committed, and `ComponentName.tsx` is a placeholder.
    file = parts[-1] in CODE_EXTENSIONS or parts[-1] in ("bak", "orig", "tmp", "old")
    if len(parts) > 1 and not called and (file or parts[-2] in EXTENSIONS):
        return False
    if called or "::" in name or (marked and "_" in name):
        return len(parts[-1]) > 2
    if len(parts) > 1:
        # Only the last part can be looked for, and a plain word, as in `volumes.data_dir.type`, proves nothing.
        return _is_compound(parts[-1]) or (parts[0][:1].isupper() and len(parts[-1]) > 2)
    return len(name) > 3 and _is_compound(name)


def _is_compound(name: str) -> bool:
    """Whether a name has several parts: `snake_case`, `camelCase`, `TwoHumps`, `HTTPServer`."""
    inner = name.strip("_")
    if "_" in inner:
        return bool(re.search("[A-Za-z]{2}", inner)) and not inner.isupper()
    return bool(re.search(r"[a-z0-9][A-Z]|^[A-Z]{2,}[a-z]{2}", inner)) and bool(re.search("[a-z]{2}", inner))


def find_prose(text: str) -> Iterator[CommandPart]:
    """Yield unmistakable paths in prose; `text` has code, comments and addresses blanked out."""
    for found in re.finditer(r"[A-Za-z0-9_.@+\-/:#]+", text):
        token = found[0].rstrip(".:#-+@")
        if "." not in token or _has_letter_beside(text, found.start(), found.end()):
            continue
        lead = len(token) - len(token.lstrip(":#-+"))
        # The title of a link is no second claim.
        if text.startswith("](", found.end()):
            continue
        for part in _parse_path(token[lead:]) if len(token) <= MAX_SPAN else ():
            stem, _, ending = part.text.rpartition("/")[2].rpartition(".")
            product = ending == "js" and stem.istitle() and "/" not in part.text
            if part.kind in (ClaimKind.PATH, ClaimKind.LINES) and ending in CODE_EXTENSIONS and stem and not product:
                yield part._replace(start=part.start + found.start() + lead)


def _has_letter_beside(text: str, start: int, end: int) -> bool:
    """Whether a token is only part of a word; scripts without blanks may touch it."""
    beside = (text[start - 1 : start], text[end : end + 1])
    return any(
        (char.isalpha() and char < "\u3000") or (char in ("\\", "$", "~", "{", "}", "<", "=", "*") and char)
        for char in beside
    )
