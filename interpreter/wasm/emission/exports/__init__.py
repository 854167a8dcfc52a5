"""The functions that a module exports: deciding, stepping, batches, bots, outcomes, views, perft.

================================================  ============================================================================
``reset(seed, game)``, ``begin(0)``               a new game with the streams of (seed, game), run to its first stop
``stop()``                                        where the working record stands; computes what is legal or possible there
``player()``, ``choose(option)``                  who decides (-1: nobody); take one of the options in ``offered``
``pick(seat)``                                    the option of the seat's random bot, from the seat's own stream
``draw()``, ``happen(value)``                     a value for a chance event; let it have one of the values in ``answers``
``evaluate NAME(...)``                            a function of the score sheet or of the ranking
``see(seat, address)``                            the record as a seat may see it, zeros for the rest (`sight.py`)
``start_many``, ``step_many``                     many records in one call (`batches.py`)
``walk(base, depth, steps)``                      sequences of acts, counted depth first (`perft.py`)
``play(seed, first, count, rows)``, ``head()``    whole random games (`many.py`)
``play_bots(seed, first, count, rows)``           whole games of any bots (`driver.py`)
``live(stop, value)``                             what happened in a game that is played elsewhere (`bots.py`)
``ponder(...)``, ``conclude()``                   a search about it in steps, of which the host reads the tree (`bots.py`)
================================================  ============================================================================

What runs a game returns the kind of its stop: a decision 1, a chance event 2, the end 3, a routine's end 4, and -1 for an answer
that is not possible, which changes nothing. A fault traps, and the record says which. Seeds and numbers of games are i64, all
else is i32. A table has two modules: one with all of these, and one with ``play`` and ``head`` alone, which takes less than half
the time to make and is enough for `simulate`.
"""
