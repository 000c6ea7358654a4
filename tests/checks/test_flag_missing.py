from tests.citations.scripted import Files, make_tests

BEFORE: Files = {
    "cli/parse.py": "parser.add_argument('--legacy-auth')\nparser.add_argument('--keep-me')\n",
    "cli/typed.py": "import typer\n\n\ndef run(max_rows: int, keep_rows: int) -> None: ...\n",
    "cli/click_app.py": "@click.option('--old-format', is_flag=True)\n@click.option('--new-format')\ndef app(): ...\n",
    "src/args.rs": (
        "#[derive(Parser)]\nstruct Args {\n    #[arg(long)]\n    fast_path: bool,\n"
        "    #[arg(long)]\n    verbose: bool,\n    #[arg(long)]\n    slow_path: bool,\n}\n"
    ),
    "cmd/root.go": (
        'package cmd\n\nfunc init() {\n\tflags().String("token-file", "", "")\n'
        '\tflags().Bool("keep-going", false, "")\n}\n'
    ),
}
AFTER: Files = {
    "cli/parse.py": "parser.add_argument('--keep-me')\n",
    "cli/typed.py": "import typer\n\n\ndef run(keep_rows: int) -> None: ...\n",
    "cli/click_app.py": "# --old-format is not read any more\n@click.option('--new-format')\ndef app(): ...\n",
    "src/args.rs": (
        "#[derive(Parser)]\nstruct Args {\n    #[arg(long)]\n    verbose: bool,\n"
        "    #[arg(long)]\n    slow_path: bool,\n}\n"
    ),
    "cmd/root.go": 'package cmd\n\nfunc init() {\n\tflags().Bool("keep-going", false, "")\n}\n',
}
GONE = "is gone: removed in <step 1> on 2026-11-01 (step 1)"

LEFT_ALONE = [
    "Start with `--keep-me`, `--keep-rows`, `--new-format`, `--slow-path`, `--keep-going`.",
    "A field of one word: `--verbose`, and what is derived from it: `--no-verbose`.",
    "Of other programs: `git log --oneline --first-parent`, `pytest --lf`.",
    "Never there: `--turbo-mode`.",
    "`--legacy-auth` was dropped.",
    "Never use `--legacy-auth`.",
    "There is no `--legacy-auth`.",
    "A variable of a style sheet: `--color-primary`.",
]

REPORTED = [
    ("Start with `--legacy-auth`.", 1, f"--legacy-auth {GONE}"),
    ("Start with `python cli/parse.py --legacy-auth=yes`.", 1, f"--legacy-auth {GONE}"),
    ("Typer: `--max-rows`.", 1, f"--max-rows {GONE}"),
    ("Click: `--old-format`.", 1, f"--old-format {GONE}"),
    ("Clap: `--fast-path`.", 1, f"--fast-path {GONE}"),
    ("Cobra: `--token-file`.", 1, f"--token-file {GONE}"),
]


test_leaves_alone, test_reports = make_tests("flag-missing", BEFORE, LEFT_ALONE, REPORTED, AFTER)
