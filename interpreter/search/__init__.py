"""Walks through game trees: perft and solving."""
