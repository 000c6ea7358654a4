"""The summary of a job as Markdown; every text in it that comes from memory or transcripts is shown literally."""

from collections.abc import Iterator, Sequence
from typing import Any

from memci.report.check_result import amount
from memci.report.escape import entities, markdown, shorten

# GitHub drops a summary of 1 MiB without a word (actions/runner#4337).
MAX_BYTES = 900 * 1024
# Room for the sentences about omissions, and for the ends of tables.
_RESERVE = 4_096
# Ours: a summary is read, the whole text is in the report.
_MAX_TEXT = 400
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
    """Return the summary of a dream, as far as it came, in at most MAX_BYTES."""
    head = [f"### memci: {title or _headline(dream, published)}", ""]
    head += [_box("CAUTION", error) for error in errors]
    head += [_box("WARNING", warning) for warning in warnings]
    head += _describe_run(dream) if dream else []
    text = "\n".join(head) + "\n"
    scopes = dream["scopes"] if dream else []
    tables = (
        ("Scopes", ("Scope", "Result", "Changes", "Refused", "Questions"), list(_list_scopes(scopes))),
        ("Changes", ("Change", "File", "Why"), list(_list_operations(scopes))),
        ("For a person to decide", ("File", "Question"), list(_list_needs(scopes))),
        ("Refused", ("Change", "File", "Why", "Guard"), list(_list_refused(scopes))),
    )
    for name, columns, rows in tables:
        text += _table(name, columns, rows, MAX_BYTES - _RESERVE - len(text.encode()))
    return text


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


def _list_scopes(scopes: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    for scope in scopes:
        result = f"{scope['status']}: {scope['reason']}" if scope["reason"] else scope["status"]
        counts = (str(len(scope[name])) for name in ("operations", "rejected", "needs_person"))
        yield (scope["path"], result, *counts)


def _list_operations(scopes: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    for scope in scopes:
        yield from ((one["kind"], one["file"], one["reason"]) for one in scope["operations"])


def _list_needs(scopes: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    for scope in scopes:
        for need in scope["needs_person"]:
            said = next((proof["quote"] for proof in need["evidence"] if proof["quote"] not in need["reason"]), "")
            yield need["file"] or scope["path"], need["reason"] + (f" “{said}”" if said else "")


def _list_refused(scopes: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    for scope in scopes:
        yield from ((one["kind"], one["file"], one["why"], one["guard"]) for one in scope["rejected"])


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> str:
    if not rows:
        return ""
    lines = [f"<h4>{title}</h4>", "<table>", f"<tr>{''.join(f'<th>{name}</th>' for name in columns)}</tr>"]
    room -= len("\n".join(lines))
    shown = 0
    for row in rows:
        line = f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>"
        room -= len(line.encode()) + 1
        if room < 0:
            break
        lines.append(line)
        shown += 1
    lines.append("</table>")
    if shown < len(rows):
        lines.append(f"\n{amount(len(rows) - shown, 'more row')} did not fit; the report file has all.")
    return "\n".join([*lines, "", ""])


def _text(text: str) -> str:
    """Show a text literally; plain words need no marks of code."""
    short = shorten(text, _MAX_TEXT)
    return short if short.isascii() and short.replace(" ", "").isalnum() else markdown(short)
