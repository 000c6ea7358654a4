"""Reading command lines: the scripts and targets they run, the flags they pass, the files they execute."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memci.model.citation import ClaimKind
from memci.patterns import LazyPattern
from memci.prose.fold import word_set


class CommandPart(NamedTuple):
    """Something cited at `start` of a text; `text` is how it is written there."""

    kind: ClaimKind
    start: int
    text: str
    context: str = ""
    lines: tuple[int, int] = (0, 0)
    value: str = ""


_Words = Sequence[tuple[int, str]]

# What these tools do themselves; everything else is a script of the repository.
_BUILT_IN = {
    "pnpm": "add install i remove rm update up upgrade dlx exec create init link unlink import audit outdated"
    " list ls why publish pack store config setup env patch rebuild prune fetch deploy licenses root bin"
    " server approve-builds dedupe login logout whoami view info self-update cache help doctor",
    "yarn": "add install remove up upgrade upgrade-interactive dlx exec create init link unlink audit outdated"
    " list why publish pack cache config global import info licenses login logout node npm owner policies"
    " tag team version versions workspace workspaces plugin set dedupe constraints patch rebuild search"
    " stage unplug help bin",
    "bun": "add install i remove rm update upgrade x create init link unlink pm build test publish outdated repl"
    " exec audit",
    "npm": "",
    "uv": "",
    "poetry": "",
    "make": "",
}
# Programs of others that runners start, and modules that are not the repository's.
_PROGRAMS = word_set(
    "python python3 pytest mypy ruff black isort flake8 pylint pip uvicorn gunicorn flask django-admin celery"
    " alembic jupyter ipython coverage pre-commit tox nox bandit pyright ty sphinx-build mkdocs twine build hatch"
    " playwright streamlit fastapi node npx tsx ts-node bash sh make venv http.server unittest json.tool timeit"
    " cProfile pdb compileall ensurepip zipfile site sysconfig pydoc doctest trace http webbrowser py_compile"
    " virtualenv pipx grpc_tools.protoc nbconvert notebook ipykernel spacy nltk poetry uv asyncio calendar tarfile"
    " tokenize dis ast locust black.blackd pyinstaller PyInstaller cython gprof2dot memory_profiler pyperf scalene"
    " pip_audit piptools"
)
_INTERPRETERS = word_set(
    "python python3 node bash sh zsh tsx ts-node ruby php perl deno bun source . pwsh powershell Rscript lua dart"
    " swift elixir julia uv poetry"
)
_PYTHON = ("python", "python3")
_NPM_SCRIPTS = word_set("test start stop restart t")
# Options of runners that take a value of their own.
_VALUED = word_set("--filter -F --dir -C --prefix --workspace -w --cwd -f --directory --project --package -p")


_WORD = LazyPattern(r"&&|\|\||[;|]|[^\s;|&]+")


_FLAG = LazyPattern(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")


_ASSIGNMENT = LazyPattern(r"([A-Z][A-Z0-9_]+)=")


def _is_name(word: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z][\w:.-]{0,60}", word)) and not word.endswith((".", ":"))


def split_commands(text: str) -> list[_Words]:
    """Return the simple commands of a line, each as its words with their places."""
    commands: list[list[tuple[int, str]]] = [[]]
    for found in _WORD.finditer(text):
        if found[0] in ("&&", "||", ";", "|"):
            commands.append([])
        elif found[0].startswith("#"):
            break
        elif commands[-1] or found[0] not in ("$", ">", "%", "sudo", "time", "exec"):
            commands[-1].append((found.start(), found[0]))
    return [command for command in commands if command]


def parse_command(text: str) -> Iterator[CommandPart]:
    """Yield the environment, scripts, flags and executed files of a command line."""
    for words in split_commands(text):
        rest = words
        while rest and (found := _ASSIGNMENT.match(rest[0][1])):
            yield CommandPart(ClaimKind.ENVIRONMENT, rest[0][0], found[1])
            rest = rest[1:]
        if rest:
            yield from _parse_scripts(rest)
            yield from parse_flags(rest)


def resolve_program(words: _Words) -> str:
    """Return what flags among these words are given to: the program, or the script that a runner starts."""
    first = words[0][1]
    plain = [word for _, word in words]
    script = next(iter(_parse_scripts(words)), None)
    if script and "--" in plain:
        return f"{first} run {script.text}" if first == "npm" else f"{first} {script.text}"
    if script and script.context in ("python", "uv", "poetry"):
        return script.text
    if first in _INTERPRETERS and len(words) > 1:
        return next((word for word in plain[1:] if not word.startswith("-") and word != "run"), first)
    return first.removeprefix("./")


def parse_flags(words: _Words) -> Iterator[CommandPart]:
    """Yield the long flags of one command, with the program they are given to."""
    program = resolve_program(words)
    for start, word in words:
        found = _FLAG.match(word)
        if found and found.end() in (len(word), word.find("=")):
            yield CommandPart(ClaimKind.FLAG, start, found[0], "" if program.startswith("-") else program)


def parse_bare_flags(text: str) -> Iterator[CommandPart]:
    """Yield flags without a program: `--x`, `--x=y`, `--a/--b`."""
    for found in _FLAG.finditer(text):
        yield CommandPart(ClaimKind.FLAG, found.start(), found[0])


def runs_own_file(words: _Words) -> bool:
    """Whether a command runs a file or module of the repository rather than a program of others."""
    program = resolve_program(words)
    return (
        "/" in program
        or program.startswith("npm run ")
        or any(part.context in ("python", "uv", "poetry") for part in _parse_scripts(words))
    )


def _parse_scripts(words: _Words) -> Iterator[CommandPart]:
    """Yield what a runner is asked to run."""
    runner = words[0][1]
    rest = _without_options(words[1:])
    if not rest:
        return
    if runner in _PYTHON and len(words) > 2 and words[1][1] == "-m":
        if words[2][1] not in _PROGRAMS and _is_name(words[2][1]):
            yield CommandPart(ClaimKind.SCRIPT, *words[2], "python")
    elif runner in ("uv", "poetry"):
        if rest[0][1] == "run" and len(rest) > 1:
            inner = words[words.index(rest[1]) :]
            yield from _parse_scripts(inner) if rest[1][1] in _PYTHON else _script(rest[1], runner)
    elif runner in _BUILT_IN:
        yield from _parse_targets(rest, runner)


def _parse_targets(rest: _Words, runner: str) -> Iterator[CommandPart]:
    if runner in ("npm", "pnpm", "yarn", "bun") and rest[0][1] in ("run", "run-script"):
        yield from _script(rest[1], runner) if len(rest) > 1 else ()
    elif runner == "npm":
        yield from _script(rest[0], runner) if rest[0][1] in _NPM_SCRIPTS else ()
    elif runner == "bun":
        return
    elif runner == "make":
        for word in rest:
            yield from _script(word, runner) if "=" not in word[1] else ()
    elif rest[0][1] not in _BUILT_IN[runner].split():
        yield from _script(rest[0], runner)


def _script(word: tuple[int, str], runner: str) -> Iterator[CommandPart]:
    foreign = runner in ("uv", "poetry") and word[1] in _PROGRAMS
    if _is_name(word[1]) and not foreign and not word[1].endswith((".py", ".js", ".ts", ".sh")):
        yield CommandPart(ClaimKind.SCRIPT, word[0], word[1], runner)


def _without_options(words: _Words) -> _Words:
    """Leave out options and their values, and everything behind `--`."""
    kept: list[tuple[int, str]] = []
    skip = False
    for place, word in words:
        if word == "--":
            break
        if not skip and not word.startswith("-"):
            kept.append((place, word))
        skip = word in _VALUED
    return kept


def executed_file(words: _Words) -> tuple[int, str] | None:
    """Return the file that a command executes, if it names one."""
    if words[0][1].startswith("./"):
        return words[0]
    if words[0][1] in _INTERPRETERS:
        rest = [word for word in _without_options(words[1:]) if word[1] not in ("run", "python", "-")]
        return rest[0] if rest and "/" in rest[0][1] else None
    return None
