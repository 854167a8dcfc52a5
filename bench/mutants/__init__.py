"""Mutation analysis: the share of single faults in rules that the checker and the tests find.

A script makes single faults in the shipped games (DeMillo, Lipton, Sayward, "Hints on test data selection", Computer 1978), and
gives each to the checker and to the tests that stand in the game.

A fault that nothing finds is one of three: the rules contradict themselves, so a check is missing; the game is another consistent
one, so it wants a test; or nothing has changed, which shows where the machines of all tables print alike.
"""
