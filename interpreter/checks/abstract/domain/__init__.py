"""The abstract domain: what is known of numbers, sets and places, and of a whole position."""
