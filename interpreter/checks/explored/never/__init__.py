"""Findings about events that never happened in all games played, or cannot happen at all."""
