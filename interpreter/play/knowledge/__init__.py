"""What a seat sees and knows during a game, and the worlds that fit it."""
