"""Evaluates expressions in abstract positions, and says where numbers do not add up."""
