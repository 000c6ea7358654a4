"""Secrets and look-alikes from templates that nobody saw who wrote the rules; all values are generated."""

import base64
import json
import string
import uuid
from collections.abc import Callable
from typing import Protocol

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
DASHED = ALNUM + "_-"
BASE64 = ALNUM + "+/"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
BASE58 = "".join(sorted(set(ALNUM) - set("0OIl")))


class Values(Protocol):
    """Where random values come from."""

    def take(self, count: int, alphabet: str = ...) -> str: ...

    def password(self) -> str: ...


# Tokens with a form of their own: where people leave them, what begins them, how long the rest is, of what.
_VENDORS: list[tuple[str, str, int, str]] = [
    ("$ export ANTHROPIC_API_KEY={}", "sk-" + "ant-api03-", 95, DASHED),
    ("CLAUDE_CODE_OAUTH_TOKEN: {}", "sk-" + "ant-oat01-", 95, DASHED),
    ("client = OpenAI(api_key='{}')", "sk-" + "proj-", 148, DASHED),
    ('openai.api_key = "{}"  # mine', "sk-" + "svcacct-", 148, DASHED),
    ("git clone https://x-access-token:{}@github.com/acme/shop.git", "gh" + "s_", 36, ALNUM),
    ("gh auth login --with-token <<< {}", "github" + "_pat_11", 80, ALNUM),
    ("::debug::using token {}", "gh" + "u_", 36, ALNUM),
    ("PRIVATE-TOKEN: {}", "gl" + "pat-", 20, DASHED),
    ("runner token is {} for the new box", "gl" + "rt-", 20, DASHED),
    ("[default]\naws_access_key_id = {}", "AK" + "IA", 16, string.ascii_uppercase + "234567"),
    ("temporary id {}", "AS" + "IA", 16, string.ascii_uppercase + "234567"),
    ("maps.googleapis.com/maps/api/js?key={}", "AI" + "za", 35, ALNUM),
    ('{{"client_secret":"{}"}}', "GOC" + "SPX-", 28, DASHED),
    ("Authorization: Bearer {}", "ya" + "29.a0", 120, DASHED),
    ("SLACK_BOT_TOKEN={}", "xo" + "xb-", 52, string.digits + string.digits + "-" + ALNUM),
    ("the user token {} expires", "xo" + "xp-", 72, string.digits + HEX),
    ("app level: {}", "xa" + "pp-1-A0", 90, ALNUM),
    ("stripe listen --api-key {}", "sk_" + "live_51", 96, ALNUM),
    ("restricted one: {}", "rk_" + "live_51", 96, ALNUM),
    ("STRIPE_WEBHOOK_SECRET={}", "wh" + "sec_", 32, ALNUM),
    ("//registry.npmjs.org/:_authToken={}", "npm" + "_", 36, ALNUM),
    ("twine upload -u __token__ -p {} dist/*", "pypi-" + "AgEIcHlwaS5vcmc", 150, DASHED),
    ("gem push --key {}", "ruby" + "gems_", 48, HEX),
    ("huggingface-cli login --token {}", "hf" + "_", 34, string.ascii_letters),
    ("REPLICATE_API_TOKEN={}", "r8" + "_", 37, ALNUM),
    ("groq: {}", "gs" + "k_", 52, ALNUM),
    ("x.ai key {}", "xa" + "i-", 80, ALNUM),
    ("doctl auth init -t {}", "dop" + "_v1_", 64, HEX),
    ("databricks configure --token {}", "da" + "pi", 32, HEX),
    ("vault login {}", "hv" + "s.CAESI", 92, DASHED),
    ('credentials "app.terraform.io" {{ token = "{}" }}', "Ab12Cd34Ef56Gh" + ".atlasv1.", 64, DASHED),
    ("SONAR_TOKEN: {}", "sq" + "p_", 40, HEX),
    ("docker login -u acme -p {}", "dckr" + "_pat_", 27, DASHED),
    ("grafana: {}", "gl" + "sa_", 41, ALNUM),
    ("SENTRY_AUTH_TOKEN={}", "sntr" + "ys_", 120, BASE64),
    ("jira token {} please rotate", "ATA" + "TT3xFfGF0", 170, DASHED),
    ("NOTION_KEY={}", "ntn" + "_", 46, ALNUM),
    ("linear: {}", "lin_" + "api_", 40, ALNUM),
    ("X-Figma-Token: {}", "fig" + "d_", 40, DASHED),
    ("tailscale up --authkey {}", "tskey-" + "auth-", 40, ALNUM),
    ("NEW_RELIC_API_KEY={}", "NR" + "AK-", 27, UPPER),
    ("SUPABASE_ACCESS_TOKEN={}", "sb" + "p_", 40, HEX),
    ("shopify theme push --password {}", "shp" + "at_", 32, HEX),
    ("AGE key file: {}", "AGE-" + "SECRET-KEY-1", 58, UPPER),
]

# Values without a form: what stands around them gives them away.
_AROUND: list[tuple[str, Callable[[Values], str]]] = [
    ("DATABASE_URL=postgres://shop_rw:{}@db-7.acme.cloud:5432/shop?sslmode=require", lambda v: v.take(22)),
    ("mongodb+srv://ingest:{}@cluster0.k3x9.mongodb.net/events", lambda v: v.take(18)),
    ("jdbc:mysql://10.0.4.7:3306/app?user=app&password={}&useSSL=true", lambda v: v.take(16)),
    ("CELERY_BROKER_URL: amqps://worker:{}@rabbit.acme.cloud/prod", lambda v: v.take(24)),
    ("Data Source=sql01;Initial Catalog=Shop;User ID=shop;Password={};", lambda v: v.password()),
    ("redis-cli -h cache.acme.cloud -a {} ping", lambda v: v.take(32)),
    ("PGPASSWORD={} psql -h db-7 -U shop_rw", lambda v: v.password()),
    ("docker run -e MYSQL_ROOT_PASSWORD={} mysql:8", lambda v: v.password()),
    ("kubectl create secret generic db --from-literal=password={}", lambda v: v.password()),
    ("helm upgrade shop . --set auth.adminPassword={}", lambda v: v.password()),
    ("curl -H 'X-Api-Key: {}' https://api.acme.cloud/v1/orders", lambda v: v.take(40)),
    ('curl -H "Authorization: token {}" https://git.acme.cloud/api', lambda v: v.take(40, HEX)),
    ("wget --user=ci --password={} https://files.acme.cloud/x", lambda v: v.password()),
    ("https://files.acme.cloud/r.csv?access_token={}", lambda v: v.take(48)),
    ("https://acme.blob.core.windows.net/c/f?sv=2024-01-01&sr=b&sig={}%3D", lambda v: v.take(43)),
    ("AZURE_CLIENT_SECRET={}", lambda v: v.take(3) + "8Q~" + v.take(34, DASHED + ".")),
    ("export AWS_SECRET_ACCESS_KEY={}", lambda v: v.take(40, BASE64)),
    ("aws_session_token = {}", lambda v: "IQoJb3JpZ2lu" + v.take(300, BASE64)),
    ("HCLOUD_TOKEN={}", lambda v: v.take(64)),
    ("CLOUDFLARE_API_TOKEN: {}", lambda v: v.take(40, DASHED)),
    ("DD_API_KEY={}", lambda v: v.take(32, HEX)),
    ("TWILIO_AUTH_TOKEN={}", lambda v: v.take(32, HEX)),
    ("SECRET_KEY = 'django-insecure-{}'", lambda v: v.take(50, ALNUM + "!@#%^&*(-_=+)")),
    ('JWT_SECRET: "{}"', lambda v: v.take(64, HEX)),
    ("  token: {}\n  user: ci", lambda v: v.take(36)),
    ('"refreshToken" : "{}",', lambda v: v.take(64, DASHED)),
    ("const API_KEY = `{}`;", lambda v: v.take(32)),
    ("db.acme.cloud:5432:shop:shop_rw:password={}", lambda v: v.password()),
    ("sshpass -p '{}' ssh root@10.0.4.9", lambda v: v.password()),
    ("the wifi password is {} (guest network)", lambda v: v.password()),
    ("login for the staging box: user deploy, password {}", lambda v: v.password()),
    ("use pw: {} until I rotate it", lambda v: v.password()),
    ("le mot de passe du serveur : {}", lambda v: v.password()),
    ("la contraseña es {}", lambda v: v.password()),
    ("пароль от стенда: {}", lambda v: v.password()),
    ("密码是 {}", lambda v: v.password()),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n-----END OPENSSH PRIVATE KEY-----", lambda v: v.take(210, BASE64)),
    ("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", lambda v: v.take(210, BASE64)),
    ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{}\n-----END PGP PRIVATE KEY BLOCK-----", lambda v: v.take(190, BASE64)),
    ("https://discord.com/api/webhooks/112233445566778899/{}", lambda v: v.take(68, DASHED)),
    ("https://hooks.slack.com/services/{}", lambda v: f"T{v.take(8, UPPER)}/B{v.take(10, UPPER)}/{v.take(24)}"),
    ("SENDGRID_API_KEY=SG.{}", lambda v: f"{v.take(22, DASHED)}.{v.take(43, DASHED)}"),
    ("X-Postman: PMAK" + "-{}", lambda v: f"{v.take(24, HEX)}-{v.take(34, HEX)}"),
    ("otpauth://totp/Acme:ci?secret={}&period=30", lambda v: v.take(32, string.ascii_uppercase + "234567")),
]


def make_secrets(values: Values) -> list[tuple[str, str]]:
    """Return texts and the part of each that must not survive redaction."""
    texts = []
    for frame, prefix, size, alphabet in _VENDORS:
        secret = prefix + values.take(size, alphabet)
        texts.append((frame.format(secret), secret))
    for frame, make in _AROUND:
        secret = make(values)
        texts.append((frame.format(secret), secret))
    token = "gh" + "p_" + values.take(36)
    auth = base64.b64encode(f"ci:{values.take(20)}".encode()).decode()
    manifest = base64.b64encode(f"GITHUB_TOKEN={token}".encode()).decode()
    head = base64.urlsafe_b64encode(b'{"alg":"RS256","kid":"k7"}').decode().rstrip("=")
    claims = base64.urlsafe_b64encode(json.dumps({"sub": values.take(12), "scope": "write"}).encode()).decode()
    jwt = f"{head}.{claims.rstrip('=')}.{values.take(86, DASHED)}"
    return [
        *texts,
        (f"Proxy-Authorization: Basic {auth}", auth),
        (f"  githubToken: {manifest}", manifest),
        (f"set-cookie: session={jwt}; HttpOnly", jwt),
        (f"{token[:20]}\u2060{token[20:]}", token[20:]),
        (f"?redirect=%2Fcb%3Ftoken%3D{token}", token),
        (json.dumps({"env": json.dumps({"T": f"{token}"})}), token),
    ]


def make_ids(values: Values) -> list[str]:
    """Return the ids and digests of which transcripts are full."""
    take = values.take
    ids = [
        f"{prefix}{take(24)}" for prefix in ("toolu_01", "msg_01", "req_011C", "srvtoolu_01", "call_", "resp_", "fc_")
    ]
    ids += [f"{prefix}_{take(24)}" for prefix in ("pi", "ch", "acct", "sub", "in", "file", "thread", "asst", "batch")]
    made = [str(uuid.UUID(hex=take(32, HEX), version=4)) for _ in range(6)]
    return [
        *ids,
        *made,
        f'"uuid":"{made[0]}","parentUuid":"{made[1]}","sessionId":"{made[2]}"',
        f'"signature":"{take(400, BASE64)}=="',
        f"traceparent: 00-{take(32, HEX)}-{take(16, HEX)}-01",
        f"commit {take(40, HEX)}",
        f"index {take(7, HEX)}..{take(7, HEX)} 100644",
        f"sha256:{take(64, HEX)}",
        f'checksum = "{take(64, HEX)}"',
        f"checksum: 10c0/{take(128, HEX)}",
        f"golang.org/x/net v0.31.0 h1:{take(43, BASE64)}=",
        f"integrity sha512-{take(86, BASE64)}==",
        f'resolved "https://registry.npmjs.org/a/-/a-1.0.0.tgz#{take(40, HEX)}"',
        f'ETag: "{take(32, HEX)}"',
        f"shop-api-{take(10, LOWER)}-{take(5, LOWER)}   1/1   Running",
        f"SHA256:{take(43, BASE64)} ines@laptop (ED25519)",
        f"01J{take(23, UPPER)}",
        f"Qm{take(44, BASE58)}",
        f"0x{take(40, HEX)}",
        f"cache key: deps-v3-{take(64, HEX)}",
        f"x-request-id: {take(32, HEX)}",
        f"data:image/png;base64,iVBORw0KGgo{take(300, BASE64)}",
        f"//# sourceMappingURL=data:application/json;base64,{base64.b64encode(b'x' * 60).decode()}",
    ]


def make_lookalikes(values: Values) -> list[str]:
    """Return other texts in which nothing is secret."""
    take = values.take
    return [
        f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{take(300, BASE64)} ines@laptop",
        f"-----BEGIN CERTIFICATE-----\nMIID{take(200, BASE64)}\n-----END CERTIFICATE-----",
        f"-----BEGIN PUBLIC KEY-----\nMIIB{take(200, BASE64)}\n-----END PUBLIC KEY-----",
        f"age1{take(58, LOWER)}",
        f"NEXT_PUBLIC_STRIPE_KEY=pk_live_51{take(90)}",
        f"token_id: {uuid.UUID(hex=take(32, HEX), version=4)}",
        f"arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop/db-{take(6)}",
        *_PLAIN,
    ]


_PLAIN = [
    "ANTHROPIC_API_KEY=sk-ant-...",
    "api_key: ${{ secrets.ANTHROPIC_API_KEY }}",
    'token = os.environ["GITHUB_TOKEN"]',
    "token: $(cat /run/secrets/token)",
    "password: !vault |",
    "password: {{ .Values.db.password }}",
    "PASSWORD=<redacted>",
    "API_TOKEN=your_token_here",
    "SECRET_KEY=change-me-in-production",
    "--password-stdin is safer than --password",
    "docker login -u $USER -p $TOKEN",
    'curl -H "Authorization: Bearer $TOKEN" https://api.acme.cloud',
    "mongodb://localhost:27017/shop",
    "postgres://postgres:postgres@db:5432/postgres",
    "redis://:@localhost:6379/0",
    "amqp://guest:guest@rabbit//",
    "ghp_[A-Za-z0-9]{36}",
    "matches /^xox[bpars]-[0-9a-zA-Z-]+$/",
    "sk_test_... and sk_live_... are different modes",
    'def get_token(user_id: int, password: str = "") -> str:',
    "if (token === undefined) throw new TokenError2('missing')",
    "const secret = await getSecretValue({ SecretId: 'shop/db' })",
    "password_hash = argon2.hash(password)",
    "auth.token.refreshInterval = 3600000",
    "tokenizer: cl100k_base, max_tokens: 128000",
    "input_tokens: 81234, cache_creation_input_tokens: 5120",
    "The token expires after 90 days, then ask Ines.",
    "never log the password or the session token",
    "please rotate the api key in 1Password (vault: Platform, item: shop-prod-2)",
    "the secret is called shop-db-credentials-v2",
    "secretKeyRef: {name: db-creds, key: password}",
    "imagePullSecrets: [{name: registry-acme-2}]",
    "passwordless sudo is on for ci2",
    "el password debe tener 12 caracteres",
    "das Passwort muss 12 Zeichen haben",
    "密码长度至少为12位",
    "csrf_token is set by middleware2",
    "keyboard shortcut: ctrl+shift+p",
    "id_token_signed_response_alg=RS256",
    "grant_type=client_credentials&scope=orders.read",
    "AKIA" + "IOSFODNN7EXAMPLE is the one from the docs",
    "password: ''",
    "password: null",
    "Password: [hidden]",
    'token: ""  # set by CI',
    "DB_PASSWORD_FILE=/run/secrets/db_password_2",
    "set GITHUB_TOKEN in Settings > Secrets",
    "eyJ is how every JWT begins",
    "https://user@git.acme.cloud/shop.git",
    "ssh -i ~/.ssh/id_ed25519_2 root@10.0.4.9",
    "test_login_with_wrong_password_returns_401",
    "src/auth/token_store_v2/refresh_token.py",
    "commit -m 'Rotate secrets (SHOP-1234)'",
    "API key format: 32 hexadecimal characters",
    "pwd: /home/ines/work/shop2",
    "echo $PWD; pwd=/srv/app1",
]
