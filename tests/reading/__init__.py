"""The reading test: faults in real games, to be mended from the message alone."""
