"""Against programs of others; run with `make e2e`."""
