"""The search for the numbers of the rules that reach a goal."""
