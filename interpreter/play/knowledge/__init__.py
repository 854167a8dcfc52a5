"""The view and the knowledge of a seat during a game, and the worlds that fit it."""
