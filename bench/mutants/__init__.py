"""Mutation analysis: the share of single faults in rules that the checker and the tests find.

A script makes single faults in the shipped games (DeMillo, Lipton, Sayward, "Hints on test data selection", Computer 1978), and
gives each to the checker and to the tests that stand in the game.
"""
