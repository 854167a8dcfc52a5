"""Lowering of expressions: numbers, sets, filters, rankings, guards."""
