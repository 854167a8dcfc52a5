"""Lowering of what is around the rounds: the beginning, the score sheet, the match and its end."""
