"""Asks the small model which messages say a rule again: first all at once, then about each pair alone."""

from collections.abc import Mapping, Sequence

from memci.engines.claude.calls import Failure, Prompt
from memci.engines.model.ask_pairs import MAX_SHOWN, ask_pairs
from memci.engines.model.material import Clean, clean_all, dump
from memci.engines.model.phases import MAX_PAIRS, link_phase, render_system
from memci.engines.model.replies import Model
from memci.model.session import Turn
from memci.use.repeated_rules import KnownRule, Repetition

# The rules and corrections of a long day; more would cost as much as the dream itself.
MAX_RULES = 500
MAX_MESSAGES = 200
# Whoever repeats a rule is short; the beginning of a long task is enough.
_MAX_TYPED = 600


def find_repetitions(
    rules: Sequence[KnownRule], turns: Sequence[Turn], model: Model, clean: Clean, failures: list[str]
) -> list[Repetition]:
    """Return the messages that demand what a rule says already, as two readers find; the newest messages are read."""
    rules, turns = rules[:MAX_RULES], turns[-MAX_MESSAGES:]
    shown = {
        "rules": [{"rule": number, "text": rule.text} for number, rule in enumerate(rules, 1)],
        "messages": [_show(number, turn) for number, turn in enumerate(turns, 1)],
    }
    prompt = Prompt(render_system("link"), "", dump(clean_all(shown, clean)))
    reply = model.ask(link_phase(), prompt, shorten=lambda _: None)
    if isinstance(reply, Failure):
        failures.append(f"repetitions: {reply}")
        return []
    told = reply.value["repeated"]
    linked = [one for each in (told if isinstance(told, list) else ()) if (one := _read(each, rules, turns, clean))]
    return _confirm(list(dict.fromkeys(linked))[:MAX_PAIRS], model, clean, failures)


def _show(number: int, turn: Turn) -> dict[str, object]:
    before = {"agent_before": turn.before} if turn.before else {}
    return {"message": number, **before, "typed": _join(turn.typed)[:_MAX_TYPED]}


def _read(
    told: Mapping[str, object], rules: Sequence[KnownRule], turns: Sequence[Turn], clean: Clean
) -> Repetition | None:
    """Return what the model found, if the rule and the message exist and the person typed the quotation."""
    rule, message, quote = told["rule"], told["message"], _join(str(told["quote"]))
    if not (isinstance(rule, int) and isinstance(message, int)):
        return None
    if not (0 < rule <= len(rules) and 0 < message <= len(turns)):
        return None
    turn = turns[message - 1]
    return Repetition(rules[rule - 1], turn, quote) if quote and quote in clean(_join(turn.typed)) else None


def _confirm(pairs: Sequence[Repetition], model: Model, clean: Clean, failures: list[str]) -> list[Repetition]:
    if not pairs:
        return []
    shown = [_show_pair(number, one) for number, one in enumerate(pairs, 1)]
    verdicts = ask_pairs(shown, model, clean, "repetitions")
    if isinstance(verdicts, Failure):
        failures.append(f"repetitions: {verdicts}")
        return []
    told = [verdicts.get(number, {}) for number in range(1, len(pairs) + 1)]
    return [one for one, verdict in zip(pairs, told, strict=True) if verdict.get("says") and verdict.get("own")]


def _show_pair(number: int, one: Repetition) -> dict[str, object]:
    """Return a pair as the reader sees it: the rule, and what the person typed."""
    message = _join(one.turn.typed)
    start = max(0, message.find(one.sentence) - MAX_SHOWN // 2) if len(message) > MAX_SHOWN else 0
    told: dict[str, object] = {"pair": number, "rule": one.rule.text, "said": one.sentence}
    told |= {"message": message[start : start + MAX_SHOWN]} if message != one.sentence else {}
    return told | ({"agent_before": one.turn.before} if one.turn.before else {})


def _join(text: str) -> str:
    return " ".join(text.split())
