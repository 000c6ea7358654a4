"""Finds values of any vendor by the name, the sentence or the line that calls them a secret."""

import re
from collections.abc import Iterator

from memci.text.secret_scopes import find_in_column
from memci.text.secret_values import (
    hides_password,
    is_base32_groups,
    is_generated,
    is_hex_key,
    is_passphrase,
    is_password,
    is_scrambled,
    is_spoken_password,
    is_token,
    is_uuid,
)

# Literals to search for; each begins a label below. Lower case.
WORDS = (
    *("pass", "pwd", "pw", "kennwort", "mdp", "contraseña", "contrasena", "clave", "senha", "парол"),
    *("密码", "密碼", "口令", "パス", "비밀번호", "비번", "패스워드", "암호"),
    *(
        "secret",
        "token",
        "key",
        "auth",
        "cred",
        "login",
        "log in",
        "logged in",
        "hmac",
        "seed",
        "psk",
        "totp",
        "sess",
        "sid=",
        "_api=",
        "_sk=",
    ),
    *("schlüssel", "zugang", "clé", "clef", "jeton", "chave", "llave", "ключ", "токен", "секрет"),
    *("密钥", "密鑰", "令牌", "凭证", "キー", "トークン", "シークレット", "키", "토큰", "시크릿"),
)
_LABEL = re.compile(
    r"(?P<password>pass(?:w(?:or[dt]s?|d)|phrases?|codes?|e)(?![a-z])|(?<![0-9+])(?<!by)(?<!com)(?<!lp)pass(?![a-z])"
    r"|(?<![a-z0-9+/])pwd?(?![a-z])|(?<=[_a-z])pwd(?![a-z])"
    r"|kennwort|(?<!\w)mdp(?!\w)|contrase[ñn]a|(?<!\w)clave(?!\w)|senha|парол[а-я]{0,3}"
    r"|密[码碼]|口令|パス(?:ワード|フレーズ|コード|(?=[はを:：]))|비밀번호|비번|패스워드|암호|psk(?![a-z]))"
    r"|(?P<session>sess(?:ion)?(?:id)?(?![a-z])|(?<![a-z])sid(?==))"
    r"|(?P<login>(?<![a-z])login(?!\w)|log in|logged in|cred(?:ential)?s?(?!\w)|zugang(?:sdaten)?(?!\w))"
    r"|(?P<token>secrets?(?![a-z]{3})|tokens?(?![a-z]{3})|keys?(?![a-z]{3})|auth(?:orization|token)?(?![a-z])"
    r"|_(?:api|sk)(?==)|hmac|totp|(?<!\w)seed(?!\w)|schlüssel|cl(?:é|ef)(?!\w)|jeton|chave|llave"
    r"|ключ[а-я]{0,3}|токен[а-я]{0,3}|секрет[а-я]{0,3}|密[钥鑰]|令牌|凭证|キー|トークン|シークレット|키|토큰|시크릿)"
)
# The rest of a name, as in `token_prod` and `keyV2`.
_REST = re.compile(r"[A-Za-z0-9_.-]{0,40}")
_HARMLESS_REST = re.compile(
    r"(?:^s?|[_.-]|(?=[A-Z]))(?i:names?|ids?|ur[li]s?|paths?|files?|types?|counts?|limits?|length|size|expir\w*|ttl"
    r"|hash(?:ed|es)?|policy|fields?|headers?|env|vars?|ref|arn|prefix|versions?|scopes?|endpoints?|schema|format"
    r"|columns?|manager|budget|usage|label|hint|regex|pattern|alg\w*|fingerprint|provider|method|mode|kind|index"
    r"|used|created\w*|digest|checksum|title|message|error|page|link|class|spec|placeholder)$"
)
# Names whose value everybody may see, such as `PUBLIC_KEY` and `nextPageToken`.
_PUBLIC = (
    *("public", "publishable", "pub", "cache", "primary", "foreign", "sort", "partition", "range", "site", "host"),
    *("object", "s3", "idempotency", "anon", "rsa", "gpg", "pgp", "dsa", "ed25519", "routing", "translation", "row"),
    *("map", "dict", "group", "lookup", "index", "cursor", "page", "next", "continuation", "pagination", "sync"),
    *("query", "list", "item", "storage", "unique", "surrogate", "merge", "dedup", "dedupe", "hash", "widget"),
    *("instrumentation", "domain", "websocket", "restored from", "öffentlicher", "öffentliche", "publique", "pública"),
)
_OPEN = r"(?:[bruf]{0,2}(?:\\?[\"'`]){1,3}|[*「『（(]{1,3})?"
_SIGN = re.compile(
    # `name = value`, `"name": "value"`, `| name | value |`
    r"(?P<sign>(?:\\?[\"'`*\])]){0,4}[ \t]{0,8}(?:=>|:=|={1,3}|:|->|→|\||：)[ \t]{0,8})" + _OPEN
    # `name: NAME` or `key="NAME"`, then `value: …`; `variable "name" { default = …`
    + r"|[\"']?[ \t]{0,4}[,;{]?\s{1,40}(?:type\s{1,8}=\s{1,8}\w{1,20}\s{1,40})?[\"']?(?:value|default)[\"']?"
    + r"[ \t]{0,8}[:=][ \t]{0,4}" + _OPEN
    # `<name>value`, `define('NAME', 'value')`, `setName("value")`
    + r"|(?:>|[\"']\]?[ \t]{0,2},[ \t]{0,4}(?=[bru]?[\"'])|\((?=[bru]?[\"']))" + _OPEN
)  # fmt: skip
# The value is on a line of its own, below the name.
_BELOW = re.compile(r"(?:[>|]-?|\(|\\)?[ \t]{0,4}\r?\n\s{0,60}" + _OPEN + r"(?=[^\s]{8,512}[ \t]{0,8}(?:\n|$))")
# A sentence between a label and a value, or the rest of its line if the value is alone on the next one.
_PROSE = re.compile(
    r"(?P<gap>(?![A-Za-z0-9+/]{3})[^\n={}<>|\[\]]{0,60}?(?:(?<![A-Za-z0-9_.$@/\\+-])|(?<=[^\x00-\x7f]))"
    r"|[^\n]{0,100}\n[ \t]{0,8}(?=[^\s]{16,512}[ \t]{0,8}(?:\n|$)))"
    r"(?P<value>(?=[A-Za-z0-9!#$%&*+/=?@^~])(?=[^\s\"'`]{0,64}[0-9!#$%^&*])[A-Za-z0-9!#$%&*+/=?@^~][A-Za-z0-9_!#$%&*+/=?@^~.:-]{7,511})"
)
# "VALUE is the password", "echo VALUE | docker login --password-stdin"
_LINK = re.compile(r" (?:is|was|as|ist|als|est|comme|es|como|é|это) |\|")
_BACK = re.compile(
    r"(?<![A-Za-z0-9_.$@/\\-])([A-Za-z0-9!#%&*+=?^~][A-Za-z0-9_!#$%&*+/=?@^~.:-]{7,60})[\"'`)*」]{0,3}"
    rf"(?:{_LINK.pattern}| \|)[^\n:={{}}]{{0,40}}$"
)
# Words that some tools put before a generated value.
_MARK = re.compile(r"base64:|django-insecure-")
_USER = re.compile(r"[A-Za-z][\w.-]{1,30}[:/]")
_VALUE = re.compile(r"[^\s\"'`<>|\\，。；、」』）\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{6,512}")
_OTHER_CODE = re.compile(r"[A-Za-z_][\w.-]{1,40}(?:=[\w\"'$]|!?[(\[{])")
_OTHER_NAME = re.compile(
    r"[\"'\w][:=]\s?[^\s]|[\"']\s?,|\bsha|md5|hash|digest|checksum|commit|finger|signature|\brev|://|_[a-z]|[a-z]\(",
    re.IGNORECASE,
)
_GROUPS = re.compile(r"(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{2,4}(?![\w-])")
# UUIDs are ids, but for what is only ever given a credential.
_SAYS_UUID = re.compile(
    r"(?:api[_-]?key|authtoken|identitytoken|access[_-]?token|password|client[_-]?secret)$", re.IGNORECASE
)

# Shorter words beside a label are most often something else.
_SHORTEST = 8

Span = tuple[str, int, int]


def find_labelled(text: str, folded: str, word: str) -> Iterator[Span]:
    """Yield kind, start and end of values that a label beginning with `word` calls a secret."""
    at = folded.find(word)
    while at >= 0:
        label = _LABEL.match(folded, at)
        if label and not (label["token"] and _is_public(folded[max(0, at - 24) : at])):
            found = _find_assigned(text, folded, label) or _find_spoken(text, label) or _find_before(text, label)
            kind = "password" if label["password"] else "session-cookie" if label["session"] else "api-key"
            if found:
                yield kind, *found
            for start, value in find_in_column(text, at, label.end()) if not found else ():
                if len(value) >= _SHORTEST and _is_secret(value, label, quoted=True):
                    yield kind, start, start + len(value)
        at = folded.find(word, at + 1)


def _is_public(before: str) -> bool:
    """Whether the first part of a name says that its value is none; in an ARN a secret is only named."""
    if "public" in before.rpartition(" ")[2] or (before.endswith(":") and before[-2:-1].isdigit()):
        return True
    return before.rstrip(" _.-").removesuffix("api").rstrip(" _.-").endswith(_PUBLIC)


def _find_assigned(text: str, folded: str, label: re.Match[str]) -> tuple[int, int] | None:
    """Find the value behind a name and a sign."""
    name_end = _match(_REST, text, label.end()).end()
    sign = _SIGN.match(folded, name_end)
    if not sign or _HARMLESS_REST.search(text, label.end(), name_end):
        return None
    below = _BELOW.match(folded, sign.end("sign")) if sign["sign"] else None
    start = below.end() if below else sign.end()
    groups = _GROUPS.match(text, start)
    if groups and is_base32_groups(groups[0]):
        return groups.span()
    value, quoted = _read_value(text, start)
    mark = (_USER if label["login"] else _MARK).match(value)
    start, value = (start + mark.end(), value[mark.end() :]) if mark else (start, value)
    # Long text without blanks is of a script that has none; judging all of it would be slow.
    if len(value) < _SHORTEST or (len(value) > 64 and not value.isascii()) or (not quoted and _OTHER_CODE.match(value)):
        return None
    name = text[max(0, label.start() - 12) : name_end]
    fits = _is_secret(value, label, quoted=quoted) or (is_uuid(value) and _SAYS_UUID.search(name))
    if label["session"] and "=" not in sign[0]:
        fits = False
    return (start, start + len(value)) if fits else None


def _is_secret(value: str, label: re.Match[str], *, quoted: bool) -> bool:
    """Whether a value that is assigned to a name looks like what the name says."""
    is_bare = not re.search(r"[\w-]", label.string[label.start() - 1 : label.start()])
    if label["session"]:
        return len(value) > 19 and is_token(value)
    if label["login"] or (is_bare and not quoted and label[0] == "pass"):
        return is_spoken_password(value) or (bool(label["login"]) and is_token(value))
    if label["password"]:
        return is_password(value, quoted=quoted) or is_passphrase(value) or hides_password(value)
    if is_bare and label[0] in ("key", "keys", "auth", "seed"):
        return is_generated(value) or hides_password(value)
    return is_token(value) or (quoted and is_scrambled(value)) or hides_password(value) or is_spoken_password(value)


def _find_spoken(text: str, label: re.Match[str]) -> tuple[int, int] | None:
    """Find the value in the sentence behind a label, or alone on the next line."""
    spoken = _PROSE.match(text, label.end())
    gap = spoken["gap"].rstrip(" \t\"'`*「『（(") if spoken else ""
    if not spoken or label["session"] or _OTHER_NAME.search(gap) or text[spoken.end() : spoken.end() + 1] in {*"([{"}:
        return None
    value = trim(spoken["value"])
    user = _USER.match(value) if not label["token"] else None
    start = spoken.start("value") + (user.end() if user else 0)
    value = value[user.end() :] if user else value
    is_near = not gap.strip(" \t\"'`*") or gap[-1] in ":："
    if label["token"]:
        fits = (is_generated(value) and (is_near or label[0] != "auth")) or (
            is_near and (is_hex_key(value) or is_spoken_password(value))
        )
    else:
        fits = is_spoken_password(value) or is_passphrase(value) or is_generated(value) or (is_near and is_uuid(value))
    return (start, start + len(value)) if fits else None


def _find_before(text: str, label: re.Match[str]) -> tuple[int, int] | None:
    """Find the value in the sentence before a label."""
    start = label.start()
    is_linked = _LINK.search(text, max(0, start - 46), start)
    before = _BACK.search(text, max(0, start - 110), start) if is_linked else None
    if not before or label["session"]:
        return None
    fits = is_generated(before[1]) or (label["password"] and is_spoken_password(before[1]))
    return before.span(1) if fits else None


def _read_value(text: str, start: int) -> tuple[str, bool]:
    """Return the value at a place, and whether quotes enclose it."""
    quote = text[start - 1].replace(">", "<")
    end = text.find(quote, start, start + 513) if quote in "\"'`<" else -1
    if end - start >= 6 and not re.search(r"[\s\\]", text[start:end]):
        return text[start:end], True
    value = _VALUE.match(text, start)
    return (trim(value[0]), False) if value else ("", False)


def trim(value: str) -> str:
    """Cut off the next parameter and the punctuation of the sentence."""
    return re.split(r"[&,;](?=[\w.-]{1,40}[=:])", value, maxsplit=1)[0].removesuffix("**").rstrip(".,;:)]}")


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    found = pattern.match(text, at)
    assert found  # noqa: S101 - the pattern matches the empty string
    return found
