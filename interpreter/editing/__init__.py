"""Answers what an editor asks about rules that are being written: what is wrong, what can follow, what a name means."""
