"""Many games of one table or of several: chunks, threads, checkpoints."""
