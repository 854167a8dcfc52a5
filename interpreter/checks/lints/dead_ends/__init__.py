"""Checks for loops that never end and choices that may have no legal option."""
