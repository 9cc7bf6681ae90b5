"""The built-in rules and provider pipelines of schemaflow, found through its entry point like any plug-in."""
