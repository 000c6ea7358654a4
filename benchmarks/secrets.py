"""Measure precision, recall and speed of the secret scan on generated secrets and look-alikes.

Run as `python -m benchmarks.secrets`. All values are generated, so that no scanner flags this file. Other engines are
measured beside ours if they are installed: `pip install detect-secrets kingfisher-bin`.
"""

import base64
import contextlib
import importlib
import importlib.util
import json
import random
import shutil
import string
import subprocess
import tempfile
import time
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks import secrets_fresh
from memci.redaction.secrets import find_secrets, redact

SEEDS = range(5)
FRESH_SEEDS = range(100, 105)
ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"


class Source:
    """Random values of the alphabets that secrets use."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - generated on purpose, the same for the same seed

    def take(self, count: int, alphabet: str = ALNUM) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(count))

    def password(self) -> str:
        """Return what a password manager suggests: 14 characters, of every class."""
        fixed = [self.random.choice(kind) for kind in (string.ascii_lowercase, string.ascii_uppercase, string.digits)]
        letters = [*fixed, self.random.choice("!#%*+-?"), *self.take(10)]
        self.random.shuffle(letters)
        return "x" + "".join(letters)


VENDORS = {
    "sk-" + "ant-api03-": (93, ALNUM + "_-"),
    "sk-" + "ant-admin01-": (86, ALNUM + "_-"),
    "sk-" + "ant-oat01-": (93, ALNUM + "_-"),
    "sk-" + "ant-ort01-": (93, ALNUM + "_-"),
    "sk-" + "proj-": (120, ALNUM + "_-"),
    "gh" + "p_": (36, ALNUM),
    "gh" + "o_": (36, ALNUM),
    "gh" + "s_": (36, ALNUM),
    "github" + "_pat_": (82, ALNUM),
    "gl" + "pat-": (20, ALNUM),
    "AK" + "IA": (16, UPPER),
    "AI" + "za": (35, ALNUM),
    "GOC" + "SPX-": (28, ALNUM),
    "xo" + "xb-": (50, string.digits[:3] + ALNUM),
    "sk_" + "live_": (24, ALNUM),
    "npm" + "_": (36, ALNUM),
    "pypi-" + "AgEIcHlwaS5vcmc": (130, ALNUM),
    "hf" + "_": (34, string.ascii_letters),
    "dapi" + "": (32, HEX),
    "dop" + "_v1_": (64, HEX),
    "dp." + "pt.": (43, ALNUM),
    "shp" + "at_": (32, HEX),
    "sq0" + "atp-": (22, ALNUM),
    "lin_" + "api_": (40, ALNUM),
    "ntn" + "_": (46, ALNUM),
    "hv" + "s.": (90, ALNUM),
    "dckr" + "_pat_": (27, ALNUM),
    "sntr" + "yu_": (64, HEX),
    "gs" + "k_": (52, ALNUM),
    "key" + "-": (32, HEX),
}


def make_secrets(source: Source) -> list[tuple[str, str]]:
    """Return texts and the part of each that must not survive redaction."""
    take = source.take
    vendors = [prefix + take(count, alphabet) for prefix, (count, alphabet) in VENDORS.items()]
    frames = ("cloned it with {}", "`{}` works for reading", "| key | {} |", '{{"t": "{}"}}', "use {}, then retry")
    texts = [(frames[number % len(frames)].format(value), value) for number, value in enumerate(vendors)]
    shapes: list[tuple[str, Callable[[], str]]] = [
        ("SG.{0}", lambda: take(22) + "." + take(43)),
        ("bot {0}", lambda: take(9, "3579") + ":AA" + take(33)),
        ("https://hooks.slack.com/services/{0}", lambda: f"T{take(9, UPPER)}/B{take(9, UPPER)}/{take(24)}"),
        ("postgresql://app:{0}@db.internal.acme.io:5432/app", lambda: take(16)),
        ("redis://:{0}@cache.acme.io:6379", lambda: take(20)),
        ("amqp://svc:{0}@localhost/vhost", source.password),
        ("Authorization: Bearer {0}", lambda: take(44)),
        ("curl -u deploy:{0} https://acme.io", lambda: take(14)),
        ("machine git.acme.io login ci password {0}", lambda: take(18)),
        ("otpauth://totp/acme:ana?secret={0}&issuer=acme", lambda: take(32, UPPER)),
        ("DB_PASSWORD={0}", source.password),
        ("  password: '{0}'", source.password),
        ("api_key: {0}", lambda: take(32, HEX)),
        ("export ACME_TOKEN={0}", lambda: take(40)),
        ('client_secret = "{0}"', lambda: take(30)),
        ("Server=db;User Id=sa;Password={0};Encrypt=true", lambda: take(14)),
        ("AccountKey={0};EndpointSuffix=core.windows.net", lambda: take(86, ALNUM + "+/") + "=="),
        ("aws_secret_access_key = {0}", lambda: take(40, ALNUM + "+/")),
        ("mysql --password={0} -h db", lambda: take(15)),
        ("deploy --api-token {0}", lambda: take(28)),
        ("The password of the demo box is {0}. Ask Ines.", source.password),
        ("root passphrase for the backup disk: {0}", source.password),
        ("Das Passwort lautet {0}", source.password),
        ("パスワードは {0}", source.password),
        ("-----BEGIN EC PRIVATE KEY-----\n{0}\n-----END EC PRIVATE KEY-----", lambda: take(160, ALNUM + "+/")),
        (
            '"private_key": "-----BEGIN PRIVATE KEY-----\\n{0}\\n-----END PRIVATE KEY-----"',
            lambda: take(160, ALNUM + "+/"),
        ),
    ]
    for frame, make in shapes:
        value = make()
        texts.append((frame.format(value), value))
    return texts + _wrapped(source, vendors[5])


def _wrapped(source: Source, token: str) -> list[tuple[str, str]]:
    encoded = base64.b64encode(f"token={token}\n".encode()).decode()
    twice = base64.b64encode(encoded.encode()).decode()
    percent = "".join(f"%{ord(letter):02X}" for letter in token[:8]) + token[8:]
    basic = base64.b64encode(f"svc:{source.take(14)}".encode()).decode()
    claims = base64.urlsafe_b64encode(json.dumps({"sub": source.take(9)}).encode()).decode().rstrip("=")
    jwt = f"ey{'J'}hbGciOiJIUzI1NiJ9.{claims}.{source.take(43)}"
    return [
        (f"data: {encoded}", encoded),
        (f"data: {twice}", twice),
        (f"https://acme.io/?t={percent}", percent),
        (f"x {token[:9]}\u200b{token[9:]}", token[9:]),
        (f'"{token[:12]}" + "{token[12:]}"', token[12:]),
        (json.dumps({"text": f'say "{token}"\n'}), token),
        (f"Authorization: Basic {basic}", basic),
        (f"cookie {jwt}", jwt),
    ]


def make_lookalikes(source: Source) -> list[str]:
    """Return texts in which nothing is secret."""
    take = source.take
    ids = [f"{prefix}_01{take(22)}" for prefix in ("toolu", "msg", "req", "chatcmpl", "run", "evt", "cus", "price")]
    hashes = [
        take(40, HEX),
        f"sha256:{take(64, HEX)}",
        f'"integrity": "sha512-{take(86)}=="',
        f"commit {take(12, HEX)}",
    ]
    hashes += [
        f"h1:{take(43)}=",
        f"etag: W/{take(32, HEX)}",
        f"image@sha256:{take(64, HEX)}",
        f"--hash=sha256:{take(64, HEX)}",
    ]
    made = [str(uuid.UUID(int=source.random.getrandbits(128), version=4)) for _ in range(4)]
    public = [
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{take(43)} ana@acme",
        f"pk_{'test'}_{take(24)}",
        f"pk_{'live'}_{take(24)}",
    ]
    public += [f"https://{take(32, HEX)}@o1.ingest.sentry.io/42", f"ph{'c'}_{take(43)}", f"tenant id {made[0]}"]
    return [
        *ids,
        *hashes,
        *made,
        *public,
        *_PLAIN,
        f"data:image/png;base64,iVBORw0KGgo{take(120)}",
        urllib.parse.quote(_PLAIN[0]),
    ]


_PLAIN = [
    "API_KEY=<your-api-key>",
    "export TOKEN=xxxxxxxxxxxxxxxxxxxx",
    "password: ${DB_PASSWORD}",
    "password = os.environ['DB_PASSWORD']",
    "const token = process.env.API_TOKEN2",
    "token: {{ secrets.DEPLOY_TOKEN }}",
    "password: ********",
    "secret: [REDACTED:api-key]",
    "postgres://postgres:postgres@localhost:5432/test",
    "postgres://user:password@localhost/db",
    "https://user:pass@example.com/",
    "https://x-access-token:${TOKEN}@github.com/acme/app",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "password: string",
    "password: str | None = None",
    "password=get_password()",
    "token = await createToken2(user)",
    "def login(user: str, password: str) -> Session2:",
    "The password must have 12 characters.",
    "The password policy asks for 16 characters, token lifetime is 3600 seconds.",
    "Passwords are hashed with argon2id, m=65536.",
    "api keys are stored in the vault under `kv/payments/v2`",
    "token_endpoint: https://auth.acme.io/oauth2/v2.0/token",
    "secretName: payments-prod-tls-v2",
    "max_tokens=200000 and token budget: 25000",
    "the secret is in `projects/4711/secrets/db-main/versions/3`",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $GITHUB_TOKEN",
    "curl -u user:password https://acme.io",
    "curl -u $USER:$PASS https://acme.io",
    "`--password PASSWORD` is read from stdin",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "sk-ant-api03-... goes into the vault",
    "tokens start with `ghp_` or `github_pat_`",
]


# Tells of each text whether something is reported in it.
Engine = Callable[[Sequence[str]], list[bool]]


def report_ours(texts: Sequence[str]) -> list[bool]:
    return [bool(find_secrets(text)) for text in texts]


@contextlib.contextmanager
def written(texts: Sequence[str]) -> Iterator[list[str]]:
    """Write one file for each text."""
    with tempfile.TemporaryDirectory() as directory:
        paths = [Path(directory) / f"{number:04}.txt" for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        yield list(map(str, paths))


def report_by_detect_secrets(texts: Sequence[str]) -> list[bool]:
    scan = importlib.import_module("detect_secrets.core.scan")
    with written(texts) as paths, importlib.import_module("detect_secrets.settings").default_settings():
        return [bool(list(scan.scan_file(path))) for path in paths]


def report_by_kingfisher(texts: Sequence[str]) -> list[bool]:
    """Scan without asking anybody whether what was found still works."""
    with written(texts) as paths:
        options = ["--no-validate", "--no-dedup", "--git-history", "none", "--format", "json"]
        command = ["kingfisher", "scan", str(Path(paths[0]).parent), *options]
        out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        findings = json.loads(next(line for line in out.split("\n") if line.startswith('{"findings":[')))["findings"]
        found = {finding["finding"]["path"] for finding in findings}
        return [path in found for path in paths]


def list_engines() -> dict[str, Engine]:
    engines: dict[str, Engine] = {"memci": report_ours}
    if importlib.util.find_spec("detect_secrets"):
        engines["detect-secrets"] = report_by_detect_secrets
    if shutil.which("kingfisher"):
        engines["kingfisher"] = report_by_kingfisher
    return engines


def compare() -> None:
    """Print a row for each engine; whatever the others report in a text with a secret counts as found."""
    sources = [Source(seed) for seed in FRESH_SEEDS]
    secrets = [pair for source in sources for pair in secrets_fresh.make_secrets(source)]
    ids = [text for source in sources for text in secrets_fresh.make_ids(source)]
    others = [text for source in sources for text in secrets_fresh.make_lookalikes(source)]
    plain = make_prose()
    print(f"\n{len(secrets)} secrets, {len(ids)} ids and digests, {len(others)} other look-alikes\n")
    print("| | found | recall | ids reported | others reported | precision | s for all | s for 1 MB |")
    print("|---|---|---|---|---|---|---|---|")
    for name, engine in list_engines().items():
        start = time.perf_counter()
        found = sum(engine([text for text, _ in secrets]))
        wrong_ids, wrong = sum(engine(ids)), sum(engine(others))
        middle = time.perf_counter()
        engine([plain])
        end = time.perf_counter()
        precision = found / max(1, found + wrong_ids + wrong)
        shares = f"{found / len(secrets):.3f} | {wrong_ids} | {wrong} | {precision:.3f}"
        print(f"| {name} | {found} | {shares} | {middle - start:.2f} | {end - middle:.2f} |")
    missed = [text for text, value in secrets if value in redact(text)]
    print(f"\nredacted by memci: {len(secrets) - len(missed)}")
    for text in missed:
        print(f"  missed: {text[:100]!r}")


def make_prose() -> str:
    return "".join(
        f"Build {number} is green, the fox jumps over `src/app/module_{number}.py`.\n" for number in range(16_000)
    )


def measure(seed: int) -> tuple[int, int, int, int]:
    """Return secrets, secrets that do not survive redaction, look-alikes, and look-alikes that were reported."""
    source = Source(seed)
    secrets, lookalikes = make_secrets(source), make_lookalikes(source)
    missed = [text for text, value in secrets if value in redact(text)]
    wrong = [text for text in lookalikes if find_secrets(text)]
    for text in missed:
        print(f"  missed: {text[:100]!r}")
    for text in wrong:
        print(f"  wrong:  {text[:100]!r}")
    return len(secrets), len(secrets) - len(missed), len(lookalikes), len(wrong)


def main() -> None:
    """Print one line for each seed of the first set, then the engines side by side on the second."""
    for seed in SEEDS:
        total, caught, others, wrong = measure(seed)
        print(f"seed {seed}: recall {caught}/{total} = {caught / total:.3f}, false alarms {wrong}/{others}")
    compare()


if __name__ == "__main__":
    main()
