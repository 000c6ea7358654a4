from tests.citations.scripted import Files, make_tests

BEFORE: Files = {
    "src/settings.py": (
        "import os\n\nURL = os.environ['BILLING_WEBHOOK_URL']\n"
        "KEEP = os.environ['KEEP_THIS_URL']\nRETRY_LIMIT_MAX = 3\n"
    ),
    "web/env.ts": "export const key = process.env.OLD_API_HOST;\n",
    "deploy/compose.yml": "services:\n  app:\n    environment:\n      - ONLY_IN_COMPOSE=1\n",
}
AFTER: Files = {
    "src/settings.py": "import os\n\n# BILLING_WEBHOOK_URL is not read any more\nKEEP = os.environ['KEEP_THIS_URL']\n",
    "web/env.ts": "export const key = 'x';\n",
    "README.md": "Set BILLING_WEBHOOK_URL first.\n",
}
GONE = "is gone: removed in <step 1> on 2026-11-01 (step 1)"

LEFT_ALONE = [
    "Set `KEEP_THIS_URL`, or `KEEP_THIS_URL=x`.",
    "Set in the file of a service: `ONLY_IN_COMPOSE`.",
    "Of the system: `XDG_CONFIG_HOME`, `$HOME`, `PATH`.",
    "Never there: `MOON_BASE_URL`.",
    "`BILLING_WEBHOOK_URL` was removed.",
    "There is no `BILLING_WEBHOOK_URL`.",
    "~~Set `BILLING_WEBHOOK_URL`.~~",
    "Placeholders: `YOUR_API_KEY`, `FOO`.",
]

REPORTED = [
    ("Set `BILLING_WEBHOOK_URL` first.", 1, f"BILLING_WEBHOOK_URL {GONE}"),
    ("\nSet `BILLING_WEBHOOK_URL=on`.", 2, f"BILLING_WEBHOOK_URL {GONE}"),
    ("Run `BILLING_WEBHOOK_URL=x python src/settings.py`.", 1, f"BILLING_WEBHOOK_URL {GONE}"),
    ("The host is `process.env.OLD_API_HOST`.", 1, f"OLD_API_HOST {GONE}"),
    ("A constant: `RETRY_LIMIT_MAX`.", 1, f"RETRY_LIMIT_MAX {GONE}"),
]


test_leaves_alone, test_reports = make_tests("env-missing", BEFORE, LEFT_ALONE, REPORTED, AFTER)
