"""What is wrong with rules, found by playing: many random games, games led to rare lines, all positions of a small game."""
