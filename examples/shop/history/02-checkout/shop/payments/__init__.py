"""Everything that talks to the payment provider."""
