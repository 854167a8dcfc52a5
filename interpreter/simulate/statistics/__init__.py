"""Exact tallies, the statistics computed from them, and comparisons of tables."""
