"""Bots: how they are named, how they choose, and the rollouts of those that think."""
