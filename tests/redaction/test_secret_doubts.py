"""What may be a secret is taken out of what people say, and is no finding in what they keep."""

import pytest

from memci.redaction.secrets import find_secrets, redact

DOUBTS = [
    # In the sentence, whatever its language: linked, beside, set off by quotes, or odd enough.
    ("lösenordet till kiosken är {}", "Ekorre-Hopp31"),
    ("mật khẩu của máy in là {} nhé", "banhmi_trung_5"),
    ("كلمة المرور للطابعة هي {} شكرا", "Zaytoun@1987"),
    ("הסיסמה למדפסת היא {}", "Etrog_Lulav6"),
    ("รหัสผ่านของเครื่องพิมพ์คือ {}", "mamuang#12"),
    ("ο κωδικός είναι {}", "Elia&Feta19"),
    ("контора дала пароль от склада {}, не теряй", "Zhuravlik_58"),
    ("数据库口令是{},别外传", "Mogu@886"),
    ("Passwords need a digit here, that's why I chose “{}” for the tablet.", "Ofenkartoffel8"),
    ("j'ai mis « {} » comme mot de passe", "moulin vert 41"),
    ("unlock it with the passphrase ({})", "cobalt turnip lantern ferry"),
    ("sign in as kim / {} please", "Fjord&Falke20"),
    ("ssh kim@kiosk, password is {}, then look at the log", "cinnamon"),
    ("the gate code is {}", "7730#"),
    # Below it.
    ("Kennwort\n{}", "Murmeltier_3"),
    ("[08:30] ina: whats the nas pw again\n[08:31] ole: {}\n[08:31] ina: ty", "otter.on.ice"),
    ("Q: what is the passphrase of the disk?\nA: {}", "amber gravel piston wreath"),
    ("HOST       USER     KENNWORT\nsw-1       adm      Molch!48\nsw-2       adm      {}", "Unke?513"),
    # Misspelled.
    ("the passwrod of the kiosk is {}", "Otterbau_52"),
    # What a name assigns, whatever it is.
    ("DB_USER=app\nDB_PASSWORD={}", "caterpillar"),
    ("define('SMTP_PASSWORD', '{}');", "Toast,7pm"),
    ('{{"user": "app", "password": "{}"}}', "salt;pepper,2"),
    ("DRIVER=x;UID=app;PWD={{{}}}", "semi;colon"),
    ("snmpget -v3 -u m -a SHA -A Pa1nt.Drying.Slow -x AES -X {} 10.1.1.1 sysName", "gra55.is.green"),
    ("return l.Bind('cn=app,dc=acme', '{}')", "Ink&Paper"),
    ("FTP: PASS {}", "gr33n.plums"),
    # Random, and nothing that names it.
    ("the old one is dead, the new one is {}", "5e0c9a3b7d1f48620b9e6a4c2d8f7153"),
    ("https://mainnet.chain.acme.io/v3/{}", "5e0c9a3b7d1f48620b9e6a4c2d8f7153"),
    ("login ok session_id={} ip=10.1.1.4", "8D1E5B0A94C7423F9E60B2D7A1C35F48"),
]


@pytest.mark.parametrize(("frame", "secret"), DOUBTS)
def test_a_doubt_is_redacted_once(frame: str, secret: str) -> None:
    clean = redact(frame.format(secret))
    assert secret not in clean
    assert redact(clean) == clean


@pytest.mark.parametrize("number", [1, 8, 10, 15, 19, 26])
def test_a_doubt_is_no_finding(number: int) -> None:
    frame, secret = DOUBTS[number]
    text = frame.format(secret)
    assert find_secrets(text) == []
    assert find_secrets(text, doubtful=True) != []
    assert redact(text, certain=True) == text


@pytest.mark.parametrize(
    "text",
    [
        # Machines, services, places, versions, tickets and examples.
        "the password for web-prod-2 is in the vault, entry Team-Infra7",
        "пароль лежит в хранилище, запись Otdel-IT7",
        "das Passwort auf web2 ist abgelaufen",
        "Passwörter wie „Herbst2021“ lehnt das Formular ab",
        "log in with Office365",
        "login works on iOS17 since v2.3.1, see PROJ-1423",
        "should a password be argon2id or SHA-256?",
        "4c1d90e7b (HEAD -> main) rename the password form",
        "GHSA-8r3f-q2vx-77mp is about tokens of the http client",
        "the password is never-to-be-logged",
        # Results, verbs and pins of other things.
        "PASS src/login2.spec.ts\nfirst pass: Lexer9",
        "pin to 20240101",
        # Code, references, types, translations, encrypted values.
        'if (password1 !== "" && hash2(password1)) {',
        "username, password = proxy_auth",
        "password: Optional[Text2] = None",
        "password: {{ .Values.db.password | b64enc }}",
        "DB_PASSWORD=${DB_PASS:?must be set}",
        "password=パスワード\nlabel.password=Wachtwoord",
        'DB_PASSWORD="encrypted:RXx2nznYZEGZwOW9vPvIWzfOkcveH8Gw6mtE8TBDbdc="',
        'if line.startswith("-----BEGIN OPENSSH PRIVATE KEY-----"):\n    raise ValueError("refusing a private key")',
        # Random, and named.
        "the trace of the failing run is 7d3f1c2a9b8e4f60a1d2c3b4e5f60718",
        "the token bug was fixed in 52a1850806116d13af96f0d4214d29a58103a659",
        # A question without an answer, a table of something else.
        "kim: where is the token kept?\nray: in Vault, below kv/team2/app1",
        "OPTION    KEY     NOTE\n--fast    F10     since 2.4\n--slow    F11     old",
    ],
)
def test_what_its_form_explains_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("unit", ["a ", "word (", "один, ", "x-", "“a b ", "\n", "Ab1 : "])
def test_long_texts_take_linear_time(unit: str) -> None:
    # The time limit of a test ends what takes longer; nothing around the words is lost.
    told = redact("begin password " + unit * 20_000 + "\npassword\n" + unit * 20_000 + "\nend")
    assert told.startswith("begin password")
    assert told.endswith("\nend")
