"""Names and types: scopes, what fits where, and what ties and `wins` stand for."""
