"""Packs: one file that holds a game with all that belongs to it."""
