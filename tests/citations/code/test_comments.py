import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.code.comments import strip_noise
from tests.gate import in_gate


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", 'x = "KEEP # KEEP"\n'),
        ("a.py", "call(\n    'KEEP',\n    '''KEEP''',\n    \"KEEP\"\n)\n"),
        ("a.py", 'x = \\\n    "KEEP"\n'),
        ("a.py", '"""Usage: x --KEEP"""\nargs = docopt(__doc__)\n'),
        ("a.py", "'KEEP'.join(x)\n"),
        ("a.js", 'get("http://KEEP/KEEP"); const u = `//KEEP`;'),
        ("a.js", "x = s.split(/[\"'`]/); KEEP()"),
        ("a.js", "x = a / KEEP / b"),
        ("a.jsx", "<a href='x'>http://KEEP</a>"),
        ("a.jsx", "<p>Don't</p>\n<b>{KEEP}</b>"),
        ("a.ts", '/re/.test("KEEP"); submit("KEEP"); yargs.describe("KEEP")'),
        ("a.go", 'x := "KEEP // KEEP"; r := \'"\'; y := `\nKEEP // KEEP`'),
        ("a.rs", 'fn f<\'a>(x: &\'a str) { KEEP("// KEEP", r#"a " // KEEP"#, \'"\') } KEEP()'),
        ("a.c", 'char c = \'"\'; KEEP("/* KEEP");'),
        ("a.cs", 'var x = """\n// KEEP\n""";'),
        ("a.sh", 'echo "$# KEEP" ${x#KEEP} a#KEEP; test "KEEP" = "$x"'),
        ("a.yml", "a: KEEP#KEEP\nurl: 'x # KEEP'"),
        ("a.sql", "select '-- KEEP', KEEP"),
        ("a.php", "#[KEEP]\nfunction x() { 'KEEP // KEEP'; }"),
        ("a.sql", "select 'C:\\', '\n-- KEEP', KEEP"),
        ("a.nix", "a // KEEP"),
        ("a.css", "a { background: url(//KEEP) }"),
        ("a.clj", "(x \\; KEEP)"),
        ("a.rb", 'x "#{KEEP} # KEEP"'),
        (".env.example", "# KEEP=1"),
        ("a.unknown", "# KEEP // KEEP"),
        ("data.json", '{"//": "KEEP"}'),
    ],
)
def test_keeps_code_and_strings(path: str, text: str) -> None:
    stripped = strip_noise(path, text.encode())
    assert stripped.count(b"KEEP") == text.count("KEEP")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "# GONE\nx = 1  # GONE\n"),
        ("a.py", '"""GONE\n\nGONE"""\nimport x\n\ndef f(a: {}[1]):\n    r\'\'\'GONE\'\'\'\n    "GONE"  # GONE\n'),
        ("a.py", 'x = 1\r\n"GONE"\r\n'),
        ("tool", "#!/usr/bin/env python3\n'''GONE'''\n"),
        ("a.ts", "x(); // GONE\n/* GONE\n * GONE */ /** GONE **/"),
        ("a.tsx", "<p>{/* GONE */}</p>"),
        ("a.test.ts", 'it("GONE", x); describe.skip(\n  `GONE`, x); test.only("GONE", x)'),
        ("a_test.go", 't.Run("GONE", x) // GONE'),
        ("a.rs", "/// GONE\n//! GONE\nfn f<'a>() {} // GONE"),
        ("A.java", "/** GONE */ int x = '\"'; // GONE"),
        ("Dockerfile", "# GONE\nRUN x # GONE"),
        ("Makefile", "# GONE\na: b # GONE"),
        ("a.toml", "# GONE\n[x] # GONE"),
        ("tool", "#!/bin/sh\n# GONE"),
        ("a.rb", "# GONE\n=begin\nGONE\n=end\ndescribe 'GONE' do\n  it \"GONE\" do"),
        ("a.exs", '@moduledoc """\nGONE "x"\n"""\n@doc ~S"""\nGONE\n"""\ntest "GONE" do # GONE'),
        ("a.sql", "-- GONE\n/* GONE */"),
        ("a.lua", "--[[ GONE\nGONE ]] -- GONE"),
        ("a.html", "<!-- GONE -\n- GONE -->"),
        ("a.vue", "<!-- GONE --><script>// GONE\n</script>"),
        ("a.tf", "# GONE\n// GONE\n/* GONE */"),
        ("a.ps1", "<# GONE #> x # GONE"),
        ("a.ini", "; GONE\n# GONE"),
        ("a.php", "# GONE\n// GONE"),
        ("tsconfig.base.json", "{ // GONE\n}"),
        ("unclosed.c", "/* GONE"),
    ],
)
def test_blanks_comments_docstrings_and_titles(path: str, text: str) -> None:
    stripped = strip_noise(path, text.encode())
    assert b"GONE" not in stripped
    assert len(stripped) == len(text.encode())
    assert stripped.count(b"\n") == text.count("\n")


PATHS = [
    "a.py",
    "a.ts",
    "a.go",
    "a.rs",
    "a.cs",
    "a.sh",
    "a.rb",
    "a.exs",
    "a.sql",
    "a.lua",
    "a.hs",
    "a.vue",
    "a.el",
    "a.m",
]
PIECES = st.sampled_from(
    [b'"', b"'", b"`", b"\\", b"//", b"/*", b"*/", b"#", b"--", b"\n", b"(", b")", b"x", b"<!--", b"=/[", b'"""']
)


@given(st.sampled_from(PATHS), st.lists(PIECES, max_size=40).map(b"".join))
def test_whatever_the_text_only_blanks_are_written(path: str, data: bytes) -> None:
    stripped = strip_noise(path, data)
    assert len(stripped) == len(data)
    assert all(new == old or (new == 32 and old not in b"\r\n") for new, old in zip(stripped, data, strict=True))


HOSTILE = [
    b"/*",
    b'"',
    b"'",
    b"`",
    b'"""\\',
    b"=/[",
    b"(/",
    b"#",
    b"<!--",
    b"--[[",
    b"{-",
    b"it('",
    b"\n'x'",
    b"\\",
    b'@doc """',
    b"(",
]


@pytest.mark.parametrize("path", in_gate(PATHS, 4))
def test_hostile_texts_are_read_in_one_pass(path: str) -> None:
    for piece in HOSTILE:
        for data in (piece * (65_536 // len(piece)), b"x = " + b" " * 30_000 + piece * 1_000 + b"'" + b" " * 30_000):
            assert len(strip_noise(path, data)) == len(data)
