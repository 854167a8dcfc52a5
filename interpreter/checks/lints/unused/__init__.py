"""Checks for names, rows, words, components and variants of no use."""
