"""Static analysis of machines: ranges, widths, liveness, bounds on the length of a game."""
