"""What players read, in their language: the program's sentences, and the words of a game."""
