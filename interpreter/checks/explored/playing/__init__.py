"""Games that are played to find faults: at random, led, exhaustively, driven to the ends of counters."""
