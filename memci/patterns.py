"""Regular expressions that are compiled when they are first used, so that start-up does not wait for them."""

# ruff: noqa: D102 -- the methods are those of re.Pattern

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class LazyPattern:
    """Stands for `re.compile(source, flags)`; a function as source is called once, when the pattern is compiled."""

    def __init__(self, source: str | Callable[[], str], flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def compile(self) -> re.Pattern[str]:
        """Return the pattern itself; from now on this object costs nothing more than it."""
        pattern = re.compile(self._source if isinstance(self._source, str) else self._source(), self._flags)
        self.__dict__.update({name: getattr(pattern, name) for name in _METHODS}, compile=lambda: pattern)
        return pattern

    @property
    def pattern(self) -> str:
        """Return the source."""
        return self.compile().pattern

    @property
    def groupindex(self) -> Mapping[str, int]:
        """Return the numbers of the named groups."""
        return self.compile().groupindex

    if TYPE_CHECKING:

        def search(self, string: str, pos: int = 0, endpos: int = ...) -> re.Match[str] | None: ...
        def match(self, string: str, pos: int = 0, endpos: int = ...) -> re.Match[str] | None: ...
        def fullmatch(self, string: str, pos: int = 0, endpos: int = ...) -> re.Match[str] | None: ...
        def finditer(self, string: str, pos: int = 0, endpos: int = ...) -> Iterator[re.Match[str]]: ...
        def findall(self, string: str, pos: int = 0, endpos: int = ...) -> list[Any]: ...
        def split(self, string: str, maxsplit: int = 0) -> list[str | Any]: ...
        def sub(self, repl: str | Callable[[re.Match[str]], str], string: str, count: int = 0) -> str: ...
        def subn(self, repl: str | Callable[[re.Match[str]], str], string: str, count: int = 0) -> tuple[str, int]: ...

    else:

        def __getattr__(self, name: str) -> Any:
            """Compile on the first use of a method."""
            if name not in _METHODS:
                raise AttributeError(name)
            return getattr(self.compile(), name)
