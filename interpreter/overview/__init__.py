"""Overviews for designers: variants with what they change, and differences between rules."""
