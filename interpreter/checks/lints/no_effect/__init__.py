"""Checks for lines, conditions and cases that make no difference."""
