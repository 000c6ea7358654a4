from tests.citations.scripted import Files, Told, make_tests, tell

BEFORE: Files = {
    "src/client.py": (
        "MAX_RETRIES = 5\nLIMIT: int = 1_000\nTIMEOUT = 5 * 60\nWAIT = 30\nTWICE = 1\nTWICE = 2\n"
        'MODEL = "fast-1"\nALIAS = "small"\nKEPT = 7\nDEBUG = False\n'
    ),
    "config/app.yml": "server:\n  port: 8080\n  host: localhost\n  grace: 30s\n",
    "package.json": '{"version": "1.4.2",\n"dependencies": {\n"react": "^18.2.0",\n"left-pad": "1.0.0"\n}}\n',
    "other/client.ts": "export const MAX_DEPTH = 4;\n",
    "one/limits.py": "DEEP = 1\n",
    "two/limits.py": "DEEP = 1\n",
}
AFTER: Files = {
    "src/client.py": (
        "MAX_RETRIES = 8\nLIMIT: int = 2_000\nTIMEOUT = 9 * 60\nWAIT = read('wait')\nTWICE = 3\nTWICE = 4\n"
        'MODEL = "large-2"\nALIAS = MODEL\nKEPT = 7\nDEBUG = True\n'
    ),
    "config/app.yml": "server:\n  port: 9090\n  host: localhost\n  grace: 30000ms\n",
    "package.json": '{"version": "2.0.0",\n"dependencies": {\n"react": "^19.1.0",\n"left-pad": "1.0.0"\n}}\n',
    "other/client.ts": "export const MAX_DEPTH = 6;\n",
    "one/limits.py": "DEEP = 2\n",
    "two/limits.py": "DEEP = 2\n",
}
SINCE = "changed in <step 1> on 2026-11-01 (step 1)"

LEFT_ALONE = [
    "`KEPT` is 7 in `src/client.py`, and `host` is `localhost`.",
    # Never so, not even when it was written.
    "`MAX_RETRIES` is 3 in `src/client.py`.",
    "There are 12 tests in `src/client.py`, and `MAX_RETRIES` has 2 users.",
    # Without its place, or with two.
    "`MAX_RETRIES` is 5.",
    "`MAX_RETRIES` is 5 in `src/client.py`, as in `other/client.ts`.",
    # Computed, given twice, or in a file that is there twice.
    "`TIMEOUT` is 5 in `src/client.py`.",
    "`WAIT` is 30 in `src/client.py`.",
    "`ALIAS` is `small` in `src/client.py`.",
    "`TWICE` is 1 in `src/client.py`.",
    "`DEEP` is 1 in `limits.py`.",
    # The same time in another unit.
    "`grace` is 30 in `config/app.yml`, and `grace` is 30s.",
    # History, plans and denials.
    "`MAX_RETRIES` was 5 in `src/client.py` until May.",
    "TODO: set `MAX_RETRIES` to 5 in `src/client.py`.",
    "`MAX_RETRIES` is not 5 in `src/client.py`.",
]

REPORTED = [
    ("`MAX_RETRIES` is 5 in `src/client.py`.", 1, f"MAX_RETRIES is 8 in src/client.py now, not 5: {SINCE}"),
    ("\n`src/client.py` has `MAX_RETRIES = 5`.", 2, f"MAX_RETRIES is 8 in src/client.py now, not 5: {SINCE}"),
    ("| `MAX_RETRIES` | 5 | `src/client.py` |", 1, f"MAX_RETRIES is 8 in src/client.py now, not 5: {SINCE}"),
    ("`LIMIT` liegt bei 1,000 in `src/client.py`.", 1, f"LIMIT is 2_000 in src/client.py now, not 1,000: {SINCE}"),
    ('`MODEL` is "fast-1" in `src/client.py`.', 1, f"MODEL is large-2 in src/client.py now, not fast-1: {SINCE}"),
    ("`DEBUG` is `False` in `src/client.py`.", 1, f"DEBUG is True in src/client.py now, not False: {SINCE}"),
    (
        "The server listens on port 8080 (`config/app.yml`).",
        1,
        f"port is 9090 in config/app.yml now, not 8080: {SINCE}",
    ),
    ("We ship version 1.4.2, see `package.json`.", 1, f"version is 2.0.0 in package.json now, not 1.4.2: {SINCE}"),
    ("Uses `react` 18 (`package.json`).", 1, f"react is ^19.1.0 in package.json now, not 18: {SINCE}"),
    ("`MAX_DEPTH` (4) in `other/client.ts`.", 1, f"MAX_DEPTH is 6 in other/client.ts now, not 4: {SINCE}"),
]


test_leaves_alone, test_reports = make_tests("value-changed", BEFORE, LEFT_ALONE, REPORTED, AFTER)


def test_names_the_commit_that_changed_the_value_not_the_last_edit() -> None:
    later: Files = {"src/client.py": "# moved down\nMAX_RETRIES = 8\n"}
    body = "`MAX_RETRIES` is 5 in `src/client.py`."
    assert tell(BEFORE, [body], AFTER, later)[body] == [
        Told("value-changed", 1, f"MAX_RETRIES is 8 in src/client.py now, not 5: {SINCE}")
    ]
