"""The functions of the package that check rules and play many games, for use from Python."""
