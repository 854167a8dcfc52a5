"""Walks through game trees: position by position, to count sequences of acts, and to solve a game."""
