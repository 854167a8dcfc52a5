"""Coverage: the lines, options, table rows, tie-breaks and triggers that tests and games have reached."""
