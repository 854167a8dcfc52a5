"""The tests in rules files: preparing, running, and naming of acts."""
