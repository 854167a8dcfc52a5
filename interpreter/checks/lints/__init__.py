"""The single checks, by family."""
