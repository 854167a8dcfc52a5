"""Tests of the words: the program's catalogues, and those of games."""
