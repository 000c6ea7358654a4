import base64
import json
import random
import string
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.redaction.secret_rules import context_rules, labels, token_rules
from memci.redaction.secrets import Secret, find_secrets, redact, tells_password
from tests.gate import slow_but

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def value(count: int, alphabet: str = ALNUM, seed: int = 7) -> str:
    """Return a random value; it is generated so that no scanner flags this file."""
    chosen = random.Random(seed).choices(alphabet, k=count)
    return "".join(chosen)


GITHUB = "gh" + "p_" + value(36)
PASSWORD = "v" + value(6) + "-4k!" + value(3)
JWT_HEAD = "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"


def encoded(claims: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")


def jwt(claims: dict[str, object]) -> str:
    return f"{JWT_HEAD}.{encoded(claims)}.{value(43)}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"toolu_01{value(22)} msg_01{value(22)} req_01{value(22)}",
        "tenant 3f2b8c1e-6d4a-4e0b-9a57-1c2d3e4f5a6b",
        f"commit {value(40, HEX)}",
        f"sha256:{value(64, HEX)}",
        f'"integrity": "sha512-{value(86)}==",',
        f"token sha256: {value(64, HEX)}",
        "TOKEN=<token>",
        "token: xxxxxxxxxxxxxxxxxxxxxxxx",
        "api_key: your-api-key-goes-here-2024",
        "password: ${DB_PASSWORD}",
        'password = "***************"',
        "secret = process.env.CLIENT_SECRET_V2",
        "secret: [REDACTED:api-key]",
        "password: REDACTED",
        "AKIA" + "IOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        jwt({"sub": "1234567890", "name": "John Doe", "iat": 1516239022}),
        jwt({"iss": "supabase", "role": "anon"}),
        f"pk_{'test'}_{value(24)}",
        "password: string",
        "password: str | None",
        "password=get_password()",
        "password = config.auth.password2",
        "if (password === user.passwordHash2) {",
        "const { token2, refreshToken3 } = useAuth()",
        "The password must have 12 characters.",
        "The token lifetime is 3600 seconds; api keys are stored in the vault under `kv/payments`.",
        "password hashing is done with argon2id",
        "max_tokens: 200000",
        "secretName: payments-prod-tls-v2",
        "token_url: https://auth.acme.io/oauth2/v2/token",
        "postgres://postgres:postgres@localhost:5432/app",
        "postgres://user:password@localhost/db",
        "https://user:${TOKEN}@github.com/acme/app",
        "http://localhost:3000/@scope/package",
        "git@github.com:acme/app.git",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Basic <credentials>",
        "curl -u admin:password https://acme.io",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        f"-----BEGIN PUBLIC KEY-----\n{value(200)}\n-----END PUBLIC KEY-----",
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{value(43)} ana@acme",
        "tokens begin with `ghp_`, keys with `sk-ant-api03-`",
        f"gh{'p'}_{'x' * 36}",
        "task-management-with-a-very-long-name-that-goes-on-and-on",
        "src/components/settings/ApiKeyPanelV2/useApiKeyForm.test.tsx",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert find_secrets(text) == []
    assert redact(text) == text


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        ("anthropic-key", "sk-" + "ant-api03-" + value(95, ALNUM + "_-")),
        ("anthropic-key", "sk-" + "ant-oat01-" + value(95, ALNUM + "_-")),
        ("anthropic-key", "sk-" + "ant-admin01-" + value(95)),
        ("openai-key", "sk-" + "proj-" + value(80)),
        ("openai-key", "sk-" + value(48)),
        ("github-token", GITHUB),
        ("github-token", "github" + "_pat_" + value(22) + "_" + value(59)),
        ("gitlab-token", "gl" + "pat-" + value(20)),
        ("aws-access-key", "AK" + "IA" + value(16, string.ascii_uppercase + "234567")),
        ("google-api-key", "AI" + "za" + value(35)),
        ("slack-token", "xo" + "xb-" + value(12, "123456789") + "-" + value(24)),
        ("stripe-key", "sk_" + "live_" + value(24)),
        ("npm-token", "npm" + "_" + value(36)),
        ("pypi-token", "pypi-" + "AgEIcHlwaS5vcmc" + value(100)),
        ("hugging-face-token", "hf" + "_" + value(34)),
        ("sendgrid-key", "SG" + "." + value(22) + "." + value(43)),
        ("databricks-token", "dap" + "i" + value(32, HEX)),
        ("digitalocean-token", "dop" + "_v1_" + value(64, HEX)),
        ("shopify-token", "shp" + "at_" + value(32, HEX)),
        ("mailgun-key", "key" + "-" + value(32, HEX)),
        ("mailchimp-key", value(32, HEX) + "-us12"),
        ("linear-key", "lin_" + "api_" + value(40)),
        ("vault-token", "hv" + "s." + value(60)),
        ("docker-token", "dckr" + "_pat_" + value(27)),
        ("jwt", jwt({"sub": "u-81", "scope": "admin"})),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "cloned with {}, works", "| a | `{}` |", 'x="{}"', "## Ünï\n\ntext {}\n"])
def test_finds_tokens_of_vendors(kind: str, secret: str, frame: str) -> None:
    text = frame.format(secret)
    start = text.index(secret)
    assert find_secrets(text) == [Secret(kind, start, start + len(secret))]


@pytest.mark.parametrize(
    ("frame", "kind", "secret"),
    [
        ("The staging database password is {}, ask Dana.", "password", PASSWORD),
        ("the root password for the staging box: `{}`", "password", PASSWORD),
        ("Das Passwort lautet {}.", "password", PASSWORD),
        ("Пароль: {}", "password", PASSWORD),
        ("パスワードは {}", "password", PASSWORD),
        ("| DB password | {} |", "password", PASSWORD),
        ("**Password**: `{}`", "password", PASSWORD),
        ("DB_PASSWORD={}", "password", PASSWORD),
        ('{{"password":"{}","user":"ana"}}', "password", PASSWORD),
        ("Server=db;Password={};Encrypt=true", "password", PASSWORD),
        ("mysqldump --password={} app", "password", PASSWORD),
        ("login --db-password {}", "password", PASSWORD),
        ("api_key: {}", "api-key", value(32, HEX)),
        ("export ACME_TOKEN='{}'", "api-key", value(30)),
        ("https://acme.io/?token={}&x=1", "api-key", value(30)),
        ("client_secret => {}", "api-key", value(30)),
        ("postgres://svc:{}@localhost:5433/app", "url-password", PASSWORD),
        ("redis://:{}@cache.acme.io:6379/0", "url-password", value(16)),
        ("Authorization: Bearer {}", "bearer-token", value(40)),
        ("Authorization: token {}", "authorization", value(40)),
        ("curl -u ana:{} https://acme.io", "curl-password", PASSWORD),
        ("machine acme.io login ana password {}", "netrc-password", PASSWORD),
        ("otpauth://totp/acme:ana?secret={}&issuer=acme", "otp-secret", value(32, string.ascii_uppercase + "234567")),
        ("AccountKey={};EndpointSuffix=x", "azure-key", value(86) + "=="),
        ("https://hooks.slack.com/services/{}", "slack-webhook", f"T{value(9)}/B{value(9)}/{value(24)}"),
        ("bot 58214793:{} is ours", "telegram-token", "AA" + value(33)),
        ("{}", "private-key", f"-----BEGIN RSA PRIVATE KEY-----\n{value(200)}\n-----END RSA PRIVATE KEY-----"),
        ('"k": "{}"', "private-key", f"-----BEGIN PRIVATE KEY-----\\n{value(200)}\\n-----END PRIVATE KEY-----"),
        ("Authorization: Basic {}", "basic-auth", base64.b64encode(f"svc:{PASSWORD}".encode()).decode()),
    ],
)
def test_finds_secrets_by_what_stands_around_them(frame: str, kind: str, secret: str) -> None:
    text = frame.format(secret)
    start = text.index(secret)
    assert find_secrets(text) == [Secret(kind, start, start + len(secret))]


ENCODED = base64.b64encode(f"token {GITHUB}\n".encode()).decode()


@pytest.mark.parametrize(
    "secret",
    [
        GITHUB[:2] + "\u200b" + GITHUB[2:20] + "\u200d" + GITHUB[20:],
        "".join(f"%{ord(letter):02x}" for letter in GITHUB),
        urllib.parse.quote("gh") + "p%5F" + GITHUB[4:],
        "\\u0067" + GITHUB[1:],
        GITHUB[:12] + '" + "' + GITHUB[12:],
        ENCODED,
        base64.b64encode(ENCODED.encode()).decode(),
    ],
)
@pytest.mark.parametrize("before", ["", "first line\nüber ", "a%20b \\n "])
def test_finds_hidden_secrets_where_they_stand_in_the_original(secret: str, before: str) -> None:
    text = f'{before}"{secret}" and more\nlast'
    (found,) = find_secrets(text)
    assert (found.kind, text[found.start : found.end]) == ("github-token", secret)


@given(st.integers(0, 300), st.integers(0, 60))
def test_finds_a_token_without_boundaries_at_any_offset(before: int, after: int) -> None:
    text = "x" * before + GITHUB + "y" * after
    assert find_secrets(text) == [Secret("github-token", before, len(text))]


def test_redacts_each_secret_and_keeps_the_rest() -> None:
    text = f"use {GITHUB} or\nthe password is {PASSWORD}, ask Dana"
    assert redact(text) == "use [REDACTED:github-token] or\nthe password is [REDACTED:password], ask Dana"


def test_says_where_but_not_what() -> None:
    assert GITHUB[4:] not in repr(find_secrets(f"x {GITHUB}"))


FRAGMENTS = [
    GITHUB,
    PASSWORD,
    ENCODED,
    "password: ",
    "token=",
    "://a:",
    "@host.io ",
    "%67",
    "\\u0067",
    "\u200b",
    '" + "',
    "\n",
]
FRAGMENTS += [
    " ",
    "-----BEGIN PRIVATE KEY-----",
    value(70),
    "-----END PRIVATE KEY-----",
    "İ",
    "é",
    "is ",
    "Bearer ",
    "ghp_",
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_a_second_redaction_changes_nothing(text: str) -> None:
    clean = redact(text)
    assert redact(clean) == clean


@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5)), max_size=12).map("".join))
def test_spans_are_in_order_and_inside_the_text(text: str) -> None:
    found = find_secrets(text)
    edges = [edge for secret in found for edge in (secret.start, secret.end)]
    assert edges == sorted(edges)
    assert all(0 <= secret.start < secret.end <= len(text) for secret in found)


RULES = (*token_rules(), *context_rules())
KEYWORDS = {keyword for rule in RULES for keyword in rule.keywords} | {label.keyword for label in labels()}


def test_every_rule_can_be_reached_by_its_keywords() -> None:
    for rule in RULES:
        assert rule.pattern.compile().groups <= 1
    for keyword in [
        *(word for rule in context_rules() for word in rule.keywords),
        *(word.keyword for word in labels()),
    ]:
        assert keyword == keyword.lower()


@pytest.mark.parametrize("keyword", slow_but(sorted(KEYWORDS), sorted(KEYWORDS)[::20]))
def test_hostile_text_is_read_in_one_pass(keyword: str) -> None:
    for glue in ("", " ", "=", ": a", "a1B2"):
        text = (keyword + glue) * (2_048 // len(keyword + glue))
        assert all(0 <= found.start < found.end <= len(text) for found in find_secrets(text))


SCRAMBLED = value(40, ALNUM + "!@#%^&*(-_=+)", seed=3)


@pytest.mark.parametrize(
    "text",
    [
        "the password reset2 link is broken",
        "password Sha256Hasher wraps argon2",
        "pw: 2026-11-16",
        "cpw: xK4!mmPq27zz is a checksum of the page",
        "redis-cli -h cache.acme.cloud -a $REDIS_PASSWORD ping",
        "token_key = 'tests/auth/test_tokens.py::TestRefresh::test_rotates_v2'",
        "SECRET_KEY = 'get_random_secret_key(length=50,chars=ALPHABET)'",
        "secret: 'https://vault.acme.io/v1/kv/payments?version=2&namespace=prod'",
    ],
)
def test_nothing_is_taken_for_a_password_or_key_without_a_sign(text: str) -> None:
    assert find_secrets(text) == []


@pytest.mark.parametrize(
    ("frame", "hidden"),
    [
        ("the demo box: user ci, password {}", PASSWORD),
        ("use pw: {} until tomorrow", PASSWORD),
        ("redis-cli -h cache.acme.cloud -a {} ping", PASSWORD),
        ("SECRET_KEY = 'django-insecure-{}'", SCRAMBLED),
        ('signing_key: "{}"', SCRAMBLED),
    ],
)
def test_passwords_and_keys_without_a_sign_or_with_many(frame: str, hidden: str) -> None:
    assert hidden not in redact(frame.format(hidden))


TOKEN = value(32, seed=11)
KEY = base64.b64encode(random.Random(5).randbytes(32)).decode()
UUID = "6ddb4234-18bb-4784-9a23-36183bedf934"
ENCODED_PASSWORD = base64.b64encode(PASSWORD.encode()).decode()
ENCODED_LOGIN = base64.b64encode(f"ci:{PASSWORD}".encode()).decode()
MAPLE = "Maple" + "4821" + "#"


def manifest(kind: str, field: str, name: str, content: str) -> str:
    return f"apiVersion: v1\nkind: {kind}\nmetadata:\n  name: db\n{field}:\n  {name}: {content}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"password: ENC[AES256_GCM,data:{KEY},iv:{KEY},tag:{KEY},type:str]",
        f"spring.datasource.password=ENC({KEY})",
        f"token: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  {value(80, HEX)}\n  {value(80, HEX)}",
        manifest("SealedSecret", "spec:\n  encryptedData", "  password", value(300)),
        manifest("Secret", "stringData", "password", "${DB_PASSWORD}"),
        f"deploy key\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{value(43)} ci",
        f"public key:\n-----BEGIN PUBLIC KEY-----\n{value(64)}\n{value(64, seed=8)}\n-----END PUBLIC KEY-----",
        f"[Peer]\nPublicKey = {KEY}",
        f"The key fingerprint is:\nSHA256:{KEY[:43]} ana@acme",
        f"acme_pk_live_{TOKEN} pk_test_{TOKEN}",
        f"NEXT_PUBLIC_ACME_KEY={TOKEN}",
        f"nextToken: {TOKEN}",
        "http://proxy:8080?mail=ana@acme.io",
        f"Cache restored from key: Linux-pip-{value(64, HEX)}",
        f"the token bug was fixed in {value(40, HEX)}",
        f"token refresh failed for request {UUID}",
        f'"input_tokens": 12, "id": "msg_01{value(22)}"',
        f"uses: docker/login-action@{value(40, HEX)} # v3",
        f"secret_arn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-{value(6)}",
        "applicationServerKey: urlBase64ToUint8Array(key)",
        "import { useWeb3Auth, useWeb3AuthConnect } from 'auth'",
        "lpass_tlmm: pinctrl@6e80000",
        "| key | type |\n|---|---|\n| created_at_v2 | timestamptz |",
        "name,token_count,model\nfoo,1234,gpt-4o-2024-08-06\n",
        "Passwort-Hashing mit Argon2id (m=65536,t=3,p=4)",
        "パスワードはSHA256でハッシュ化されます",
        "비밀번호는 PBKDF2-SHA512로 저장됩니다",
        "密码长度至少为12个字符。",
        "пароль хранится в Vault2 по пути kv/prod/db-1",
        "la clave está guardada en el gestor, véase RFC6238",
        "a senha fica no 1Password (cofre Infra2024)",
        "le mot de passe doit contenir 12 caractères",
    ],
)
def test_sealed_and_public_values_and_prose_about_secrets_stay(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("frame", "secret"),
    [
        ("ACME_BILLING_KEY={}", TOKEN),
        ("export ACME_API={}", TOKEN),
        ("mongodb://root:{}@mongo-1.acme.io:27017", "pj?8T8!i?9yI"),
        ("use zentra_live_{} in prod", TOKEN),
        ("the sandbox one is brightpay_test_{}", TOKEN),
        ("kraken_secret_{} was committed", value(40, HEX)),
        ("APP_KEY=base64:{}", KEY),
        ("//npm.acme.io/:_authToken={}", UUID),
        ("_auth = {}", ENCODED_LOGIN),
        ('"auths": "reg.acme.io": "auth": "{}"', ENCODED_LOGIN),
        (manifest("Secret", "data", "password", "{}"), ENCODED_PASSWORD),
        (manifest("Secret", "data", "smtp", "{}"), ENCODED_PASSWORD),
        (manifest("Secret", "stringData", "smtp", "{}"), PASSWORD),
        ("[Interface]\nPrivateKey = {}", KEY),
        ("PresharedKey = {}", KEY),
        ("X-Auth-Token: {}", TOKEN),
        ("Ocp-Apim-Subscription-Key: {}", value(32, HEX)),
        ("Authorization: GenieKey {}", UUID),
        ("Cookie: theme=dark; sessionid={}; lang=de", TOKEN),
        ("sqlplus scott/{}@db:1521/ORCL", "w1nt3rF4lc0n66"),
        ("app:{}@tcp(10.0.0.1:3306)/shop", "f4lc0nR0ck3t20"),
        ("found the old deploy token {} in the history", TOKEN),
        ("datadog api key {} works", value(32, HEX)),
        ("{} is the staging token", TOKEN),
        ("echo '{}' | docker login -u ci --password-stdin", TOKEN),
        ("login with anna / {} on the box", MAPLE),
        ("I changed the password to {} today", "maple-Stone-42-otter"),
        ("Das Passwort habe ich auf {} geändert", MAPLE),
        ("le mdp c'est {}", MAPLE),
        ("la clave del servidor es {}", MAPLE),
        ("troquei a senha para {}", MAPLE),
        ("пароль от стенда {}", MAPLE),
        ("パスワードを「{}」に変更しました", MAPLE),
        ("비밀번호를 {}로 바꿨어요", MAPLE + "x"),
        ("路由器密码改成{}了", MAPLE),
        ("APIキーはこれです：{}", TOKEN),
        ("<password>{}</password>", PASSWORD),
        ("&lt;property name=&quot;password&quot; value=&quot;{}&quot;/&gt;", PASSWORD),
        ("define('DB_PASSWORD', '{}');", PASSWORD),
        ("- name: DB_PASSWORD\n  value: {}", PASSWORD),
        ('variable "db_password" {{\n  type = string\n  default = "{}"\n}}', PASSWORD),
        ("password:\n\n    {}\n\nthen restart", PASSWORD),
        ("The api key is\n{}\n", TOKEN),
        ("| user | password |\n|---|---|\n| ana | {} |", PASSWORD),
        ("service,secret\nerp,{}\n", TOKEN),
        ("recovery codes:\n{}", "513ba-2467d\nbfc8f-2dbb7\nc89cf-6720b\n"),
        ("enter this setup key: {}", "x2xq t5zy 4qkn qssv papf 2wxc engz ajlo"),
        ("mysql -u root -p{} shop", "QXDxENnN0IFt"),
    ],
)
def test_finds_secrets_of_any_vendor(frame: str, secret: str) -> None:
    text = frame.format(secret)
    (found,) = find_secrets(text)
    assert text[found.start : found.end] == secret


CHOSEN = "Orchid_" + "Violin" + "109"
WORDY = "raven." + "violin.puzzle" + "28"
GROUPED = "kWay-" + "ilE5-" + "wXos"


@pytest.mark.parametrize(
    ("frame", "secret"),
    [
        ("ich komm nicht auf die Box, PW ist {}, stimmt das noch?", "tundra" + "9131"),
        ("Passwort: „{}“ (bitte ändern)", CHOSEN),
        ("le mot de passe « {} »", CHOSEN),
        ("just type {} when it asks for the sudo password", GROUPED),
        ("his creds for staging → anna.k {}", CHOSEN),
        ("sign in as ana@acme.io using {} today", CHOSEN),
        ("PASSPHRASE={}", WORDY),
        ("unlock the keychain with {} first", WORDY),
        ('#define WIFI_PASS "{}"', CHOSEN),
        ('val dbPass: String = "{}"', CHOSEN),
        ("page.fill('#password', '{}')", CHOSEN),
        ("<th>API key</th><td><code>{}</code></td>", TOKEN),
        ('echo "postgres:{}" | chpasswd', CHOSEN),
        ("keytool -storepass {} -keystore a.jks", "walnut" + "3082"),
        ("impdp hr/{}@fin-scan:1522/FINP", "thunder" + "4550"),
        ("*:*:*:replicator:{}", GROUPED),
        ("xfreerdp /v:win10 /u:admin /p:{}", "violin" + "2605"),
        ("PWD={{{}}};", "N5wVE^U~PI3vZI^eOKcW"),
        ('"NewPassword": "{}"', "]47k/q" + "R2wHs8vT"),
        ("https://chat.acme.io/messages?key=public&token={}", TOKEN),
        ("https://open.acme.cn/bot/v2/hook/{}", UUID),
        ("https://d111.acme.net/v.mp4?Expires=17&Signature={}", value(86)),
        ("use rnd_{} for it", TOKEN),
        ('{{"kty":"EC","x":"1","d":"{}"}}', value(43)),
        ("deployer private key 0x{}", value(64, HEX)),
        ("\x1b[36;1mexport SNYK_TOKEN={}\x1b[0m", UUID),
        ("backup codes for the forge: {},", "25685502, 26552754, 40121724"),
    ],
)
def test_finds_secrets_in_any_wording(frame: str, secret: str) -> None:
    clean = redact(frame.format(secret))
    assert secret.removeprefix("0x") not in clean
    assert "REDACTED" in clean


@pytest.mark.parametrize(
    "text",
    [
        "in session `ses_2251ee12affetcy10YnkBnIZQC`, whose parent is not at hand",
        "(Mirror byte / 0x18FF00xx assumptions elsewhere are wrong for this unit.)",
        "v1 is single-pass, Layer-1-only path interpolation; the enumeration pass seeds the env with Layer-2",
        "  - `test_multibounce_rank1_equals_hebert` (PASS)",
        "- Pass: this 32-byte pre-hashed value as the nonce",
        "| dead letters | PASS | queue with 14-day retention |",
        "password only, with 8-character limit",
        "cannot pin `time=2020` over quarterly data",
        "ts=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)",
        "the creds (user name / app-password, `smtp.mail.example:587` with STARTTLS) are right",
        'the "#550 owned" phrase, "5-min timer"→OnUnitInactiveSec=1s',
        'the wording of the phrase, "retry-after 30", is checked',
    ],
)
def test_what_real_memories_say_of_passes_ids_and_formats_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        # A value that names itself: an address, encoded text, a file, a format, an id, a service.
        "contract 0x5FbDB2315678afecb367f032d93F642f64180aa3 (token: HARB)",
        "signing-key: 0x230A1B251E244322",
        f"Authorization: Bearer {JWT_HEAD}...",
        f'const token = "{encoded({"version": 5, "payload": {"is_tracked": True}})}"',
        "| PASS | `gates/M0-T027-G2.json` |",
        "keys in both locales, live run (`e2e/p10g-reports-vr.spec.ts`)",
        'perf="$PWD/dist/$(date -u +%Y%m%dT%H%M%SZ)-full"',
        "returns the key for userId=%s",
        f"event_key=evt_{value(32, HEX)}",
        f"session: cs_live_{value(58)}",
        "log in with Office365",
        "kubectl logs -t harbor-api-7f9c6d8b5c4d-x2k4q-migration-20251030",
        "blueskyRecordKey: 3mlkngj2bp225",
        # Another name is nearer: the last part of its own, of a list, of a clause, of a reference.
        "PASSWORD_HASHER=argon2id",
        "docker login --username AWS --password-stdin 662176997241.dkr.ecr.eu-north-1.amazonaws.com",
        "g3-reviewer-m0t036 / g4-engineer-m0t036 / g5-reviewer-m0t036 / dcv-m0t036",
        "the password screen renders, key handling is left to worker-4.",
        "Token rotation runs at 03:00, its last run was 89fb747f-c235-45d5-a288-a34ecc6f25a9.",
        "das Passwort auf web2 ist abgelaufen",
        "docker run -v ${PWD}:/project acme/markmap:1.0.0",
        "S3_SECRET_KEY=...\nS3_BUCKET=uploads",
    ],
)
def test_what_another_name_or_the_value_itself_explains_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("frame", "secret"),
    [
        ("FERRY_S3_SECRET={}", value(40)),
        ("  password: {}\n", "altes" + "Log.Buch9"),
        ("use user qa@acme.aero with password {} there", "Pelican" + ".dusk3"),
        ("login: demo-admin, pass: {}", "Demo!" + "Kraken31"),
        ("sudo-Passwort auf web2 ist jetzt {}, vorher war es leer", "pinguin" + "Parade_6"),
        ("login on the switch: netops / {}", "Zk4-" + "copperPair"),
        ("login mirjam:{}", "Tang." + "Wiese5"),
        ("Basic auth (ops / {})", "Kranich." + "Flug4"),
        ("username ops, password {}", "Tulip-" + "Field88"),
        ("we rotated the password, it's {} now", "Tulip-" + "Field88"),
        ("lösenordet till servern är {}", "Rönn." + "Skog12"),
        ("staging, basic auth `preview:{}`", "Vorhang-" + "auf-7"),
        ("The wifi at the office is Molenwacht, key {}", "fiets&" + "regen2024"),
        ("new app password: {}\n", "xlav ywlc " + "aarv hdym"),
        ("name,url,username,password\nNexus,https://nexus.acme.io,deployer,{}\n", "8Glocken" + "boje-x"),
        (f"client = Client('AC{value(32, HEX)}', '{{}}')", value(32, HEX, seed=9)),
        ("influx config create -n prod -t {} -a", value(86, seed=4)),
        ("cat /etc/rancher/k3s/token\n{}", f"K10{value(64, HEX)}::server:{value(32, HEX)}"),
        ("AZURE_STORAGE_KEY={}", value(86) + "=="),
        ("license key {}", "7KQ2W-XPLM9-" + "ZT4RV-8CNB6-YDJH3"),
        ("TWITTER_BEARER={}", "A" * 24 + value(80)),
        ("session={}", encoded({"iv": "x", "value": value(64)})),
    ],
)
def test_finds_secrets_whose_name_or_place_is_unusual(frame: str, secret: str) -> None:
    assert secret not in redact(frame.format(secret))


@pytest.mark.parametrize(
    "text",
    [
        f"SHA1 (token-service.jar) = {value(40, HEX)}",
        f"DB_PASSWORD=enc:v2:{KEY}",
        f'DATABASE_PASSWORD="encrypted:{KEY}"',
        f"the Workspace ID is `wrkspc_011{value(21)}`",
        f"price_1{value(23)} is the yearly plan",
        '"win32cred": "types-pywin32",',
        "login with the account service01, then open settings",
        "the password is hashed by sha256",
    ],
)
def test_digests_ids_and_names_near_a_label_stay(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("glue", ["' . '", '" & _\n  "', "', '"], ids=["php", "vb", "join"])
def test_glued_parts_are_one_secret(glue: str) -> None:
    parts = [value(14, seed=seed) for seed in (3, 4)]
    quote = glue[0]
    clean = redact(f"pw = [{quote}{glue.join(parts)}{quote}].join('')")
    assert not any(part in clean for part in parts)


def test_reads_full_width_letters() -> None:
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in "password=k4Tz9wQx7Lm2")
    assert redact(wide) == wide[:9] + "[REDACTED:password]"


@pytest.mark.parametrize(
    "glue", ["\n", '"\n    + "', "'\n    '", "\n  ", "\\\n"], ids=["wrapped", "plus", "implicit", "folded", "backslash"]
)
def test_a_value_over_several_lines_is_one_secret(glue: str) -> None:
    parts = [value(24, seed=seed) for seed in (3, 4, 5)]
    clean = redact(f'api_key = "{glue.join(parts)}"\nnext line')
    assert not any(part in clean for part in parts)
    assert clean.endswith("\nnext line")


@pytest.mark.parametrize("value", ["Walnut#Ferry62", "Wolke7!regnet", "Jabuti!Verde27"])
@pytest.mark.parametrize(
    "frame", ["new password for the jump box is {}, change it", "mot de passe root → {}", "密码是「{}」"]
)
def test_passwords_that_people_made_up_are_found_where_a_sentence_calls_them_so(frame: str, value: str) -> None:
    assert value not in redact(frame.format(value))


@pytest.mark.parametrize("value", ["Section#Title62", "C++20", "Issue#4711", "Q&A2024"])
def test_names_with_signs_stay_where_no_password_is_named(value: str) -> None:
    assert redact(f"see {value} in the docs") == f"see {value} in the docs"


def test_a_word_that_is_explained_in_brackets_is_no_label() -> None:
    assert find_secrets("Design polish pass (post-8-fix verification)") == []
    assert [found.kind for found in find_secrets("the wifi password (Winter-Kranich88) works")] == ["password"]


@pytest.mark.parametrize(
    "text",
    [
        "npm i some-password-lib@20.11.5",
        "password: usbctrl@7a10000",
        "DB_PASSWORD=admin-test-1",
        'AttributeOID.PASSWORD: "challengePassword"',
        "mongodb://<user>:<password>@cluster7.mongodb.net",
        "PWD=/srv/Maple-wQLfe",
        "first pass → V2Handler",
        "look for the phrase 'unknown version number' in the log",
        "steps for the key: open file name 2345 then save",
        "Pass the :class:`~jinja2.Environment` as the first argument",
        "password = settings.database2.main",
        "Wi-Fi: Acme-Guest5",
        "the password for sshd is sha512.",
        "app password structure 'payload:crc32'",
        "| key | 5f2b8c1e6d4a4e0b9a571c2d3e4f5a6b |",
        "| Env | Password |\n|---|---|\n| dev | env.DB_PASS2 |",
        "| Rule | Password policy |\n|---|---|\n| a | min-length-12 |",
        "| Column | Type |\n|---|---|\n| password | text |\n| created_at2 | ts |",
        "jwt.decode(\n  token,\n  jwt_secret,\n  algorithms=[_ALGORITHM2],\n)",
        'echo "PASS:  check-cross-feature-imports"',
        "use kebab-case-file-names-only as the password file prefix",
        "username, email, password hash_algo",
        'psk="your passphrase here"',
        "## Recovery codes\n\n- phase-2026",
        "openssl rand -base64 32\ndocker-compose.prod.yml",
        'secrets set TOKEN="$(openssl rand -base64 32)" -a api',
    ],
)
def test_names_versions_and_code_at_the_place_of_a_password_stay(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("frame", "secret"),
    [
        # Letters at random after a word, everyday words in a longer value, a sign before digits, a bracket at the end.
        ("TIDE_PASSWORD: {}", "Ahorn_" + "XqrGB"),
        ("ftp://mirror:{}@10.1.1.9/pub", "n0-longer-" + "admin-6"),
        ("新路由器的密码是{}，别外传", "Otter" + "@7731k"),
        ('SECRET_KEY = "{}"', value(44, ALNUM + "!#%^*-+", seed=21) + ")"),
        ("sshpass -p {} ssh root@10.0.0.4", "Basalt." + "Cliff4"),
        # Commands, calls and addresses with a place for a password.
        ("FERRYPASS={} ferry -e sync", "Lotse-" + "Anker"),
        ('dsn = "jobs:{}@tcp(10.9.0.5:3307)/jobs"', "Kanne_" + "PX4ULte"),
        ("new PDO('pgsql:host=pg;dbname=hr', 'hr', '{}')", "Quelle" + "Bach7"),
        ('jwt.encode({{ sub: id }}, "{}", "HS256")', TOKEN),
        ('hmac.new(b"{}", message, sha256)', TOKEN),
        ("ran /usr/bin/smbclient //files/tax -U ida%{}", "Laub-" + "Haufen3"),
        ("dsn=amqp%3A%2F%2Fjob%3A{}%40mq%2Fjobs", "Birne" + "RTLCVX"),
        ("postgres://web:{}@db/web", "gannet_" + "cove"),
        ('POSTGRES_PASSWORD="{}"', "9471" + "3380"),
        ("mysqldump --password {} shop", "KESTREL" + "88"),
        ('password: "{}"', "xqzt" + "vlpw"),
        ("smtp://mailer:{}@mail.acme.io:25", "Walnut@" + "2031"),
        ('creds = ("svc", "{}")', "Dugong+" + "reef6"),
        ("| api key | {} |", value(32, HEX)),
        # Words between a label and its value, or behind it.
        ("the password of the old scale is {}.", "clover" + "7"),
        ("le code wifi c'est {}", "Canard" + "Vert2019!"),
        ('trust.open(path, "{}".toCharArray()); // password of the store', "br1ck" + "wqnLTe"),
        ('vpn peer a pre-shared-key plain-text "{}"', "Fern1-" + "lomtQE"),
        ("today: printer pass → {}", "Segel+" + "Mast62"),
        ("login=ida pass={} port=21", "Stein" + "RwZuK"),
        ("Das Passwort für die Waage ist\n{}\n(bitte ändern)", "Winter-" + "Fisch-3"),
        ("new password\n{}", "Ptarm" + "igan78!"),
        ("Password for ana@ACME.IO: {}", "Merlin" + "6stone"),
        ("서버 패스워드를 {}(으)로 변경했습니다", "mandu" + "64Qq!"),
        ("WLAN-Schlüssel der Werkstatt: {}", value(20, string.digits, seed=5)),
        ("the passphrase of the old laptop was {} until May.", "saddle-" + "ribbon-gentle-oak"),
        ("use passphrase ```{}``` there", "kettle magnet " + "harbor 23"),
        ("no camera? put the key in yourself: {}", "xqp5 rkvw 6tzd c3hn w2gb kq7f dlzm 4rvj"),
        ("Seed-Liste (Wallet): {}", "ladder ocean crisp velvet garage noble tonic pencil rather dwarf hurdle simple"),
        ('variable "dns_token" {{\n  type = string\n  default = "{}"\n}}', TOKEN),
        # Columns of tables, assignments in quotes, what a command prints, words alone.
        ("| Dienst | Konto | Kennwort (neu) |\n|---|---|---|\n| wiki | ana | {} |", "Quitten." + "gelee4"),
        (" name | password\n------+----------\n ana  | {}\n(1 row)", "Moor." + "eule7"),
        ("dienst;benutzer;kennwort\nwiki;ana;{}", "Moor." + "eule7"),
        ('Environment="A=b" "MQ_PASSWORD={}"', "h4Weissdorn" + ".H4"),
        ("helm upgrade x --set db.auth.password={}", "weissdorn." + "Hecke8"),
        ('network={{\n  psk="{}"\n}}', "hagebutten " + "tee 19"),
        ('gh secret set COVERAGE --body "{}" --repo a/b', "842b3aa5-f6ed-46c4-" + "b597-39ce9be75f6a"),
        ("login `qa` / `{}`", "robbe63" + "Watt"),
        ("use {} as the passphrase, it unlocks the backup", "copper-violin-" + "heron-tundra"),
        ("Benutzer demo, Passwort {}", "knoedel_" + "montag"),
        ("mi pass de jenkins: {}", "pulpo." + "verde_27"),
        ("## Backup codes\n\n- {}", "k3f9-" + "x2m7"),
        ("⏺ Bash(pwgen -s 24 1)\n  ⎿  {}", value(24, seed=11)),
        ("$ pass show web/wiki\n{}", "weissdorn." + "Hecke8"),
    ],
)
def test_finds_passwords_at_places_that_only_hold_one(frame: str, secret: str) -> None:
    assert secret not in redact(frame.format(secret))


def test_words_that_are_joined_to_a_pin_are_part_of_it() -> None:
    assert (
        redact("ssh door-7, the service pin is 7714-pinecone") == "ssh door-7, the service pin is [REDACTED:password]"
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "the password is stored in the vault",
        "password fields: always masked",
        "passwords must have at least 12 characters",
        "keep the tests that pass: all",
        "the pinned version is 3.12",
    ],
)
def test_sentences_about_passwords_do_not_tell_one(sentence: str) -> None:
    assert not tells_password(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "the password of the box is purple-lamp",
        "remember: the wifi password is sunflower",
        "das Kennwort lautet Sonnenblume",
        "a senha do servidor é girassol",
        "пароль: подсолнух",
        "パスワードはひまわり",
        "비밀번호는 해바라기",
    ],
)
def test_a_password_of_plain_words_is_known_by_its_sentence(sentence: str) -> None:
    assert tells_password(sentence)
