"""Model to table: one game with its number of players, options and variants fixed."""
