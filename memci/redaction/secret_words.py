"""The words that people and programs call a secret by, in the supported languages."""

import re

# Literals to search for; each begins a label below. Lower case.
WORDS = (
    *(
        "pass",
        "pwd",
        "pw",
        "psk",
        " pin",
        "identified by",
        "access code",
        " phrase",
        "wifi key",
        "wlan key",
        "wi-fi key",
    ),
    *("kennwort", "zugangscode", "mdp", "code d'accès", "contraseña", "contrasena", "clave", "código de ace", "senha"),
    *(
        "парол",
        "пасс",
        "код доступа",
        "密码",
        "密碼",
        "口令",
        "暗証番号",
        "パス",
        "비밀번호",
        "비번",
        "패스워드",
        "암호",
    ),
    *(
        "secret",
        "token",
        "key",
        "auth",
        "hmac",
        "seed",
        "totp",
        "sess",
        "sid=",
        "_api=",
        "_sk=",
        "_pat=",
        "_pat:",
        "cookie",
    ),
    *("salt", "pepper", "dsn", "bearer", "licen", "jwt", "fernet", "webhook"),
    *("schlüssel", "clé", "clef", "jeton", "chave", "llave", "ключ", "токен", "секрет"),
    *("密钥", "密鑰", "令牌", "凭证", "キー", "トークン", "シークレット", "키", "토큰", "시크릿"),
    *(
        "cred",
        "login",
        "log in",
        "log on",
        "logon",
        "logged in",
        "sign in",
        "signin",
        "sign-in",
        "unlock ",
        "connect(",
        "connection(",
    ),
    *(
        "zugang",
        "anmeld",
        "einlog",
        "log dich",
        "identifiant",
        "credencia",
        "entra con",
        "entrar co",
        "user",
        "benutzer",
        "usuar",
        "usuár",
    ),
    *("utilisateur", "логин", "учётк", "учетк", "зайди", "войти", "доступ", "ログイン", "アカウント", "로그인", "계정"),
    *("아이디", "登录", "登陆", "登錄", "账号", "帐号", "账户"),
)
LABEL = re.compile(
    r"(?P<password>pass(?:w(?:or[dt]s?|d)|phrases?|codes?|e)(?![a-z])|(?<![0-9+])(?<!by)(?<!com)(?<!lp)pass(?![a-z])"
    r"|(?<![a-z0-9+/])pwd?(?![a-z])|(?<=[_a-z])pwd(?![a-z])|(?<=_)pw(?![a-z])|identified by| phrase(?!\w)|psk(?![a-z])"
    r"|(?:wifi|wlan|wi-fi) key|access code|zugangscode|code d'accès|código de ace(?:so|sso)"
    r"|kennwort|(?<!\w)mdp(?!\w)|contrase[ñn]a|(?<!\w)clave(?!\w)|senha|парол[а-я]{0,3}|(?<!\w)пасс(?!\w)|код доступа"
    r"|密[码碼]|口令|暗証番号|パス(?:ワード|フレーズ|コード|(?=[はを:：]))|비밀번호|비번|패스워드|암호)"
    r"|(?P<session>sess(?:ion)?(?:id)?(?![a-z])|(?<![a-z])sid(?==)|cookies?(?![a-z]))"
    r"|(?P<login>(?<![a-z])login(?![a-z_])|log in|log ?on(?!\w)|logged in|sign[ -]?in(?!\w)|unlock "
    r"|cred(?:ential)?s?(?!\w)|connect(?:ion)?(?=\()|zugang(?:sdaten)?(?!\w)|anmeld[a-z]{1,4}|einlogg?en|log dich"
    r"|identifiants?(?!\w)|credencia(?:l|les|is)|entrar? com?n?(?!\w)"
    r"|логин|уч[её]тк[а-я]{1,2}|зайди|войти|доступ[а-я]{0,2}"
    r"|ログイン|アカウント|로그인|계정|아이디|登[录陆錄]|[账帐]号|账户| pin(?!\w))"
    r"|(?P<user>(?<![a-z])user(?:name)?(?![a-z])|benutzer(?:name)?(?!\w)|usu[aá]rio(?!\w)|utilisateur)"
    r"|(?P<token>secrets?(?![a-z]{3})|tokens?(?![a-z]{3})|keys?(?![a-z]{3})|auth(?:orization|token|ident)?(?![a-z])"
    r"|_(?:api|sk)(?==)|_pat(?=[=:])|hmac|totp|(?<!\w)seed(?!\w)|(?<![a-z])salt(?![a-z])|pepper(?![a-z])|(?<![a-z])dsn(?![a-z])"
    r"|(?<![a-z])bearer(?![a-z])|licen[sc]e key|(?<![a-z])jwt(?![a-z])|fernet(?=\()|webhook(?= )"
    r"|schlüssel|cl(?:é|ef)s?(?!\w)|jeton|chave|llave"
    r"|ключ[а-я]{0,3}|токен[а-я]{0,3}|секрет[а-я]{0,3}|密[钥鑰]|令牌|凭证|キー|トークン|シークレット|키|토큰|시크릿)"
)
# The last words between "the password" and a value that is one.
_LINKS = (
    "is are was be to with as using via use try type enter set now still just this that here echo "
    "ist war lautet heißt heisst sind jetzt nun auf mit als per "
    "est c'est vaut avec comme devient à sera "
    "es son con como ahora queda será era "
    "é com para agora ficou são "
    "это есть теперь на с как стал такой такая"
)
LINK = re.compile(
    rf"(?:^|[\s,;:(…])(?:{'|'.join(map(re.escape, _LINKS.split()))})(?: 0)?\s*$"
    r"|(?:[:：=→>—–…]|\.{3})\s*$|^[\s,、'’s]{0,4}$"
    r"|[はがをにへは은는이가을를로为為是成了到]\s*$|\s-{1,2}\s*$",
    re.IGNORECASE,
)
# "VALUE is the password", "as the password", "echo VALUE | docker login --password-stdin"
BACK_LINK = re.compile(
    r"^[\"'`)*」』”’»“]{0,3},?(?: \(| (?:<-|←|→|=|--?) "
    r"| (?:it )?(?:is|was|are|as|for|ist|als|est|comme|es|como|é|это|как) | ?\| |를 |을 |を)",
    re.IGNORECASE,
)
# Names whose value everybody may see, such as `PUBLIC_KEY` and `nextPageToken`.
PUBLIC = (
    *("public", "publishable", "pub", "cache", "primary", "foreign", "sort", "partition", "range", "site", "host"),
    *("object", "s3", "idempotency", "anon", "rsa", "gpg", "pgp", "dsa", "ed25519", "routing", "translation", "row"),
    *("map", "dict", "group", "lookup", "index", "cursor", "page", "next", "continuation", "pagination", "sync"),
    *("query", "list", "item", "storage", "unique", "surrogate", "merge", "dedup", "dedupe", "hash", "widget"),
    *("instrumentation", "domain", "websocket", "restored from", "öffentlicher", "öffentliche", "publique", "pública"),
)
# The last part of a name that holds something about a secret, not the secret.
HARMLESS_REST = re.compile(
    r"(?:^s?|[_.-]|(?=[A-Z]))(?i:names?|ids?|ur[li]s?|paths?|files?|types?|counts?|limits?|length|size|expir\w*|ttl"
    r"|hash(?:ed|es)?|policy|fields?|headers?|env|vars?|ref|arn|prefix|versions?|scopes?|endpoints?|schema|format"
    r"|columns?|manager|budget|usage|label|hint|regex|pattern|alg\w*|fingerprint|provider|method|mode|kind|index"
    r"|used|created\w*|digest|checksum|title|message|error|page|link|class|spec|placeholder)$"
)
# Says of a long value that it is a digest or sealed.
DIGEST = re.compile(
    r"\bsha\d?|md5|hash|digest|checksum|commit|finger|\brev\b|revision|blake|\bsum\b|etag|encrypted|\bpublic\b|cipher|integrity|request|trace"
    r"|merge|branch|\bid\b",
    re.IGNORECASE,
)
