"""What is printed of a game: its rulebook, player aids, and components."""
