"""The summary of a job as Markdown; every text in it that comes from memory or transcripts is shown literally."""

from collections.abc import Sequence
from typing import Any

from memci.report.check_result import amount
from memci.report.escape import entities, markdown, shorten

# GitHub drops a summary of 1 MiB without a word (actions/runner#4337).
MAX_BYTES = 900 * 1024
# Ours: a summary is read, the whole text is in the report.
_MAX_TEXT = 400
_MAX_SCOPES = 20
_WORDS = {
    "none": "nothing to propose",
    "created": "made a pull request",
    "updated": "updated the pull request",
    "not-updated": "the pull request is up to date",
    "closed": "closed the pull request, because nothing is left to propose",
    "blocked": "left the branch alone, because somebody else's commits are on it",
    "declined": "proposed nothing, because people closed the same proposal before",
    "fallback": "pushed the branch, but may not open a pull request",
}


def render_dream(dream: Any, published: Any, warnings: Sequence[str], errors: Sequence[str], *, title: str = "") -> str:
    """Return the summary of a dream, as far as it came: what a pull request says, behind what went wrong."""
    head = [f"### memci: {title or _headline(dream, published)}", ""]
    head += [_box("CAUTION", error) for error in errors]
    head += [_box("WARNING", warning) for warning in warnings]
    head += _describe_run(dream) if dream else []
    head += [*_list_still(dream["scopes"]), dream["text"]] if dream else []
    return "\n".join(head) + "\n"


def _box(kind: str, text: str) -> str:
    lines = "<br>".join(_text(line) for line in text.split("\n"))
    return f"> [!{kind}]\n> {lines}\n"


def _headline(dream: Any, published: Any) -> str:
    if published:
        words = _WORDS[published["result"]]
        number = f"#{published['number']}" if published["number"] else "here"
        link = f' (<a href="{entities(published["url"])}">{entities(number)}</a>)' if published["url"] else ""
        return f"{'a dry run; otherwise: ' if published['dry_run'] else ''}{words}{link}"
    if dream and dream["skipped"]:
        return f"nothing to do: {_text(dream['skipped'])}"
    changed = sum(scope["status"] == "changed" for scope in dream["scopes"]) if dream else 0
    return f"{amount(changed, 'scope')} would change" if dream else "stopped"


def _describe_run(dream: Any) -> list[str]:
    newest = f", the newest from {_text(dream['newest_session'][:10])}" if dream["newest_session"] else ""
    cost = f"; the model cost ${dream['cost']['usd']:.4f}" if dream["cost"]["calls"] else ""
    why = f" ({_text(dream['engine_reason'])})" if dream["engine_reason"] else ""
    return [f"Engine {_text(dream['engine'])}{why}; {amount(dream['sessions'], 'session')} read{newest}{cost}.", ""]


def _list_still(scopes: Sequence[Any]) -> list[str]:
    """Return a line for each scope that nothing was done for, with the reason."""
    still = [scope for scope in scopes if scope["reason"]]
    lines = [f"- {_text(scope['path'])}: {scope['status']}: {_text(scope['reason'])}" for scope in still[:_MAX_SCOPES]]
    more = len(still) - len(lines)
    return [*lines, *([f"- {amount(more, 'more scope')}"] if more else []), *([""] if lines else [])]


def _text(text: str) -> str:
    """Show a text literally; plain words need no marks of code."""
    short = shorten(text, _MAX_TEXT)
    return short if short.isascii() and short.replace(" ", "").isalnum() else markdown(short)
