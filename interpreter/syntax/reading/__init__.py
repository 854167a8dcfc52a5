"""Whole files: text to tree, files that extend others, comments."""
