"""Tests of the translations of games."""
