"""The reference executor: a machine run by plain Python closures, the arbiter of what a machine means."""
