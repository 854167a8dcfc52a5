"""What of the findings in a file has one safe mend, and the file with it."""
