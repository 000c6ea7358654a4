"""The shapes of secrets, as data: which literal gives one away, and what must surround it."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

from memci.redaction.secret_values import (
    is_basic_auth,
    is_command_password,
    is_credential,
    is_login_password,
    is_password,
    is_private_jwt,
    is_random,
    is_spoken_password,
    is_token,
    is_url_password,
    is_url_token,
)

_WORD = r"[A-Za-z0-9]"
_DASHED = r"[A-Za-z0-9_-]"
_HEX = r"[0-9a-f]"


@dataclass(frozen=True, slots=True)
class SecretRule:
    """One kind of secret: its pattern starts at a keyword, or `before` characters ahead of it."""

    kind: str
    # Literals that the scan looks for, because that is many times faster than a pattern. Lower case if `fold`.
    keywords: tuple[str, ...]
    # Bounded, so that a text full of keywords costs linear time. Group 1, if there is one, is the secret itself.
    pattern: str
    accepts: Callable[[str], bool] = is_random
    # Judges the whole match, where the secret alone does not tell.
    fits: Callable[[str], bool] = bool
    # How far ahead of its keyword the pattern starts.
    before: int = 0
    # It starts with the word that the keyword is in or behind, but not further ahead than that.
    word: bool = False
    # The pattern is matched on the text in lower case.
    fold: bool = False
    # All of it stands in one run without blanks or quotes, at least 20 characters long.
    dense: bool = False

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return _compiled(self.pattern)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _prefixed(kind: str, prefixes: str, body: str, *, bounded: bool = False) -> SecretRule:
    """Return a rule for tokens that begin with one of the prefixes; short prefixes must also begin a word."""
    keywords = tuple(prefixes.split())
    start = "(?<![A-Za-z0-9_-])" if bounded else ""
    return SecretRule(kind, keywords, f"{start}(?:{'|'.join(map(re.escape, keywords))}){body}", dense=True)


_VENDORS = (
    _prefixed("anthropic-key", "sk-ant-", rf"[a-z]{{2,10}}\d\d-{_DASHED}{{20,256}}"),
    _prefixed("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1-", rf"{_DASHED}{{20,256}}"),
    _prefixed("openai-key", "sk-", rf"{_WORD}{{32,64}}(?!{_DASHED})", bounded=True),
    _prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_WORD}{{36,255}}"),
    _prefixed("github-token", "github_pat_", r"[A-Za-z0-9_]{36,255}"),
    _prefixed(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- glffct- GR1348941",
        r"[A-Za-z0-9_.-]{20,255}",
    ),
    SecretRule(
        "aws-access-key",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"(?<![A-Za-z0-9])A[KSBC][IC]A[A-Z0-9]{16}(?![A-Za-z0-9])",
        dense=True,
    ),
    SecretRule(
        "aws-secret-key",
        ("AKIA", "ASIA"),
        r"A[KS]IA[A-Z0-9]{16}[\s,:|\"'`/]{1,8}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        is_token,
    ),
    SecretRule(
        "aws-secret-key",
        ("secret",),
        r"secret[ _-]?(?:access[ _-]?)?key[\s\"'`*:=|is]{1,12}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        is_token,
        fold=True,
    ),
    _prefixed("cloudflare-key", "v1.0-", rf"{_HEX}{{24}}-{_HEX}{{146}}"),
    _prefixed("google-api-key", "AIza", rf"{_DASHED}{{35}}(?!{_DASHED})"),
    _prefixed("google-oauth-secret", "GOCSPX-", rf"{_DASHED}{{28}}"),
    _prefixed("google-oauth-token", "ya29.", rf"{_DASHED}{{30,512}}"),
    _prefixed("google-oauth-token", "1//0", rf"{_DASHED}{{40,256}}", bounded=True),
    SecretRule(
        "azure-client-secret", ("8Q~",), r"(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{34}(?![\w~.-])", before=3, dense=True
    ),
    SecretRule(
        "azure-key",
        ("accountkey=", "accesskey="),
        r"(?:account|access)key=([A-Za-z0-9+/]{40,90}={0,2})",
        fold=True,
    ),
    SecretRule("azure-sas", ("sig=",), r"(?<=[?&;])sig=([A-Za-z0-9%+/]{40,90}(?:%3[Dd]|=))"),
    _prefixed(
        "slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xox xapp-", r"[A-Za-z0-9%.-]{20,400}"
    ),
    _prefixed("slack-webhook", "hooks.slack.com/", r"(?:services|workflows|triggers)/([A-Za-z0-9+/]{32,128})"),
    _prefixed(
        "discord-webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        rf"\d{{16,20}}/({_DASHED}{{60,80}})",
    ),
    SecretRule(
        "discord-token",
        ("discord",),
        rf"discord[^\n]{{0,60}}?\b([mno]{_DASHED}{{23,27}}\.{_DASHED}{{6}}\.{_DASHED}{{27,40}})",
        fold=True,
    ),
    _prefixed("teams-webhook", ".webhook.office.com/webhookb2/", r"[0-9a-z@-]{36,80}/IncomingWebhook/([0-9a-f]{32})"),
    _prefixed("stripe-key", "sk_live_ rk_live_", rf"{_WORD}{{20,247}}"),
    _prefixed("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/]{32,64}"),
    _prefixed("square-token", "sq0atp- sq0csp-", rf"{_DASHED}{{22,50}}"),
    _prefixed("square-token", "EAAA", rf"{_DASHED}{{60}}(?!{_DASHED})", bounded=True),
    _prefixed("npm-token", "npm_", rf"{_WORD}{{36}}(?!{_WORD})"),
    _prefixed("pypi-token", "pypi-AgE", rf"{_DASHED}{{50,300}}"),
    _prefixed("rubygems-token", "rubygems_", rf"{_HEX}{{48}}"),
    _prefixed("nuget-key", "oy2", r"[a-z0-9]{43}(?![a-z0-9])", bounded=True),
    _prefixed("hugging-face-token", "hf_ api_org_", rf"{_WORD}{{34,40}}(?!{_WORD})", bounded=True),
    _prefixed("sendgrid-key", "SG.", rf"{_DASHED}{{20,24}}\.{_DASHED}{{39,50}}"),
    _prefixed("twilio-key", "SK", rf"{_HEX}{{32}}(?!{_WORD})", bounded=True),
    SecretRule("telegram-token", (":AA",), rf"\d{{8}}:(AA{_DASHED}{{33}})(?!{_DASHED})", before=8, dense=True),
    _prefixed("databricks-token", "dapi", rf"{_HEX}{{32}}(?:-\d)?(?!{_WORD})"),
    _prefixed("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"{_HEX}{{64}}"),
    _prefixed("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9_.-]{40,80}"),
    _prefixed("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9A-Fa-f]{32}"),
    _prefixed("mailgun-key", "key-", rf"{_HEX}{{32}}(?!{_WORD})", bounded=True),
    SecretRule("mailchimp-key", ("-us",), rf"(?<!{_WORD}){_HEX}{{32}}-us\d{{1,2}}(?!{_WORD})", before=32, dense=True),
    _prefixed("brevo-key", "xkeysib- xsmtpsib-", rf"{_HEX}{{64}}-{_WORD}{{16}}"),
    _prefixed("linear-key", "lin_api_ lin_oauth_", rf"{_WORD}{{40,64}}"),
    _prefixed("notion-token", "secret_", rf"{_WORD}{{43}}(?!{_WORD})"),
    _prefixed("notion-token", "ntn_", rf"{_WORD}{{40,50}}"),
    _prefixed("vault-token", "hvs. hvb. hvr.", rf"{_DASHED}{{24,300}}"),
    _prefixed("terraform-token", ".atlasv1.", rf"{_DASHED}{{60,70}}"),
    _prefixed("docker-token", "dckr_pat_ dckr_oat_", rf"{_DASHED}{{27,40}}"),
    _prefixed("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_-]{60,400}"),
    _prefixed("new-relic-key", "NRAK- NRJS- NRII-", rf"{_DASHED}{{19,40}}"),
    _prefixed("grafana-token", "glsa_ glc_", r"[A-Za-z0-9+/=_]{32,400}"),
    _prefixed("postman-key", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}"),
    _prefixed("pulumi-token", "pul-", rf"{_HEX}{{40}}(?!{_WORD})"),
    _prefixed("heroku-key", "HRKU-", rf"{_DASHED}{{36,60}}"),
    _prefixed("fly-token", "fm1_ fm2_ fo1_", r"[A-Za-z0-9+/=_-]{40,600}", bounded=True),
    _prefixed("supabase-key", "sbp_", rf"{_HEX}{{40}}"),
    _prefixed("supabase-key", "sb_secret_", rf"{_DASHED}{{20,60}}"),
    _prefixed("netlify-token", "nfp_", rf"{_WORD}{{36,40}}"),
    _prefixed("atlassian-token", "ATATT3 ATCTT3 ATBB", r"[A-Za-z0-9_=-]{28,300}"),
    _prefixed("figma-token", "figd_", rf"{_DASHED}{{38,46}}"),
    _prefixed("airtable-token", "pat", rf"{_WORD}{{14}}\.{_HEX}{{64}}", bounded=True),
    _prefixed("contentful-token", "CFPAT-", rf"{_DASHED}{{43}}"),
    _prefixed("dropbox-token", "sl.", rf"{_DASHED}{{130,1400}}", bounded=True),
    _prefixed("groq-key", "gsk_", rf"{_WORD}{{48,56}}"),
    _prefixed("perplexity-key", "pplx-", rf"{_WORD}{{40,60}}"),
    _prefixed("replicate-token", "r8_", rf"{_WORD}{{37,40}}", bounded=True),
    _prefixed("xai-key", "xai-", rf"{_WORD}{{70,90}}", bounded=True),
    _prefixed("langsmith-key", "lsv2_pt_ lsv2_sk_", rf"{_HEX}{{32}}_{_HEX}{{10}}"),
    _prefixed("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", rf"{_DASHED}{{32,64}}"),
    _prefixed("sonar-token", "squ_ sqp_ sqa_", rf"{_HEX}{{40}}"),
    _prefixed("tailscale-key", "tskey-", rf"[a-z]{{3,10}}-{_DASHED}{{20,64}}"),
    _prefixed("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{40,64}"),
    _prefixed("dynatrace-token", "dt0c01.", rf"{_WORD}{{24}}\.{_WORD}{{64}}"),
    _prefixed("buildkite-token", "bkua_", rf"{_HEX}{{40}}"),
    _prefixed("circleci-token", "CCIPAT_", rf"{_WORD}{{22}}_{_HEX}{{40}}"),
    _prefixed("posthog-key", "phx_", rf"{_WORD}{{40,60}}"),
    _prefixed("resend-key", "re_", rf"{_WORD}{{8}}_{_WORD}{{24}}(?!{_WORD})", bounded=True),
    _prefixed("age-key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
    _prefixed("1password-token", "ops_eyJ", r"[A-Za-z0-9+/=_-]{200,2000}"),
)

# Commands that take a password in an option of one letter.
_COMMANDS = (
    *("mysql", "mariadb", "mongo", "sshpass", "redis-cli", "openssl", "zip", "7z", "ldap", "sqlcmd", "rdp"),
    *("docker login", "podman login", "registry login", "az login", "mosquitto_", "smbclient", "rpcclient", "ipmitool"),
    *("net use", "plink", "winexe", "wmic", "psexec", "keytool", "bcp ", "isql", "lftp", "vncviewer", "impacket"),
)
# Tools of Oracle databases, which take `user/password@service`.
_ORACLE = ("sqlplus", "rman ", "impdp", "expdp", "sqlldr", "connect ", "imp ", "exp ", "jdbc:oracle", "sqlcl")
_CODES = (
    *("recovery code", "backup code", "scratch code", "rescue code", "2fa code", "mfa code", "emergency code"),
    *("one-time code", "wiederherstellungscode", "backup-code", "ersatzcode", "notfallcode", "codes de récupération"),
    *("codes de secours", "códigos de recupera", "códigos de respaldo", "códigos de backup", "резервные коды"),
    *(
        "коды восстановления",
        "リカバリーコード",
        "バックアップコード",
        "복구 코드",
        "백업 코드",
        "恢复代码",
        "恢复码",
        "备用码",
    ),
)
_INFIXES = "live|test|secret|sk|prod|sandbox|pat|key|token|api"

_SHAPES = (
    # PEM, also on one line with written-out line ends. A key goes up to its END marker, or as far as it looks like one.
    SecretRule(
        "private-key",
        ("-----BEGIN",),
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,.()>]|-(?!----)){64,16384}"
        r"(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?",
    ),
    SecretRule(
        "jwt",
        ("eyJ",),
        rf"(?<!{_DASHED})eyJ{_DASHED}{{10,1000}}\.eyJ{_DASHED}{{10,4000}}\.{_DASHED}{{20,1000}}",
        is_private_jwt,
    ),
    SecretRule(
        "url-password",
        ("://",),
        r"://[^\s/:@'\"`<>?#]{0,64}:((?!\d{1,5}[?#])[^\s/@'\"`<>]{3,128})@[\w.-]{1,80}",
        bool,
        is_url_password,
    ),
    SecretRule("url-token", ("://",), r"://([A-Za-z0-9_.-]{20,255})@[\w.-]{1,80}", is_url_token),
    SecretRule("url-token", ("code=",), r"(?<=[?&])code=([A-Za-z0-9_.~%-]{20,512})", is_token),
    SecretRule(
        "basic-auth", ("basic ",), r"\bbasic ([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])", is_basic_auth, fold=True
    ),
    SecretRule("bearer-token", ("bearer ",), r"\bbearer ([A-Za-z0-9_.~+/-]{16,2000}={0,2})", is_token, fold=True),
    SecretRule(
        "authorization",
        ("authorization",),
        r"authorization[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?[\w-]{3,20}[ =]{1,3}\"?([A-Za-z0-9_.~+/=-]{16,2000})",
        is_credential,
        fold=True,
    ),
    SecretRule(
        "curl-password",
        (" -u ", "--user ", "--user="),
        r"(?: -u |--user[ =])[\"']?[\w.@+-]{1,64}:([^\s\"'`<>]{6,128})",
        is_password,
    ),
    SecretRule(
        "command-password",
        _COMMANDS,
        rf"(?:{'|'.join(_COMMANDS)})[^\n|;]{{0,100}}? "
        r"(?:-(?:[akKwW] |[pP] ?)|-U [\"']?[\w.\\/-]{1,40}%|/p:|\\\\[\w.\\$-]{1,80} )"
        r"[\"']?([^\s\"'`<>]{6,128})",
        is_command_password,
    ),
    SecretRule(
        "login-password",
        _ORACLE,
        rf"(?<![a-z])(?:{'|'.join(_ORACLE)})[^\n]{{0,60}}?(?<![\w/.$#-])[a-z][\w$#]{{0,30}}/\"?([^\s@\"/]{{6,64}})\"?@[\w/(]",
        is_login_password,
        fold=True,
    ),
    # `user/password@host` of Oracle, `user:password@tcp(host)` of Go, `user:password@host` of proxies.
    SecretRule(
        "login-password",
        ("@",),
        r"[^\s@]{0,60}?(?<![\w.$#/-])[A-Za-z][\w.$#-]{0,40}[:/]([^\s:/@\"'`<>]{6,64})@[\w/(\[]",
        is_spoken_password,
        before=120,
        word=True,
    ),
    SecretRule(
        "login-password",
        (" / ",),
        r"[\"'`(]{0,2}[A-Za-z][\w.@-]{1,38}[\"'`]? / [\"'`]?([^\s\"'`<>]{8,64})",
        is_spoken_password,
        before=40,
        word=True,
    ),
    SecretRule(
        "login-password",
        ("admin", "root"),
        r"(?<![\w.])(?:admin|root)[\"'`]?(?:: ?|, )[\"'`]?([^\s\"'`<>]{8,64})",
        is_spoken_password,
        fold=True,
    ),
    # `host:port:database:user:password`, each but the last may be a star.
    SecretRule(
        "netrc-password",
        (":5432:", ":*:", ":5433:", ":6432:"),
        r":(?:\d{4}|\*):[\w*-]{1,63}:[\w*-]{1,63}:([^\s:\"'`<>]{6,128})",
        is_login_password,
    ),
    SecretRule(
        "netrc-password",
        ("login ",),
        r"login {1,4}[^\s\"'`<>]{1,80}\s{1,8}password {1,4}([^\s\"'`<>]{6,128})",
        is_login_password,
    ),
    SecretRule(
        "otp-secret", ("otpauth://",), r"otpauth://[^\s?\"'`<>]{1,200}\?[^\s\"'`<>]{0,200}?secret=([A-Za-z2-7]{16,128})"
    ),
    SecretRule("private-key", ("Private-Lines:",), r"Private-Lines: \d{1,3}\s{1,4}([A-Za-z0-9+/=\s]{32,8192})(?=\s)"),
    SecretRule(
        "private-key",
        ('"kty"',),
        r"\"kty\"[^{}]{0,2000}?\"(?:d|k)\"\s{0,4}:\s{0,4}\"([A-Za-z0-9_-]{20,2000})\"",
        is_random,
        before=0,
    ),
    SecretRule(
        "signed-url",
        ("signature=", "sig="),
        r"(?<=[?&;-])(?:signature|sig)=([A-Za-z0-9%+/_~=-]{32,512})",
        fold=True,
    ),
    # What ends the address of a webhook is all that protects it.
    SecretRule(
        "webhook",
        ("hook/", "hooks/"),
        r"hooks?/(?:[\w@.-]{1,80}/){0,4}((?=[\w-]{0,30}\d)[A-Za-z0-9_-]{24,128})(?![\w/.-])",
        is_credential,
        lambda found: "." not in found.rpartition("/")[2],
    ),
    SecretRule(
        "recovery-code",
        _CODES,
        rf"(?:{'|'.join(map(re.escape, _CODES))})s?[^\n]{{0,80}}?(?:[:：\n]\n{{0,2}})"
        r"((?:[ \t>*•,;`-]{0,6}(?:\d{1,2}[.)] )?(?=[^\n]{0,30}\d)[a-z0-9]{4,12}"
        r"(?:[ -][a-z0-9]{4,10}){0,4}[ \t`]{0,4}(?:[\n,;]|$)){2,32})",
        bool,
        fold=True,
    ),
    # `acme_live_…`, of any vendor. What begins with `pk` may be published.
    SecretRule(
        "api-key",
        tuple(f"_{word}_" for word in _INFIXES.split("|")),
        rf"(?<!\bpk)(?<!_pk)(?<!pub)_(?:{_INFIXES})_([A-Za-z0-9]{{16,256}})(?![A-Za-z0-9])",
        is_token,
        dense=True,
    ),
)

# Any other prefix, judged by what follows it. Searched in every long run, because there is no keyword.
ANY_PREFIX = re.compile(
    r"(?<![\w./%+@-])[A-Za-z]{2,10}\d?[_-](?:[A-Za-z]{2,8}[_-])?([A-Za-z0-9_-]{20,200})(?![\w/+=-])"
)
SAYS_ID = re.compile(r"\b(?:id|ids|public|publishable|digest|hash)\b", re.IGNORECASE)
RULES = (*_VENDORS, *_SHAPES)
