"""Rules with faults, for pipelines that have to be found out."""
