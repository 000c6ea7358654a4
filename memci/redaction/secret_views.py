"""Reads what single lines do not show: escapes, encrypted blocks, manifests, tables, values over several lines."""

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from memci.patterns import LazyPattern
from memci.redaction.secret_values import KeyLook, PasswordLook, hides_password, is_wrapped_part, judge

Change = tuple[int, int, str]

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_CODES = LazyPattern(
    r"%([2-7][0-9A-Fa-f])|\\u00([2-7][0-9A-Fa-f])|\\([nrt\"'/\\])|\\\n[ \t]{0,40}"
    r"|&(?:#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,5}|quot|apos|amp|lt|gt);"
)
# Concatenated strings in source text; searched by the operator, because quotes are everywhere.
_GLUE = {glue: LazyPattern(re.escape(glue) + r"(?:_?[ \t]{0,8}\r?\n)?[ \t]{0,40}[\"']") for glue in ("+", " . ", " & ")}
_JOIN = LazyPattern(r"\]\s?\.join\((?:\"\"|'')\)|(?:\"\"|'')\.join\(\[[^\]\n]{1,400}\]")
_JOINS = (".join('')", '.join("")', '"".join(', "''.join(")
_COMMA = LazyPattern(r"[\"']\s{0,20},\s{0,20}[\"']")
# Full-width letters and digits, and those of mathematical alphabets. Full-width signs alone are ordinary Chinese.
_WIDE = LazyPattern("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]")
_WIDE_OR_SIGN = LazyPattern("[\uff01-\uff5e\U0001d400-\U0001d7ff]")
_SEALED = LazyPattern(
    r"-----BEGIN [A-Z0-9 ]{0,30}(?:PUBLIC KEY|CERTIFICATE|MESSAGE|SIGNATURE|ENCRYPTED FILE|PARAMETERS)"
    r"[A-Z0-9 ]{0,20}-----[^-]{0,16384}"
    # sops, Jasypt, Ansible, Sealed Secrets, Travis
    r"|\bENC[\[(][^\])\n]{0,16384}"
    r"|\$ANSIBLE_VAULT;[^\n\\]{0,80}(?:(?:\\n|\s){1,40}[0-9a-f]{6,128}){1,500}"
    r"|encryptedData[\"']?:(?:[\s{,]{1,80}[\"']?[\w.-]{1,100}[\"']?: {0,4}[\"']?[A-Za-z0-9+/=]{40,16384}[\"']?){1,100}"
    r"|\b(?:enc|encrypted|cipher(?:text)?|sealed):[^\s\"']{16,16384}|\{(?i:cipher|enc)\}[^\s\"']{16,16384}"
    r"|encrypted_?value[\"']?: {0,4}[\"']?[A-Za-z0-9+/=]{40,16384}"
    r"|\bsecure: {0,4}[\"']?[A-Za-z0-9+/=]{40,4096}"
    # Public keys, certificates and digests
    r"|\b(?:ssh-[a-z0-9]{3,10}|ecdsa-[a-z0-9-]{5,30}) AAAA[A-Za-z0-9+/=]{20,2048}"
    r"|\bdata:[\w/+.-]{3,60};base64,[A-Za-z0-9+/=]{1,16384}"
    r"|\b(?i:sha(?:1|256|384|512)[-:])[A-Za-z0-9+/=]{20,128}"
    r"|certificate-authority-data: {0,4}[A-Za-z0-9+/=]{1,16384}"
    r"|\bIN\s{1,4}(?:DNSKEY|CDNSKEY|DS|TLSA|SSHFP|RRSIG|OPENPGPKEY)\b[^\n]{0,2000}"
    r"|\"kty\"[^{}]{0,80}\"(?:n|x)\"\s{0,4}:\s{0,4}\"[\w-]{20,1024}\""
    r"|\b(?:n|x|y|x5c|x5t|e)\"\s{0,4}:\s{0,4}\"[\w+/=-]{20,4096}\""
)
_KIND = LazyPattern(r"kind[\"']?:[ \t]{0,4}[\"']?secret(?![a-z])")
_DOCUMENT_END = LazyPattern(r"(?:^|\n)---")
_ENTRY = r"[\s,]{0,80}[\"']?[\w.-]{1,100}[\"']?:[ \t]{0,4}[\"']?[^\s\"',}]{1,4096}[\"']?"
_DATA = LazyPattern(rf"(?:data|stringdata)[\"']?:[ \t]{{0,4}}\{{?(?:{_ENTRY}){{1,100}}")
_ENTRY_VALUE = LazyPattern(r":[ \t]{0,4}[\"']?([^\s\"',}]{6,4096})")
_WRAPPED = LazyPattern(
    r"[\"'`]?[ \t]{0,4}[+.\\]?[ \t]{0,4}\r?\n[ \t>]{0,40}[+.]?[ \t]{0,4}[bru]?[\"'`]?([A-Za-z0-9+/_-]{8,512}={0,2})"
    r"(?=[\"'`,;) \t\\+.]{0,6}(?:\r?\n|$))"
)
_HEAD_END = LazyPattern(r"[\w ()]{0,16}[\"`* \t]{0,10}(?:([|,;\t])[^\n]{0,300})?\r?\n")
_HEAD = LazyPattern(r"[\w \t\"`*|,;/()-]+\r?\n")
_FRAME = " \t\r`\"'*"
# Longer lines and heads are sentences; a table in memory or a message is short.
_MAX_ROW, _MAX_HEAD, _MAX_ROWS = 300, 25, 50
# A certificate with a key of 4096 bits is shorter.
_MAX_SEALED = 4096
# Enough of a value to recognise that it is encrypted.
_MIN_SEALED = 512
# A key of 4096 bits has 50 lines.
_MAX_WRAPPED = 64


def decode_escapes(text: str) -> list[Change]:
    """Return escapes, entities, wide letters and string concatenations with their replacements."""
    changes: list[Change] = []
    if "%" in text or "\\" in text or "&" in text:
        changes += _decode_codes(text)
    changes += _match_glue(text)
    if not text.isascii() and _WIDE.search(text):
        wide = _WIDE_OR_SIGN.finditer(text)
        changes += ((found.start(), found.end(), unicodedata.normalize("NFKC", found[0])) for found in wide)
    changes.sort()
    # A backslash before a quote is part of an escape and of the concatenation after it.
    return [change for number, change in enumerate(changes) if not number or change[0] >= changes[number - 1][1]]


def _decode_codes(text: str) -> Iterator[Change]:
    for match in _CODES.finditer(text):
        code = match[1] or match[2]
        if code:
            new = chr(int(code, 16))
        elif match[3]:
            new = _ESCAPES.get(match[3], match[3])
        else:
            new = html.unescape(match[0]) if match[0][0] == "&" else ""
        yield match.start(), match.end(), new


def _match_glue(text: str) -> Iterator[Change]:
    for pattern in [pattern for glue, pattern in _GLUE.items() if glue in text]:
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - 42) : match.start()].rstrip()
            if before.endswith(("'", '"')):
                yield max(0, match.start() - 42) + len(before) - 1, match.end(), ""
    for join in _JOIN.finditer(text) if any(literal in text for literal in _JOINS) else ():
        start = text.rfind("[", max(0, join.start() - 400), join.start()) if join[0][0] == "]" else join.start()
        for comma in _COMMA.finditer(text, start, join.end()) if start >= 0 else ():
            yield comma.start(), comma.end(), ""


def match_sealed(text: str, places: list[int]) -> list[tuple[int, int]]:
    """Return the spans of encrypted and public values around some places, in order: they contain no secret."""
    windows: list[tuple[int, int]] = []
    for place in sorted(places):
        first, last = max(0, place - _MAX_SEALED), place + _MIN_SEALED
        if windows and first <= windows[-1][1]:
            windows[-1] = (windows[-1][0], last)
        else:
            windows.append((first, last))
    return [match.span() for window in windows for match in _SEALED.finditer(text, *window)]


def match_manifests(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of values in Kubernetes secrets, whatever their names are."""
    starts = [0, *(match.end() for match in _DOCUMENT_END.finditer(text)), len(text)] if _KIND.search(folded) else []
    for start, end in pairwise(starts):
        if not _KIND.search(folded, start, end):
            continue
        for data in _DATA.finditer(folded, start, end):
            for entry in _ENTRY_VALUE.finditer(text, *data.span()):
                look = judge(entry[1], quoted=True)
                if hides_password(entry[1]) or look.chosen >= PasswordLook.MADE_UP or look.key >= KeyLook.RANDOM:
                    yield "kubernetes-secret", *entry.span(1)


def split_column(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield start and text of the cells below a head at a place, in a Markdown table or in CSV."""
    tail = _HEAD_END.match(text, end)
    if not tail:
        return
    first = text.rfind("\n", max(0, start - _MAX_ROW), start) + 1
    head = text[first:start]
    mark = tail[1] or next((mark for mark in "|,;\t" if mark in head), "")
    # A row below another one is no head, nor is a list of values in code.
    above = text[max(0, first - _MAX_ROW) : max(0, first - 1)].rpartition("\n")[2]
    is_other = mark in above if mark == "|" else mark == "," and tail[0].rstrip().endswith(mark)
    if not mark or is_other or len(head) - head.rfind(mark) > _MAX_HEAD or not _HEAD.fullmatch(text, first, tail.end()):
        return
    column, width = head.count(mark), text.count(mark, first, tail.end())
    at = tail.end()
    for _ in range(_MAX_ROWS):
        line = text[at : at + _MAX_ROW].partition("\n")[0]
        cells = line.split(mark)
        if not line or (len(cells) != width + 1 and line.strip("-+| \t\r")):
            break
        cell = cells[column].strip(_FRAME) if column < len(cells) else ""
        if cell and not re.search(r"\s", cell):
            yield text.index(cell, at + len(mark.join(cells[:column]))), cell
        at += len(line) + 1


def match_wrapped_end(text: str, end: int) -> int:
    """Return the end of a value that continues on the next lines, with nothing else on each line."""
    for _ in range(_MAX_WRAPPED):
        wrapped = _WRAPPED.match(text, end)
        if not wrapped or not is_wrapped_part(wrapped[1]):
            break
        end = wrapped.end(1)
    return end
