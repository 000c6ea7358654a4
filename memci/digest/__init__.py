"""Builds the session memory of a transcript from quotations of its records, without a model."""
