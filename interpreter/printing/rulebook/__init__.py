"""The rulebook of a game, written from its rules: a book of sentences, and its forms as Markdown, HTML and PDF."""
