"""Prepares the pages of the documentation site from the documentation, the games and the messages."""
