"""Optimisation passes of the emitter: what need not be stored, asked or computed."""
