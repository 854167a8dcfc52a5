"""Findings by play: many random games, games led to rare lines, and all positions of a small game."""
