"""Bots for one game: those that think while somebody waits, and players from outside in processes of their own."""
