"""Resolves the targets of links in an index by path arithmetic; opens no files."""

import posixpath
import unicodedata
from pathlib import PurePosixPath
from urllib.parse import unquote


def is_web(target: str) -> bool:
    """Tell whether a target is a web or mail address."""
    return target.lower().startswith(("http://", "https://", "mailto:"))


def resolve_target(target: str, scope: PurePosixPath) -> PurePosixPath | None:
    """Return the path inside the scope that a link in its index leads to; None if it leads out of the scope.

    Targets are relative to the scope; in the wild some are relative to the repository and name the scope themselves.
    """
    name = _strip_fragment(target)
    if "%" in name:
        name = unquote(name)
    if not _is_plain(name):
        return None
    directory = str(scope)
    inside = "" if directory == "." else f"{directory}/"
    # A path that names the scope has the last part of its name in it.
    for joined in (name, inside + name) if scope.name in name else (inside + name,):
        path = posixpath.normpath(joined)
        if path.startswith(inside) and path not in {".", ".."} and not path.startswith("../"):
            return PurePosixPath(path)
    return None


def _strip_fragment(target: str) -> str:
    head, mark, _ = target.partition("#")
    return head if mark and head else target


def _is_plain(name: str) -> bool:
    """Refuse roots, schemes, drives and characters that only look like path separators."""
    if not name or name.startswith(("/", "~", "\\")) or "\\" in name or not name.isprintable():
        return False
    # A scheme (`javascript:`) or a drive (`C:`) is before the first slash.
    if ":" in name.partition("/")[0]:
        return False
    if name.isascii():
        return True
    folded = unicodedata.normalize("NFKC", name)
    looks_up = folded.split("/").count("..") != name.split("/").count("..")
    return folded.count("/") == name.count("/") and "\\" not in folded and not looks_up
