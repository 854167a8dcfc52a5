"""Which tables of a game are checked: combinations of players, variants and values of options."""
