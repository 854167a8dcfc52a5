"""Optimisation passes of the emitter: stores, conditions and computations that can be left out.

What makes playouts fast, in the order of what it brought: set algebra instead of loops (the lowering's work); nothing is kept
that no rule reads (`unobserved.py`, `dead_stores.py`); structured code with locals, and the bot inlined (`playouts.py`); inlined
small functions; selects instead of branches (`speculation.py`); draws from lists (`shrinking.py`); lookups (`tabulation.py`);
locals for the record in loops (`promotion.py`); random words computed ahead (`ahead.py`). The remaining time is one chain of
dependent steps: the leader's card, what is legal, the member of a rank, who wins the trick. Instructions beside that chain cost
little. So these brought nothing and are left out: decisions without the flag and the counts, more inlining, four steps
at a time towards a fixed point, rejected draws by a table, chance drawn ahead. `bench/compare.py` measures all of it.
"""
