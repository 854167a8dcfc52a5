"""Table to machine: a flat record of numbers and small code, and what can be read from such a record."""
