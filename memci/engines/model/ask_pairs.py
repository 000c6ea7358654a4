"""Asks the small model about pairs of texts; it sees nothing else."""

from collections.abc import Mapping, Sequence

from memci.engines.claude.calls import Failure, Prompt
from memci.engines.model.material import Clean, clean_all, dump
from memci.engines.model.phases import render_system, verify_phase
from memci.engines.model.replies import Model

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
