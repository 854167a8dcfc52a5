"""Solving small games: backward induction and counterfactual regret."""
