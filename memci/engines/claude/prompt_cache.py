"""Detects a broken prompt cache: a repeated prefix must be read, not written again."""

from dataclasses import dataclass, field

from memci.engines.claude.calls import Usage

# The shorter of the two lifetimes of a cache entry; each use renews it.
_LIFE = 300.0
# Smaller losses are noise: block borders shift, and small prefixes are never cached.
_NOISE_SHARE, _NOISE_TOKENS = 0.05, 2_000


@dataclass(slots=True)
class Prefixes:
    """The cached tokens of each prefix, and when it was last used."""

    seen: dict[str, tuple[float, int]] = field(default_factory=dict)

    def watch(self, prefix: str, usage: Usage, now: float) -> str | None:
        """Record a call; return a warning if the cache should have been read and was not."""
        before, held = self.seen.get(prefix, (now, 0))
        self.seen[prefix] = (now, usage.cache_read + usage.cache_write)
        lost = held - usage.cache_read
        if now - before > _LIFE or lost < max(_NOISE_TOKENS, held * _NOISE_SHARE):
            return None
        return f"the prompt cache broke: {usage.cache_read} of {held} tokens of a repeated prefix were read from it"
