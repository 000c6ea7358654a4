"""The only access to the service: credentials, calls, retries, costs, batches; knows no prompts or operations."""
