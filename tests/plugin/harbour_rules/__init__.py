"""The rules and pipelines of the harbour."""
