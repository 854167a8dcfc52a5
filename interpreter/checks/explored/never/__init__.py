"""What never happened in all games played, or cannot happen at all."""
