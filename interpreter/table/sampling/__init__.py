"""The tables of a game that are checked: combinations of players, variants and values of options."""
