from tests.citations.scripted import Files, make_tests

BEFORE: Files = {
    "internal/config/parse.go": "package config\n\nfunc ParseConfig() {}\n\nfunc KeepHere() {}\n",
    "internal/config/load.go": "package config\n\nfunc LoadTwice() {}\n",
    "src/rows.py": "def read_rows():\n    pass\n\n\ndef call_rows():\n    read_rows()\n",
    "src/util.py": "def stay_away():\n    pass\n",
}
AFTER: Files = {
    "internal/config/parse.go": "package config\n\nfunc KeepHere() {}\n",
    "internal/settings/parse_config.go": "package settings\n\nfunc ParseConfig() {}\n",
    # Two places define it: nobody knows which one is meant.
    "internal/config/load.go": "package config\n",
    "internal/a/load_a.go": "package a\n\nfunc LoadTwice() {}\n",
    "internal/b/load_b.go": "package b\n\nfunc LoadTwice() {}\n",
    "src/rows.py": "from src.table import read_rows\n\n\ndef call_rows():\n    read_rows()\n",
    "src/table.py": "def read_rows():\n    pass\n",
}

MOVED = ": moved in <step 1> on 2026-11-01 (step 1)"
LEFT_ALONE = [
    "`KeepHere` is in `internal/config/parse.go`.",
    "No file is named: `ParseConfig`.",
    "Two places now: `LoadTwice` in `internal/config/load.go`.",
    "Still used there: `read_rows` in `src/rows.py`.",
    "Was never in that file: `stay_away` in `src/rows.py`.",
    "Several files: `ParseConfig` in `internal/config/parse.go` or `src/rows.py`.",
    "~~`ParseConfig` in `internal/config/parse.go`~~",
    "`ParseConfig` was moved out of `internal/config/parse.go`.",
]

REPORTED = [
    (
        "`ParseConfig` in `internal/config/parse.go`.",
        1,
        "ParseConfig is not in internal/config/parse.go any more but in internal/settings/parse_config.go" + MOVED,
    ),
    (
        "\nSee `internal/config/parse.go`, function `ParseConfig`.",
        2,
        "ParseConfig is not in internal/config/parse.go any more but in internal/settings/parse_config.go" + MOVED,
    ),
    (
        "By its end: `ParseConfig` in `config/parse.go`.",
        1,
        "ParseConfig is not in config/parse.go any more but in internal/settings/parse_config.go" + MOVED,
    ),
]


test_leaves_alone, test_reports = make_tests("symbol-moved", BEFORE, LEFT_ALONE, REPORTED, AFTER)
