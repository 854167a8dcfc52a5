"""The games of a balance report: what is played, by whom, in which order, and what is noted of each game."""
