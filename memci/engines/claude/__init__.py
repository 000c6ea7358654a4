"""The one door to the model: credentials, calls, retries, money, batches; it knows no prompts or operations."""
