"""Checks of hidden information: choices, conditions and options that would reveal or need a secret."""
