"""Optimisation passes of the emitter: stores, conditions and computations that can be left out."""
