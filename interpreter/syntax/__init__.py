"""Text to tree: the sentences of a rules file, before any name has a meaning."""
