"""Asks the small model about pairs of texts; it sees nothing else."""

from collections.abc import Mapping, Sequence

from memci.engines.claude.calls import Failure, Prompt
from memci.engines.model.material import Clean, clean_all, dump
from memci.engines.model.phases import MAX_PAIRS, render_system, verify_phase
from memci.engines.model.replies import Model
from memci.use.repeated_rules import Repetition

# Of a long message so much is shown around what it is asked about.
MAX_SHOWN = 1_500


def ask_pairs(
    pairs: Sequence[Mapping[str, object]], model: Model, clean: Clean, system: str = "verify"
) -> dict[int, Mapping[str, bool]] | Failure:
    """Return the verdicts by the number of the pair."""
    prompt = Prompt(render_system(system), "", dump(clean_all({"pairs": pairs}, clean)))
    reply = model.ask(verify_phase(), prompt, shorten=lambda _: None)
    if isinstance(reply, Failure):
        return reply
    entries = reply.value["pairs"]
    return {told["pair"]: told for told in entries} if isinstance(entries, list) else {}


def confirm_repetitions(pairs: Sequence[Repetition], model: Model, clean: Clean, failures: list[str]) -> frozenset[int]:
    """Return the positions of the messages that demand what their rule says already, as a reader finds."""
    confirmed: set[int] = set()
    for start in range(0, len(pairs), MAX_PAIRS):
        part = pairs[start : start + MAX_PAIRS]
        verdicts = ask_pairs([_show(number, one) for number, one in enumerate(part, 1)], model, clean, "repetitions")
        if isinstance(verdicts, Failure):
            failures.append(f"verify: {verdicts}")
            continue
        for number in range(1, len(part) + 1):
            told = verdicts.get(number)
            if told and told["says"] and told["own"]:
                confirmed.add(start + number - 1)
    return frozenset(confirmed)


def _show(number: int, one: Repetition) -> dict[str, object]:
    """Return a pair as the reader sees it: the rule, and what the person typed."""
    said, message = " ".join(one.sentence.split()), " ".join(one.turn.typed.split())
    start = max(0, message.find(said) - MAX_SHOWN // 2) if len(message) > MAX_SHOWN else 0
    told: dict[str, object] = {"pair": number, "rule": one.rule.text, "said": said}
    told |= {"message": message[start : start + MAX_SHOWN]} if message != said else {}
    return told | ({"agent_before": one.turn.before} if one.turn.before else {})
