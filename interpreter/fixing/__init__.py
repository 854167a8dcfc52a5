"""Safe mends for findings, and the file with them applied."""
