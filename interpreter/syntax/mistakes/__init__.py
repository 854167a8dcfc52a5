"""Diagnostics for lines that no rule of the grammar fits."""
