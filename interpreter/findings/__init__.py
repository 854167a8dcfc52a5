"""Findings after they are made: which follow from others, which are suppressed, known or selected; the report as a value."""
