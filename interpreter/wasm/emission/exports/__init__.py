"""The functions that a module exports: deciding, stepping, batches, bots, outcomes, views, perft."""
