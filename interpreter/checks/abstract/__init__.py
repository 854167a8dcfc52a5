"""The abstract interpreter: follows the rules of a table without playing, with bounds in the place of values."""
