"""The parts that every stage uses: source positions, diagnostics, time limits, reading files, the cache."""
