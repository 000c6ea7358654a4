"""The syntax of strings and comments per language: enough to distinguish them, no more."""

import functools
import re
from typing import NamedTuple

# Every piece starts with a literal, so that the regex engine skips quickly to the next one, and once begun it always
# matches and never backtracks: an unclosed string or comment runs to the end of its line or of the file.
_DOUBLE = rb'"(?:[^"\\\n]++|\\.)*+"?'
_DOUBLE_LINES = rb'"(?:[^"\\]++|\\.)*+"?'
_SINGLE = rb"'(?:[^'\\\n]++|\\.)*+'?"
_TRIPLE_DOUBLE = rb'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?'
_TRIPLE_SINGLE = rb"'''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?"
_TEMPLATE = rb"`(?:[^`\\]++|\\.)*+`?"
_RAW_TICKS = rb"`[^`]*+`?"
# One character, at most four bytes or an escape; anything longer is a lifetime, a generic or an apostrophe.
_CHARACTER = rb"'(?:\\.[^'\n]{0,9}|[^\\'\n]{1,4})'"
_RUST_RAW = rb'r#"(?:[^"]++|"(?!#))*+"?'
_PLAIN_DOUBLE = rb'"[^"\n]*+"?'
# In SQL a backslash is an ordinary character and strings span lines.
_SQL = rb"'[^']*+'?"
# A slash starts a regular expression only where it cannot follow a value.
_REGEX = rb"/(?![/*])(?:(?<=[=(,:;!&|?\[{]/)|(?<=[=(,:;!&|?] /)|(?<=return /))(?:[^/\\\n\[]++|\\[^\n]|\[(?:[^\]\\\n]++|\\[^\n])*+\]?)*+/?"  # noqa: E501 -- one pattern
# The slashes of an address are no comment.
_SLASHES = rb"//(?<!://)[^\n]*+"
_BLOCK = rb"/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
# `$#`, `${x#y}`, `a#b` and `issue #${n}` are no comments.
_HASH = rb"#(?!\$?\{)(?<![^\s;]#)[^\n]*+"
_PHP_HASH = rb"#(?!\[)(?<![^\s;]#)[^\n]*+"
_HASH_BLOCK = rb"<#(?:[^#]++|#(?!>))*+(?:#>)?"
_DASHES = rb"--[^\n]*+"
_LUA_BLOCK = rb"--\[\[(?:[^\]]++|\](?!\]))*+(?:\]\])?"
_MARKUP = rb"<!--(?:[^-]++|-(?!->))*+(?:-->)?"
_SEMICOLON_FIRST = rb";(?<![^\n];)[^\n]*+"
_RUBY_BLOCK = rb"=begin(?<![^\n]=begin)(?:[^\n]++|\n(?!=end))*+"
_ELIXIR_DOC = rb'@(?:module|type)?doc(?=[ \t])[ \t]++(?:~[sS])?"""(?:[^"]++|"(?!""))*+(?:""")?'


class Language(NamedTuple):
    """What to look for in a file: `pieces` are strings and comments, `comments` the openings of the latter."""

    pieces: tuple[bytes, ...]
    comments: tuple[bytes, ...]
    # Whether `it "does x" do` is the title of a test, without parentheses; `test "$x"` in a shell is not.
    bare_titles: bool = False

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The pieces as one pattern."""
        return _compile(self.pieces)


@functools.cache
def _compile(pieces: tuple[bytes, ...]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(pieces), re.DOTALL)


_C = (b"//", b"/*")
PYTHON = Language((_TRIPLE_DOUBLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE, rb"#[^\n]*+"), (b"#",))
_SCRIPT = Language((_DOUBLE, _SINGLE, _TEMPLATE, _SLASHES, _BLOCK, _REGEX), _C)
_C_LIKE = Language((_TRIPLE_DOUBLE, _DOUBLE, _CHARACTER, _SLASHES, _BLOCK), _C)
_QUOTED = Language((_TRIPLE_DOUBLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE, _SLASHES, _BLOCK), _C)
_HASHED = Language((_DOUBLE, _SINGLE, _HASH), (b"#",))
_MARKED = Language((_MARKUP,), (b"<!--",))

_BY_EXTENSION: dict[str, Language] = {
    extension: language
    for extensions, language in (
        ("py pyi pyx bzl star", PYTHON),
        ("js jsx ts tsx mjs cjs mts cts jsonc json5 coffee", _SCRIPT),
        ("vue svelte astro", Language((*_SCRIPT.pieces, _MARKUP), (*_C, b"<!--"))),
        ("java kt kts c h cc cpp cxx hh hpp hxx cs swift scala sc proto zig m mm cu cuh glsl hlsl", _C_LIKE),
        ("go", Language((_DOUBLE, _RAW_TICKS, _CHARACTER, _SLASHES, _BLOCK), _C)),
        ("rs", Language((_RUST_RAW, _DOUBLE_LINES, _CHARACTER, _SLASHES, _BLOCK), _C)),
        ("dart groovy gradle sol", _QUOTED),
        ("php", Language((_DOUBLE, _SINGLE, _SLASHES, _BLOCK, _PHP_HASH), (*_C, b"#"))),
        ("css", Language((_DOUBLE, _SINGLE, _BLOCK), _C)),
        ("scss sass less styl", Language((_DOUBLE, _SINGLE, _SLASHES, _BLOCK), _C)),
        ("sh bash zsh fish yml yaml toml mk mak make cmake r jl nim gd tcl awk graphql gql", _HASHED),
        ("pl pm dockerfile just properties gitignore dockerignore", _HASHED),
        ("rb rake gemspec cr", Language((_DOUBLE, _SINGLE, _HASH, _RUBY_BLOCK), (b"#", b"=begin"), bare_titles=True)),
        ("ex exs", Language((_ELIXIR_DOC, _TRIPLE_DOUBLE, _DOUBLE, _HASH), (b"#", b"@"), bare_titles=True)),
        ("tf tfvars hcl", Language((_DOUBLE, _HASH, _SLASHES, _BLOCK), (*_C, b"#"))),
        ("ps1 psm1 psd1", Language((_DOUBLE, _SINGLE, _HASH_BLOCK, _HASH), (b"#", b"<#"))),
        ("sql", Language((_SQL, _PLAIN_DOUBLE, _DASHES, _BLOCK), (b"--", b"/*"))),
        ("lua", Language((_DOUBLE, _SINGLE, _LUA_BLOCK, _DASHES), (b"--",))),
        ("html htm xhtml xml csproj fsproj vbproj props targets xaml svg plist", _MARKED),
        ("ini cfg conf", Language((_DOUBLE, _SINGLE, _HASH, _SEMICOLON_FIRST), (b"#", b";"))),
    )
    for extension in extensions.split()
}
_BY_NAME: dict[str, Language] = {
    name: language
    for names, language in (
        (
            "makefile gnumakefile dockerfile containerfile justfile procfile cmakelists.txt requirements.txt",
            _HASHED,
        ),
        ("jenkinsfile", _QUOTED),
        ("build workspace", PYTHON),
        ("rakefile gemfile vagrantfile podfile brewfile fastfile", _BY_EXTENSION["rb"]),
    )
    for name in names.split()
}


def classify_language(path: str, data: bytes) -> Language | None:
    """Return how a file is written, or None if that is unknown."""
    name = path.rpartition("/")[2].lower()
    stem, _, extension = name.rpartition(".")
    # A variable that is commented out in a sample is still one that the program reads.
    if name.startswith(".env"):
        return None
    if name.startswith("dockerfile."):
        return _HASHED
    if extension == "json" and name.startswith(("tsconfig", "jsconfig")):
        return _SCRIPT
    known = _BY_NAME.get(name) or (_BY_EXTENSION.get(extension) if stem or name.startswith(".") else None)
    return known or _read_interpreter(data)


def _read_interpreter(data: bytes) -> Language | None:
    if not data.startswith(b"#!"):
        return None
    program = data[: data.find(b"\n")]
    if b"python" in program:
        return PYTHON
    return _SCRIPT if b"node" in program or b"deno" in program else _HASHED
