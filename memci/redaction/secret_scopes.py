"""Knows what of a document its lines do not tell: sealed blocks, Kubernetes manifests, values over several lines."""

import re
from collections.abc import Iterator
from itertools import pairwise

from memci.redaction.secret_values import hides_password, is_password, is_token, is_wrapped_part

_SEALED = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}(?:PUBLIC KEY|CERTIFICATE|MESSAGE|SIGNATURE|ENCRYPTED FILE|PARAMETERS)"
    r"[A-Z0-9 ]{0,20}-----[^-]{0,16384}"
    # sops, Jasypt, Ansible, Sealed Secrets, Travis
    r"|\bENC[\[(][^\])\n]{0,16384}"
    r"|\$ANSIBLE_VAULT;[^\n\\]{0,80}(?:(?:\\n|\s){1,40}[0-9a-f]{6,128}){1,500}"
    r"|encryptedData[\"']?:(?:[\s{,]{1,80}[\"']?[\w.-]{1,100}[\"']?: {0,4}[\"']?[A-Za-z0-9+/=]{40,16384}[\"']?){1,100}"
    r"|\b(?:enc|encrypted|cipher(?:text)?|sealed):[^\s\"']{16,16384}|\{(?i:cipher|crypt|s?sha\d{0,3}|s?md5)\}[^\s\"']{16,16384}"
    r"|encrypted_?value[\"']?: {0,4}[\"']?[A-Za-z0-9+/=]{40,16384}"
    r"|\bsecure: {0,4}[\"']?[A-Za-z0-9+/=]{40,4096}"
    # Public keys, certificates and digests
    r"|\b(?:ssh-[a-z0-9]{3,10}|ecdsa-[a-z0-9-]{5,30}) AAAA[A-Za-z0-9+/=]{20,2048}"
    r"|\bdata:[\w/+.-]{3,60};base64,[A-Za-z0-9+/=]{1,16384}"
    r"|\b(?i:sha(?:1|256|384|512)[-:])[A-Za-z0-9+/=]{20,128}"
    r"|certificate-authority-data: {0,4}[A-Za-z0-9+/=]{1,16384}"
)
_KIND = re.compile(r"kind[\"']?:[ \t]{0,4}[\"']?secret(?![a-z])")
_DOCUMENT_END = re.compile(r"(?:^|\n)---")
_ENTRY = r"[\s,]{0,80}[\"']?[\w.-]{1,100}[\"']?:[ \t]{0,4}[\"']?[^\s\"',}]{1,4096}[\"']?"
_DATA = re.compile(rf"(?:data|stringdata)[\"']?:[ \t]{{0,4}}\{{?(?:{_ENTRY}){{1,100}}")
_ENTRY_VALUE = re.compile(r":[ \t]{0,4}[\"']?([^\s\"',}]{6,4096})")
_WRAPPED = re.compile(
    r"[\"'`]?[ \t]{0,4}[+.\\]?[ \t]{0,4}\r?\n[ \t>]{0,40}[+.]?[ \t]{0,4}[bru]?[\"'`]?([A-Za-z0-9+/_-]{8,512}={0,2})"
    r"(?=[\"'`,;) \t\\+.]{0,6}(?:\r?\n|$))"
)
_HEAD_END = re.compile(r"[A-Za-z ]{0,12}[\"`* \t]{0,10}(?:([|,;\t])[^\n]{0,300})?\r?\n")
_HEAD = re.compile(r"[\w \t\"`*|,;/-]+\r?\n")
_FRAME = " \t\r`\"'*"
# Longer lines and heads are sentences; a table in memory or a message is short.
_MAX_ROW, _MAX_HEAD, _MAX_ROWS = 300, 24, 50
# A key of 4096 bits has 50 lines.
_MAX_WRAPPED = 64


def find_sealed(text: str) -> list[tuple[int, int]]:
    """Return where encrypted and public values are, in order: nothing in there is a secret."""
    return [match.span() for match in _SEALED.finditer(text)]


def find_in_manifests(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of values in Kubernetes secrets, whatever their names are."""
    starts = [0, *(match.end() for match in _DOCUMENT_END.finditer(text)), len(text)] if _KIND.search(folded) else []
    for start, end in pairwise(starts):
        if not _KIND.search(folded, start, end):
            continue
        for data in _DATA.finditer(folded, start, end):
            for entry in _ENTRY_VALUE.finditer(text, *data.span()):
                if hides_password(entry[1]) or is_password(entry[1], quoted=True) or is_token(entry[1]):
                    yield "kubernetes-secret", *entry.span(1)


def find_in_column(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield start and text of the cells below a head at a place, in a Markdown table or in CSV."""
    tail = _HEAD_END.match(text, end)
    first = text.rfind("\n", max(0, start - _MAX_ROW), start) + 1
    head = text[first:start]
    mark = (tail[1] or next((mark for mark in "|,;\t" if mark in head), "")) if tail else ""
    if (
        not tail
        or not mark
        or len(head.rpartition(mark)[2]) > _MAX_HEAD
        or not _HEAD.fullmatch(text, first, tail.end())
    ):
        return
    column, width = head.count(mark), text.count(mark, first, tail.end())
    at = tail.end()
    for _ in range(_MAX_ROWS):
        line = text[at : at + _MAX_ROW].partition("\n")[0]
        cells = line.split(mark)
        if not line or len(cells) != width + 1:
            break
        cell = cells[column].strip(_FRAME)
        if cell and not re.search(r"\s", cell):
            yield text.index(cell, at + len(mark.join(cells[:column]))), cell
        at += len(line) + 1


def find_wrapped_end(text: str, end: int) -> int:
    """Return the end of a value that goes on below, each line of it with nothing else on it."""
    for _ in range(_MAX_WRAPPED):
        wrapped = _WRAPPED.match(text, end)
        if not wrapped or not is_wrapped_part(wrapped[1]):
            break
        end = wrapped.end(1)
    return end
