"""How many faults in rules are found, and by what?

Single faults are made in the shipped games by a script (mutation analysis; DeMillo, Lipton, Sayward, "Hints on test data
selection", Computer 1978), and each is given to the checker and to the tests that stand in the game.
"""
