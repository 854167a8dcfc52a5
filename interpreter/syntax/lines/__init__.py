"""Parsed lines to nodes of the tree, and the reader that goes through a file line by line."""
