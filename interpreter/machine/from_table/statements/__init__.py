"""Lowering of statements: choices, loops, steps, stores."""
