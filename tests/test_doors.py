"""One door per outside thing: who may write files, run programs, speak to the network and read YAML."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import memci

ROOT = Path(memci.__file__).parent

# Which modules may do what; everything below a directory counts.
DOORS = {
    "write": ("stores/",),
    "temporary file": ("git/repository.py", "stores/state_directory.py"),
    "run": ("git/repository.py", "git/writing.py"),
    "git library": ("git/writing.py",),
    # The hook of a session goes on in the background; it starts no other program.
    "fork": ("runs/collect_hook.py",),
    # A system call that Python does not have.
    "foreign": ("stores/swap.py",),
    "network": ("forge/http.py", "forge/timed_request.py", "engines/claude/"),
    "yaml": ("memory/strict_yaml.py",),
    "evaluate": (),
}
_MODULES = {
    "subprocess": "run",
    "multiprocessing": "run",
    "pty": "run",
    "git": "git library",
    "gitdb": "git library",
    "socket": "network",
    "ssl": "network",
    "http": "network",
    "urllib": "network",
    "httpx2": "network",
    "httpx": "network",
    "requests": "network",
    "anthropic": "network",
    "yaml": "yaml",
    "shutil": "write",
    "tempfile": "temporary file",
    "pickle": "evaluate",
    "marshal": "evaluate",
    "ctypes": "foreign",
}
_OS = {
    "write": "replace rename renames unlink remove removedirs rmdir mkdir makedirs mkfifo link symlink truncate "
    "ftruncate chmod fchmod chown utime",
    "run": "system popen spawnl spawnv spawnvp posix_spawn execv execve execvp startfile",
    "fork": "fork forkpty",
}
_METHODS = "write_text write_bytes touch unlink rmdir mkdir symlink_to hardlink_to chmod rename"
_BUILTINS = {"eval": "evaluate", "exec": "evaluate", "compile": "evaluate", "__import__": "evaluate"}
# No file is written by them, and no program started.
_HARMLESS = {
    # Quoting and splitting of addresses.
    "urllib.parse",
    # The names of the status codes.
    "http.HTTPStatus",
}


def _find_uses(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    """Yield what a module does to the outside: the kind, the line, the words."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (
                    (_MODULES[top], node.lineno, name.name)
                    for name in names
                    if (top := name.name.split(".")[0]) in _MODULES and name.name not in _HARMLESS
                )
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] in _MODULES:
                full = {f"{module}.{name.name}" for name in names}
                if module not in _HARMLESS and not full <= _HARMLESS:
                    yield _MODULES[module.split(".")[0]], node.lineno, module
            case ast.ImportFrom(module="os", names=names):
                yield "run", node.lineno, ", ".join(name.name for name in names)
            case ast.Call(func=ast.Name(id=name)) if name in _BUILTINS:
                yield _BUILTINS[name], node.lineno, name
            case ast.Call(func=ast.Name(id="open") | ast.Attribute(attr="open")) if _opens_to_write(node):
                yield "write", node.lineno, "open"
            case ast.Attribute(value=ast.Name(id="os"), attr=name):
                yield from ((kind, node.lineno, f"os.{name}") for kind, names in _OS.items() if name in names.split())
            case ast.Attribute(attr=name) if name in _METHODS.split():
                yield "write", node.lineno, name


def _opens_to_write(call: ast.Call) -> bool:
    # The first argument of the function is the name of the file; the method has no such argument.
    given = call.args[1:] if isinstance(call.func, ast.Name) or len(call.args) > 1 else call.args
    words = [*given, *(keyword.value for keyword in call.keywords)]
    modes = [word.value for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str)]
    used = {node.attr for word in [*call.args, *words] for node in ast.walk(word) if isinstance(node, ast.Attribute)}
    return "devnull" not in used and (
        any(set(mode) & set("wax+") for mode in modes if set(mode) <= set("rwaxbt+"))
        or bool(used & {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"})
    )


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_doors_touch_the_outside(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    uses = list(_find_uses(ast.parse(path.read_text("utf-8"))))

    assert [use for use in uses if not name.startswith(DOORS[use[0]])] == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("open('a', 'w')", "write"),
        ("path.open(mode='ab')", "write"),
        ("os.open(name, os.O_RDWR | os.O_CREAT)", "write"),
        ("path.write_text('x')", "write"),
        ("os.replace(a, b)", "write"),
        ("move = os.rename", "write"),
        ("import shutil", "write"),
        ("import subprocess", "run"),
        ("from os import system", "run"),
        ("os.execvp('sh', ['sh'])", "run"),
        ("import git", "git library"),
        ("from git.exc import GitError", "git library"),
        ("import socket", "network"),
        ("from urllib.request import urlopen", "network"),
        ("import yaml", "yaml"),
        ("eval(text)", "evaluate"),
        ("import pickle", "evaluate"),
    ],
)
def test_every_way_out_is_seen(text: str, kind: str) -> None:
    assert [use[0] for use in _find_uses(ast.parse(text))] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "open('a')",
        "path.open('rb')",
        "os.open(os.devnull, os.O_WRONLY)",
        "from urllib.parse import quote",
        "os.getcwd()",
    ],
)
def test_reading_is_no_way_out(text: str) -> None:
    assert list(_find_uses(ast.parse(text))) == []
