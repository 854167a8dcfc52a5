"""Lines, options and winner keys without which the games played are the same."""
